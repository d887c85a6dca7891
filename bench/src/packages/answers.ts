import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { takeJobs } from '../frame/processes.ts'

// The other side of `sdk`, a process of its own: writes bytes that are ready, and knows nothing else.

interface Answer {
  headers: Record<string, string>
  body: string
}

/** By path, without the query. */
export type Answers = Record<string, Answer>

takeJobs(async (answers: Answers) => {
  const ready = new Map(
    Object.entries(answers).map(([path, { headers, body }]) => {
      const bytes = Buffer.from(body)
      return [path, { bytes, headers: { ...headers, 'content-length': bytes.length } }]
    }),
  )
  const server = createServer((req, res) => {
    const answer = ready.get(req.url?.split('?', 1)[0] ?? '')
    if (answer) res.writeHead(200, answer.headers).end(answer.bytes)
    else res.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port }
})
