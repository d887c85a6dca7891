import { setInterval } from 'node:timers'
import type { Attack, Target } from '../attack.ts'
import { dashboardHeaders } from '../attack.ts'
import { pace } from '../pace.ts'
import { head, Sockets, type OpenOptions } from '../sockets.ts'
import type { Tally } from '../tally.ts'

// Connections that send little or nothing and stay. More of each kind than the 1,000 requests that the first release let in
// at a time; the idle ones are ten thousand, of which a machine with the usual limit of ports can open some more.

const tickleMs = 1_000

/** In place of those that the server ended: else a server that cuts them would meet a storm of new ones. */
const replacedPerSecond = 100

interface Hold {
  connections: number
  /** New ones a second, until all are open. */
  perSecond: number
  /** What connection number n sends when it stands. */
  opening: (number: number) => OpenOptions
  /** Sent on each every second. */
  tickle?: string
  addresses?: number
}

async function hold({ port }: Target, tally: Tally, signal: AbortSignal, options: Hold): Promise<void> {
  const { connections, perSecond, opening, tickle = '', addresses = 4 } = options
  const sockets = new Sockets(port, tally, addresses)
  const timer = setInterval(() => sockets.writeAll(tickle), tickleMs)
  const open = (number: number) => {
    if (sockets.size < connections) sockets.open(opening(number))
  }
  const allOpen = AbortSignal.timeout((connections / perSecond) * 1_000)
  await pace(perSecond, AbortSignal.any([signal, allOpen]), open)
  await pace(replacedPerSecond, signal, (number) => open(connections + number))
  clearInterval(timer)
  sockets.closeAll()
}

const slow = { connections: 1_050, perSecond: 1_000 }
const slowMeans = '1,050 connections, 1 byte a second on each, new ones for those that are ended'

/** The head of a request, and the first byte of its body. */
function begun(line: string, ...headers: string[]): string {
  return `${head(line, 'Content-Type: application/json', 'Content-Length: 1000', ...headers)}{`
}

function slowBodies(
  where: string,
  means: string,
  headersOf: (target: Target) => string[],
  path: string,
): Attack {
  return {
    name: `slow bodies: ${where}`,
    means: `${slowMeans}, ${means}`,
    run: (target, tally, signal) => {
      const bytes = begun(`POST ${path}`, ...headersOf(target))
      return hold(target, tally, signal, { ...slow, opening: () => ({ bytes }), tickle: ' ' })
    },
    landed: ({ opened }) => opened >= slow.connections,
  }
}

const pageHeaders = Object.entries(dashboardHeaders)
  .filter(([name]) => name !== 'content-type')
  .map(([name, value]) => `${name}: ${value}`)

const halfOpen = { connections: 2_000, perSecond: 500 }
const idle = { connections: 10_000, perSecond: 2_500 }

export const heldConnections: readonly Attack[] = [
  slowBodies('sign-in', 'no credential', () => pageHeaders, '/dashboard/api/sign-in'),
  slowBodies(
    'payment events',
    'no credential',
    () => ['Stripe-Signature: t=1,v1=00'],
    '/dashboard/api/billing/stripe',
  ),
  slowBodies(
    'webhooks',
    'a paid key',
    ({ cast }) => [`Authorization: Bearer ${cast.paidKey}`],
    '/v1/webhooks',
  ),
  {
    name: 'slow headers',
    means: slowMeans,
    run: (target, tally, signal) => {
      const bytes = 'GET /v1/prices HTTP/1.1\r\nHost: ratecard.example\r\nX-Slow: '
      return hold(target, tally, signal, { ...slow, opening: () => ({ bytes }), tickle: 'a' })
    },
    landed: ({ opened }) => opened >= slow.connections,
  },
  {
    name: 'half-open',
    means:
      '2,000 connections, 500 new a second: most send what is refused and never close, some end their half only',
    run: (target, tally, signal) => {
      const kinds: readonly OpenOptions[] = [
        { bytes: 'no HTTP\r\n\r\n' },
        { bytes: `${head('GET /health', 'Connection: close')}` },
        { bytes: begun('POST /dashboard/api/sign-in', ...pageHeaders), endsHalf: true },
        { bytes: head('GET /v1/prices', 'Transfer-Encoding: xchunked') },
      ]
      const opening = (number: number) => kinds[number % kinds.length] ?? {}
      return hold(target, tally, signal, { ...halfOpen, opening })
    },
    landed: ({ opened }) => opened >= halfOpen.connections / 2,
  },
  {
    name: '10,000 idle connections',
    means: '10,000 connections from 20 addresses, 2,500 new a second; half of them after one GET /health',
    run: (target, tally, signal) => {
      const opening = (number: number) => (number % 2 === 0 ? { bytes: head('GET /health') } : {})
      return hold(target, tally, signal, { ...idle, opening, addresses: 20 })
    },
    landed: ({ opened }) => opened >= idle.connections,
  },
]
