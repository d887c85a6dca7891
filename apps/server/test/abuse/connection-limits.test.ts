import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLimitedServer, listen, type ServerLimits } from '../../src/http/socket/listen.ts'
import { patience } from '../support/load.ts'
import { exchange, head } from '../support/raw-http.ts'
import { openSocket, openSockets } from './attacker.ts'

// The bounds of connections by themselves, small enough to be reached in a moment.

const large = Buffer.alloc(16 * 1_024 * 1_024)

/** A server that answers `/large` with more than a socket holds, `/never` not at all, and all else at once. */
const answering: RequestListener = (req, res) => {
  if (req.url === '/large') res.end(large)
  else if (req.url !== '/never') res.end('here')
}

async function start(limits: ServerLimits, handle = answering): Promise<string> {
  const { server } = createLimitedServer(handle, { lookEveryMs: 10, ...limits })
  const port = await listen(server, { host: '127.0.0.1', port: 0, portName: 'PORT' })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

/** Resolves when the server has closed the connection. */
async function closed(socket: Socket): Promise<void> {
  socket.resume()
  if (!socket.closed && !socket.readableEnded)
    await Promise.race([once(socket, 'close'), once(socket, 'end')])
}

async function isAnswered(url: string): Promise<boolean> {
  const [answer] = await exchange(url, head('GET /', 'Connection: close'))
  return answer?.status === 200
}

async function askOn(socket: Socket): Promise<string> {
  socket.write(head('GET /'))
  const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
  return chunk.toString()
}

describe('connections', () => {
  test('beyond the limit are taken, and of those that never asked for anything the ones idle longest are closed', async () => {
    const url = await start({ connectionsMax: 100 })
    const customer = await openSocket(url)
    expect(await askOn(customer)).toContain('200 OK')
    const idle = await openSockets(url, 99)
    for (let count = 0; count < 20; count += 1) expect(await isAnswered(url)).toBe(true)
    await Promise.race(idle.map(closed))
    expect(await askOn(customer)).toContain('200 OK')
  })

  test('of a flood, those that never asked make room at once, and not who was answered before', async () => {
    const url = await start({ connectionsMax: 100, lookEveryMs: 500 })
    const customer = await openSocket(url)
    expect(await askOn(customer)).toContain('200 OK')
    // Idle for some looks, which the flood is not.
    await pause(1_200)
    await openSockets(url, 150)
    customer.write(head('GET /'))
    const [chunk] = (await Promise.race([once(customer, 'data'), once(customer, 'close')])) as [unknown]
    expect(String(chunk)).toContain('200 OK')
  })

  test('of strangers that ask in one moment wait for a customer who asks after them', async () => {
    const order: string[] = []
    const url = await start({}, (req, res) => {
      order.push(req.url ?? '')
      const endMs = performance.now() + 5
      while (performance.now() < endMs);
      answering(req, res)
    })
    const customer = await openSocket(url)
    const strangers = await openSockets(url, 50)
    await Promise.all([customer, ...strangers].map(askOn))
    order.length = 0
    for (const socket of strangers) socket.write(head('GET /stranger'))
    customer.write(head('GET /customer', 'Authorization: Bearer key'))
    await once(customer, 'data')
    expect(order.indexOf('/customer')).toBeLessThan(10)
    await expect.poll(() => order.length, patience).toBe(51)
  })

  test('beyond the limit are refused while all others are being answered', async () => {
    let atWork = 0
    const url = await start({ connectionsMax: 10 }, (req, res) => {
      atWork += 1
      answering(req, res)
    })
    const busy = await openSockets(url, 10)
    for (const socket of busy) socket.write(head('GET /never'))
    await expect.poll(() => atWork, patience).toBe(10)
    expect(await exchange(url, head('GET /'))).toEqual([])
    busy[0]?.resetAndDestroy()
    await expect.poll(() => isAnswered(url), patience).toBe(true)
  })

  test('of one client are limited, those of a trusted proxy are not', async () => {
    const limits = { perNetworkMax: 5 }
    const url = await start(limits)
    const kept = await openSockets(url, 5)
    for (const socket of kept) expect(await askOn(socket)).toContain('200 OK')
    expect(await exchange(url, head('GET /'))).toEqual([])
    kept[0]?.destroy()
    await expect.poll(() => isAnswered(url), patience).toBe(true)

    const trusting = await start({ ...limits, isTrusted: (address) => address === '127.0.0.1' })
    for (const socket of await openSockets(trusting, 20)) expect(await askOn(socket)).toContain('200 OK')
  })

  test('end with an answer once they are old', async () => {
    const url = await start({ lifeMs: 1_000 })
    const socket = await openSocket(url)
    expect(await askOn(socket)).toContain('Connection: keep-alive')
    await expect.poll(() => askOn(socket), patience).toContain('Connection: close')
    await closed(socket)
  })
})

describe('requests of one connection', () => {
  test('are worked on a few at a time, and all are answered in order', async () => {
    let atWork = 0
    let most = 0
    const url = await start({ unansweredMax: 8 }, (req, res) => {
      atWork += 1
      most = Math.max(most, atWork)
      setTimeout(() => {
        atWork -= 1
        res.end(req.url)
      }, 2)
    })
    const lines = Array.from({ length: 1_000 }, (_, index) => head(`GET /${index}`))
    const answers = await exchange(url, lines.join('') + head('GET /last', 'Connection: close'))
    expect(answers.map(({ text }) => text)).toEqual(
      [...lines.keys()].map((index) => `/${index}`).concat('/last'),
    )
    expect(most).toBe(8)
  })

  test('that wait are limited over all connections: who brings more is cut, others are answered', async () => {
    const url = await start({ waitingMax: 100 })
    const socket = await openSocket(url)
    socket.write(head('GET /never') + head('GET /').repeat(200))
    await closed(socket)
    expect(await isAnswered(url)).toBe(true)
    // The requests behind it do not wait any more.
    const answers = await exchange(url, head('GET /').repeat(90) + head('GET /', 'Connection: close'))
    expect(answers).toHaveLength(91)
  })

  test('that nobody answers for too long are cut', async () => {
    const url = await start({ answerTimeoutMs: 50 })
    const socket = await openSocket(url)
    socket.write(head('GET /never'))
    await closed(socket)
  })
})

describe('answers that are not read', () => {
  test('are cut after a time', async () => {
    const url = await start({ answerTimeoutMs: 200 })
    const socket = await openSocket(url)
    socket.write(head('GET /large'))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    let bytes = 0
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length))
    await closed(socket)
    expect(bytes).toBeLessThan(large.length)
  })

  test('take so much memory together, and those that were let lie longest go first', async () => {
    const url = await start({ unreadBytesMax: 4 * large.length })
    const sockets = await openSockets(url, 3)
    for (const socket of sockets) socket.write(head('GET /large'))
    // The customer comes last, and reads.
    expect(await isAnswered(url)).toBe(true)
    const more = await openSockets(url, 6)
    for (const socket of more) socket.write(head('GET /large'))
    const bytes: number[] = []
    await Promise.all(
      sockets.map(async (socket, index) => {
        bytes[index] = 0
        await new Promise((resolve) => setTimeout(resolve, 500))
        socket.on('data', (chunk: Buffer) => (bytes[index] = (bytes[index] ?? 0) + chunk.length))
        await Promise.race([closed(socket), new Promise((resolve) => setTimeout(resolve, 2_000))])
      }),
    )
    expect(bytes.filter((count) => count < large.length)).toHaveLength(3)
    expect(await isAnswered(url)).toBe(true)
  })
})
