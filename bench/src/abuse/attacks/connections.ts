import { setTimeout } from 'node:timers/promises'
import { setInterval } from 'node:timers'
import { head } from '../../../../apps/server/test/support/raw-http.ts'
import { answers, dashboardHeaders, pace, Sockets, type Attack, type OpenOptions } from '../attack.ts'
import type { Cast } from '../cast.ts'

// Answers that the client does not read, and many requests in one write. The large file comes first where answers are
// small: it fills the system's buffer of a connection, and all other answers wait in the server.

export const largeFile = '/snapshot.json'
const waveMs = 2_000

interface Surge {
  name: string
  means: string
  connections: number
  bytes: (cast: Cast) => string
  everyMs?: number
  isDeaf?: boolean
}

/** New connections again and again beside those there are, each with all its requests in one write. */
function surge({ name, means, connections, bytes, everyMs = waveMs, isDeaf = false }: Surge): Attack {
  return {
    name,
    means,
    async run(target) {
      const { signal, cast } = target
      const sockets = new Sockets(target)
      const text = bytes(cast)
      while (!signal.aborted) {
        for (let count = 0; count < connections; count += 1) sockets.open({ bytes: text, isDeaf })
        await setTimeout(everyMs, undefined, { signal }).catch(() => undefined)
      }
      await sockets.look()
      await sockets.closeAll()
    },
    landed: ({ opened }) => opened >= connections,
  }
}

const small = head('GET /dashboard/api/me')
const large = head(`GET ${largeFile}`)

export const unreadAnswers: readonly Attack[] = [
  surge({
    name: 'unread answers, no key',
    means: 'every 2 s 3 connections of 400 requests in one write (17 KB), none of which reads',
    connections: 3,
    bytes: () => large.repeat(3) + small.repeat(400),
    isDeaf: true,
  }),
  surge({
    name: 'unread answers, with a key',
    means:
      'every 4 s 4 connections of 500 requests for 500 prices in one write (66 KB), none of which reads; a paid key',
    connections: 4,
    everyMs: 4_000,
    bytes: ({ paidKey }) => head('GET /v1/prices?limit=500', `Authorization: Bearer ${paidKey}`).repeat(500),
    isDeaf: true,
  }),
  surge({
    name: 'unread answers, few on each',
    means:
      'every 2 s 100 connections of 6 requests, the first for the largest file, none of which reads; no key',
    connections: 100,
    bytes: () => large + small.repeat(5),
    isDeaf: true,
  }),
  surge({
    name: 'pipelined files',
    means: 'every 4 s 1 connection of 300 requests for the largest file in one write, compressed, all read',
    connections: 1,
    everyMs: 4_000,
    bytes: () => head(`GET ${largeFile}`, 'Accept-Encoding: br').repeat(300),
  }),
  surge({
    name: 'pipelined public pages',
    means: 'every 4 s 5 connections of 1,200 requests for a change in one write, all read',
    connections: 5,
    everyMs: 4_000,
    bytes: () => head('GET /changes/chg_1').repeat(1_200),
  }),
]

// Connections that send little or nothing and stay. More of each kind than the 1,000 requests that the first release let in
// at a time; the idle ones are ten thousand, of which a machine with the usual limit of ports can open some more.

const tickleMs = 1_000

/** In place of those that the server ended: else a server that cuts them would meet a storm of new ones. */
const replacedPerSecond = 100

interface Hold {
  name: string
  means: string
  connections: number
  /** New ones a second, until all are open. */
  perSecond: number
  /** What connection number n sends when it stands. */
  opening: (number: number, cast: Cast) => OpenOptions
  /** Sent on each every second. */
  tickle?: string
  addresses?: number
  /** It got through with so many open. */
  openedMin?: number
}

function hold({ name, means, connections, perSecond, opening, ...options }: Hold): Attack {
  const { tickle = '', addresses = 4, openedMin = connections } = options
  return {
    name,
    means,
    async run(target) {
      const { cast, signal } = target
      const sockets = new Sockets(target, addresses)
      const timer = setInterval(() => sockets.writeAll(tickle), tickleMs)
      const open = (number: number) => {
        if (sockets.size < connections) sockets.open(opening(number, cast))
      }
      const allOpen = AbortSignal.timeout((connections / perSecond) * 1_000)
      await pace(perSecond, AbortSignal.any([signal, allOpen]), open)
      await pace(replacedPerSecond, signal, (number) => open(connections + number))
      clearInterval(timer)
      await sockets.closeAll()
    },
    landed: ({ opened }) => opened >= openedMin,
  }
}

const slow = { connections: 1_050, perSecond: 1_000 }
const slowMeans = '1,050 connections, 1 byte a second on each, new ones for those that are ended'

/** The head of a request, and the first byte of its body. */
function begun(line: string, ...headers: string[]): string {
  return `${head(line, 'Content-Type: application/json', 'Content-Length: 1000', ...headers)}{`
}

function slowBodies(where: string, means: string, path: string, headersOf: (cast: Cast) => string[]): Attack {
  return hold({
    name: `slow bodies: ${where}`,
    means: `${slowMeans}, ${means}`,
    ...slow,
    opening: (_number, cast) => ({ bytes: begun(`POST ${path}`, ...headersOf(cast)) }),
    tickle: ' ',
  })
}

const pageHeaders = Object.entries(dashboardHeaders)
  .filter(([name]) => name !== 'content-type')
  .map(([name, value]) => `${name}: ${value}`)

const halfOpenings: readonly OpenOptions[] = [
  { bytes: 'no HTTP\r\n\r\n' },
  { bytes: head('GET /health', 'Connection: close') },
  { bytes: begun('POST /dashboard/api/sign-in', ...pageHeaders), endsHalf: true },
  { bytes: head('GET /v1/prices', 'Transfer-Encoding: xchunked') },
]

export const heldConnections: readonly Attack[] = [
  slowBodies('sign-in', 'no credential', '/dashboard/api/sign-in', () => pageHeaders),
  slowBodies('payment events', 'no credential', '/dashboard/api/billing/stripe', () => [
    'Stripe-Signature: t=1,v1=00',
  ]),
  slowBodies('webhooks', 'a paid key', '/v1/webhooks', ({ paidKey }) => [`Authorization: Bearer ${paidKey}`]),
  hold({
    name: 'slow headers',
    means: slowMeans,
    ...slow,
    opening: () => ({ bytes: 'GET /v1/prices HTTP/1.1\r\nHost: ratecard.example\r\nX-Slow: ' }),
    tickle: 'a',
  }),
  hold({
    name: 'half-open',
    means:
      '2,000 connections, 500 new a second: most send what is refused and never close, some end their half only',
    connections: 2_000,
    perSecond: 500,
    opening: (number) => halfOpenings[number % halfOpenings.length] ?? {},
    openedMin: 1_000,
  }),
  hold({
    name: '10,000 idle connections',
    means: '10,000 connections from 20 addresses, 2,500 new a second; half of them after one GET /health',
    connections: 10_000,
    perSecond: 2_500,
    opening: (number) => (number % 2 === 0 ? { bytes: head('GET /health') } : {}),
    addresses: 20,
  }),
]

// Connections that end in the middle, and bytes that are no request.

const me = head('GET /dashboard/api/me')
/** Long enough for the server to have begun. */
const untilResetMs = 5

const garbage: readonly string[] = [
  'no HTTP at all\r\n\r\n',
  head('GET /v1/prices', 'Transfer-Encoding: xchunked'),
  head('POST /v1/webhooks', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  head('GET /health', `X-Large: ${'a'.repeat(17_000)}`),
  head('GET /health', 'Content-Length: +1'),
  `${head('GET /dashboard/api/me')}\0\0\0`,
  'GET http://[/v1/prices HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
]
const brokenPerSecond = 100

export const brokenConnections: readonly Attack[] = [
  {
    name: 'reset at once',
    means: '50 connections a second of 8 requests in one write, 1 a second of 400, all reset at once',
    async run(target) {
      const sockets = new Sockets(target)
      await pace(51, target.signal, (number) => {
        const requests = number % 51 === 0 ? 400 : 8
        const socket = sockets.open({ bytes: me.repeat(requests) })
        socket.once('connect', () => void setTimeout(untilResetMs).then(() => socket.resetAndDestroy()))
      })
      await sockets.closeAll()
    },
    landed: ({ opened }) => opened >= 50,
  },
  {
    name: 'what is no HTTP',
    means: '100 connections a second, each with bytes that the parser refuses, never closed',
    async run(target) {
      const sockets = new Sockets(target)
      await pace(brokenPerSecond, target.signal, (number) => {
        sockets.open({ bytes: garbage[number % garbage.length] ?? '' })
      })
      await sockets.closeAll()
    },
    landed: (tally) => answers(tally, 400) + tally.cut >= brokenPerSecond,
  },
]
