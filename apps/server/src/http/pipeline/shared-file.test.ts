import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, head } from '../../../test/support/raw-http.ts'
import { finishAnswers } from './finish-answers.ts'
import { SharedFile } from './shared-file.ts'

const content = Array.from({ length: 1_000_000 }, (_, index) => `${index}`.padStart(8)).join('')

async function serve(): Promise<{ url: string; sockets: Socket[]; placesLeft: () => number }> {
  const file = new SharedFile('application/octet-stream', content)
  const app = express()
  let left = 0
  app.use((_req, res, next) => {
    res.locals.leaveGate = () => {
      left += 1
      res.locals.leaveGate = undefined
    }
    next()
  })
  app.use(finishAnswers)
  app.get('/file', (_req, res) => file.send(res))
  const server = app.listen(0, '127.0.0.1')
  const sockets: Socket[] = []
  server.on('connection', (socket) => void sockets.push(socket))
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, sockets, placesLeft: () => left }
}

test('a file arrives whole, again and again on one connection', async () => {
  const { url, placesLeft } = await serve()
  const answers = await exchange(url, head('GET /file').repeat(2) + head('GET /file', 'Connection: close'))
  expect(answers.map(({ status, text }) => `${status} ${text === content}`)).toEqual([
    '200 true',
    '200 true',
    '200 true',
  ])
  expect(placesLeft()).toBe(3)
})

test('HEAD tells the length', async () => {
  const { url } = await serve()
  const headers = { 'accept-encoding': 'identity' }
  const answer = await fetch(`${url}/file`, { method: 'HEAD', headers })
  expect(answer.headers.get('content-length')).toBe(String(content.length))
})

test('for a client that reads nothing a slice waits, not the file, and its place is free', async () => {
  const { url, sockets, placesLeft } = await serve()
  const { hostname, port } = new URL(url)
  const client = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => void client.destroy())
  client.pause().write(head('GET /file'))
  await expect.poll(placesLeft).toBe(1)
  // What the system takes on the way is its own; what it does not take waits here.
  await setTimeout(200)
  expect(sockets[0]?.writableLength).toBeGreaterThan(0)
  expect(sockets[0]?.writableLength).toBeLessThan(256 * 1_024)
})
