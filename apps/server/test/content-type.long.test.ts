import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer } from './support/actors.ts'
import { becomeReady } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'

// The validator keeps a compiled schema for every Content-Type it is shown, as long as it lives.

const database = useDatabase()
let server: ServerProcess
let end: () => Promise<void>
let key: string
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

beforeAll(async () => {
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  }
  server = await startServer(env, [], (stop) => (end = stop))
  await becomeReady([server])
  key = (await createCustomer(database.db, { plan: 'developer' })).key
})
afterAll(async () => {
  agent.destroy()
  await end()
})

const requests = 5_000
const block = 1_000
const clients = 4
const warmUp = 500
const growthMax = 10 * 1_024 * 1_024

interface Target {
  path: string
  method: 'GET' | 'POST'
  body: string
  statuses: number[]
  contentType: (n: number) => string
}

const targets: Target[] = [
  {
    path: '/health',
    method: 'GET',
    body: '',
    statuses: [200],
    contentType: (n) => `application/x-${n}`,
  },
  {
    // An empty object is refused after the body is read and before a unit is taken.
    path: '/v1/webhooks',
    method: 'POST',
    body: '{}',
    statuses: [400, 415],
    contentType: (n) => (n % 2 === 0 ? `application/json; version=${n}` : `application/x-${n}+json`),
  },
]

async function send({ path, method, body }: Target, contentType: string): Promise<number> {
  const sent = httpRequest(server.url + path, {
    agent,
    method,
    headers: {
      'content-type': contentType,
      'content-length': body.length,
      authorization: `Bearer ${key}`,
    },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode ?? 0
}

/** The size of the server's heap after a collection, which its debugging port requests. */
async function usedHeap(): Promise<number> {
  // The program begins anew once, with its memory settings; the last address is its.
  const url =
    server
      .log()
      .match(/ws:\/\/\S+/g)
      ?.at(-1) ?? ''
  const debug = new WebSocket(url)
  await once(debug, 'open')
  debug.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(debug, 'message')
  debug.close()
  return figure('nodejs_heap_size_used_bytes')
}

const cpuSeconds = () => figure('process_cpu_seconds_total')

async function figure(name: string): Promise<number> {
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
}

test.each(targets)(
  '5,000 made-up Content-Types on $method $path cost neither memory nor time',
  async (target) => {
    const statuses = new Set<number>()
    const sendBlock = async (from: number, to: number) => {
      let next = from
      const work = async () => {
        while (next < to) {
          const n = next++
          statuses.add(await send(target, target.contentType(n)))
        }
      }
      const before = await cpuSeconds()
      await Promise.all(Array.from({ length: clients }, work))
      return (await cpuSeconds()) - before
    }
    // The first of all load code and fill caches of fixed size.
    for (let n = 0; n < warmUp; n += 1) await send(target, 'application/json')
    const early = await sendBlock(0, block)
    const heapBefore = await usedHeap()
    await sendBlock(block, requests - block)
    const late = await sendBlock(requests - block, requests)
    const growth = (await usedHeap()) - heapBefore

    expect([...statuses].sort()).toEqual(target.statuses)
    console.info(
      `${target.path}: ${early.toFixed(2)} -> ${late.toFixed(2)} s of CPU, heap ${(growth / 1_048_576).toFixed(1)} MB more`,
    )
    expect(growth).toBeLessThan(growthMax)
    // A schema kept for each made-up type makes a request five times as slow after 500 of them, and more after 5,000.
    expect(late / early).toBeLessThan(4)
  },
)
