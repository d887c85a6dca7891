import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { createGuardedAgent } from '../src/features/webhooks/guarded-agent.ts'
import { sendWebhook, type SendResult, type WebhookRequest } from '../src/features/webhooks/send-webhook.ts'
import { secret, soon, useAlerting } from './support/alert-fixtures.ts'
import {
  findClosedPort,
  startBlackHole,
  startTcpEndpoint,
  startTlsEndpoint,
  type BadEndpoint,
} from './support/bad-endpoints.ts'
import {
  authority,
  expiredCertificate,
  selfSignedCertificate,
  wrongHostCertificate,
  type Certificate,
} from './support/certificates.ts'
import { useDatabase } from './support/postgres.ts'
import { startReceiver } from './support/receiver.ts'

// Networks and endpoints that misbehave: each attempt ends by its deadline, with the right class, and holds nothing.

const connectTimeoutMs = 400
const timeoutMs = 900
/** Beyond a deadline: timers of undici tick twice a second. */
const marginMs = 700

function createAgent(connectTimeoutMs: number) {
  const created = createGuardedAgent({
    isAllowedAddress: createAddressGuard(['127.0.0.0/8']),
    connectTimeoutMs,
    connectionsMax: 100,
    extraCa: authority.cert,
  })
  afterAll(() => created.destroy())
  return created
}
const hasty = createAgent(connectTimeoutMs)
/** For ten endpoints at once, which a busy machine does not connect to in the time of one. */
const patient = createAgent(10_000)

function requestTo(url: string, body: Buffer): WebhookRequest {
  return { url, secret, body, deliveryId: 'dlv_1', at: new Date(), attempt: 1, hasStandardHeaders: false }
}

async function send(url: string, patienceMs = timeoutMs, agent = hasty): Promise<SendResult> {
  const body = Buffer.from('{"event":"change.alert"}')
  const request = requestTo(url, body)
  const result = await sendWebhook(request, { agent, timeoutMs: patienceMs, userAgent: 'test' })
  // Never an address, a secret, or a word of theirs.
  expect(result.error ?? '').not.toMatch(/localhost|127\.|::1|canary|sixteen/)
  return result
}

async function sendTo(endpoint: BadEndpoint, patienceMs?: number): Promise<SendResult> {
  try {
    return await send(`https://localhost:${endpoint.port}/`, patienceMs)
  } finally {
    await endpoint.close()
  }
}

const head = 'HTTP/1.1 200 OK\r\nx-canary: canary\r\n'

describe('no answer by the deadline is a timeout', () => {
  test.each<[string, number, () => Promise<BadEndpoint>]>([
    ['connecting hangs', connectTimeoutMs, startBlackHole],
    ['TLS hangs', connectTimeoutMs, () => startTcpEndpoint(() => undefined)],
    ['the answer does not begin', timeoutMs, () => startTlsEndpoint(() => undefined)],
    [
      'the headers do not end',
      timeoutMs,
      () => startTlsEndpoint((socket) => socket.write(`${head}x-more: canary`)),
    ],
    [
      'the headers drip',
      timeoutMs,
      () =>
        startTlsEndpoint((socket) => {
          socket.write(head)
          drip(socket, () => 'x-drop: canary\r\n')
        }),
    ],
  ])('%s', async (_name, deadlineMs, start) => {
    const result = await sendTo(await start())
    expect(result).toMatchObject({ status: null, errorClass: 'timeout' })
    expect(result.durationMs).toBeGreaterThanOrEqual(deadlineMs - 20)
    expect(result.durationMs).toBeLessThan(Math.max(deadlineMs + marginMs, timeoutMs + 100))
  })
})

function drip(socket: Socket, next: () => string | Buffer): void {
  const timer = setInterval(() => socket.write(next()), 50)
  socket.on('close', () => clearInterval(timer))
}

/** Sends the same megabyte as fast as it is taken, for ever. */
function flood(socket: Socket, count: (bytes: number) => void = () => undefined): void {
  const chunk = Buffer.alloc(1_048_576, 0x78)
  const pump = () => {
    while (!socket.destroyed) {
      count(chunk.byteLength)
      if (!socket.write(chunk)) return void socket.once('drain', pump)
    }
  }
  pump()
}

describe('the status is the answer: what becomes of the body changes nothing', () => {
  const bodies: [string, (socket: Socket) => void][] = [
    ['stalls', (socket) => socket.write(`${head}content-length: 100\r\n\r\ncanary`)],
    [
      'drips',
      (socket) => {
        socket.write(`${head}content-length: 1000\r\n\r\n`)
        drip(socket, () => 'c')
      },
    ],
    [
      'breaks off midway',
      (socket) => {
        socket.write(`${head}content-length: 100\r\n\r\ncanary`, () => setTimeout(() => socket.destroy(), 20))
      },
    ],
    [
      'never ends',
      (socket) => {
        socket.write(`${head}content-type: text/plain\r\n\r\n`)
        flood(socket)
      },
    ],
    [
      'is broken in its chunks',
      (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\nzz\r\ncanary`),
    ],
    [
      'is a bomb',
      (socket) => {
        const bomb = gzipSync(Buffer.alloc(50 * 1_048_576))
        socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
        socket.write(bomb)
      },
    ],
  ]
  test.each(bodies)('a 200 whose body %s is a success', async (_name, act) => {
    const result = await sendTo(await startTlsEndpoint(act), 3_000)
    expect(result).toMatchObject({ status: 200, errorClass: null, error: null })
    // A second of patience for the rest of the answer.
    expect(result.durationMs).toBeLessThan(1_300)
  })

  test('a 500 whose body stalls is http_500, not a timeout', async () => {
    const stalling = await startTlsEndpoint((socket) =>
      socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\ncanary'),
    )
    expect(await sendTo(stalling)).toMatchObject({ status: 500, errorClass: 'http_500' })
  })

  test('the deadline holds for the body too', async () => {
    const late = await startTlsEndpoint((socket) => {
      setTimeout(() => socket.write(`${head}content-length: 100\r\n\r\ncanary`), 300)
    })
    const result = await sendTo(late, 600)
    expect(result).toMatchObject({ status: 200, errorClass: null })
    expect(result.durationMs).toBeLessThan(800)
  })

  test('of 30 answers without end a little is read each, and memory stays flat', async () => {
    let bytes = 0
    const endless = await startTlsEndpoint((socket) => {
      socket.write(`${head}\r\n`)
      flood(socket, (count) => (bytes += count))
    })
    const url = `https://localhost:${endless.port}/`
    const resident = () => process.memoryUsage().rss
    await Promise.all(Array.from({ length: 5 }, () => send(url, 10_000, patient)))
    const before = resident()
    bytes = 0
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.all(Array.from({ length: 10 }, () => send(url, 10_000, patient)))
      for (const result of results) expect(result).toMatchObject({ status: 200, errorClass: null })
    }
    const grownMb = (resident() - before) / 1_048_576
    await endless.close()
    // As many bytes as fit into the buffers of the sockets of both sides.
    expect(bytes / 30 / 1_048_576).toBeLessThan(16)
    expect(grownMb).toBeLessThan(64)
  })
})

describe('connect: something is there that does not answer as HTTP does', () => {
  test.each<[string, () => Promise<BadEndpoint>]>([
    ['nobody listens', async () => ({ port: await findClosedPort(), close: () => Promise.resolve() })],
    ['the connection is reset before TLS', () => startTcpEndpoint((socket) => void socket.resetAndDestroy())],
    ['the connection is closed before the answer', () => startTlsEndpoint((socket) => socket.end())],
    [
      'the connection breaks off before the answer',
      () => startTlsEndpoint((socket) => void socket.destroy()),
    ],
    ['the answer is garbage', () => startTlsEndpoint((socket) => socket.write('SSH-2.0-canary\r\n'))],
    [
      'the headers have no bound',
      () =>
        startTlsEndpoint((socket) => {
          socket.write(head)
          flood(socket)
        }),
    ],
    [
      'the answer is another protocol',
      () =>
        startTlsEndpoint((socket) => {
          socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: canary\r\nconnection: upgrade\r\n\r\n')
        }),
    ],
  ])('%s', async (_name, start) => {
    const result = await sendTo(await start())
    expect(result).toMatchObject({ status: null, errorClass: 'connect' })
    expect(result.error).toMatch(/^[A-Z].*\.$/)
    expect(result.durationMs).toBeLessThan(timeoutMs)
  })
})

describe('tls: the certificate must be right', () => {
  test.each<[string, Certificate]>([
    ['signed by itself', selfSignedCertificate],
    ['expired', expiredCertificate],
    ['for another host', wrongHostCertificate],
  ])('%s', async (_name, certificate) => {
    const receiver = await startReceiver(certificate)
    const result = await send(`${receiver.url}/`)
    await receiver.close()
    expect(result).toMatchObject({ status: null, errorClass: 'tls' })
    expect(result.error).toMatch(/certificate/)
    expect(receiver.received).toEqual([])
  })

  test('plain HTTP where TLS belongs', async () => {
    const plain = await startTcpEndpoint((socket) => socket.write(`${head}content-length: 0\r\n\r\n`))
    expect(await sendTo(plain)).toMatchObject({ status: null, errorClass: 'tls' })
  })
})

test('dns: a name that does not exist', async () => {
  // Reserved never to exist (RFC 6761).
  expect(await send('https://ratecard-test.invalid/', 5_000)).toMatchObject({
    status: null,
    errorClass: expect.stringMatching(/^(dns|timeout)$/) as string,
  })
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const lost = createGuardedAgent({
    isAllowedAddress: () => true,
    connectTimeoutMs,
    connectionsMax: 1,
    resolve: () => Promise.reject(unknown),
  })
  const request = requestTo('https://gone.example/', Buffer.of())
  const result = await sendWebhook(request, { agent: lost, timeoutMs, userAgent: 'test' })
  await lost.destroy()
  expect(result).toMatchObject({ status: null, errorClass: 'dns' })
})

describe('through a worker', () => {
  const alerting = useAlerting(useDatabase())
  const settings = { WEBHOOK_RETRY_SCHEDULE: '0s', WEBHOOK_TIMEOUT: '5s' }
  beforeAll(async () => void (await alerting.startWorker(settings)))

  test('endpoints that hang do not hold up another one on the same host', async () => {
    const hanging = await Promise.all(
      Array.from({ length: 5 }, () => alerting.subscribe({ behave: () => undefined })),
    )
    const healthy = await alerting.subscribe()
    await alerting.publish()
    await expect.poll(() => healthy.received().length, { timeout: 4_000, interval: 10 }).toBe(1)
    for (const { id } of hanging) {
      const [delivery] = await alerting.settled(id)
      expect(delivery).toMatchObject({ state: 'exhausted', log: [{ error_class: 'timeout', status: null }] })
    }
    const [delivery] = await alerting.settled(healthy.id)
    expect(delivery?.log).toMatchObject([{ error_class: null }])
  })

  test('last_error names the class and the remedy, and last_status is null where no answer came', async () => {
    const closed = await findClosedPort()
    const webhooks = {
      connect: await alerting.subscribe({ url: `https://localhost:${closed}/` }),
      blocked_address: await alerting.subscribe({ url: 'https://10.1.2.3/' }),
      timeout: await alerting.subscribe({ behave: () => undefined }),
    }
    await alerting.publish()
    for (const [errorClass, webhook] of Object.entries(webhooks)) {
      await alerting.settled(webhook.id)
      const shown = async () => (await alerting.webhook(webhook)).last_error
      await expect.poll(shown, soon).toMatch(new RegExp(`^${errorClass}: [A-Z][^:]{20,200}\\.$`))
      expect((await alerting.webhook(webhook)).last_status).toBeNull()
    }
  })
})
