import { setInterval } from 'node:timers'
import { head } from '../../../../apps/server/test/support/raw-http.ts'
import { dashboardHeaders, pace, type Attack } from '../attack.ts'
import type { Cast } from '../cast.ts'
import { Sockets, type OpenOptions } from '../sockets.ts'

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
      sockets.closeAll()
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
