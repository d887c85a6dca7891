import { setInterval } from 'node:timers'
import type { Attack, Target } from '../attack.ts'
import { dashboardHeaders } from '../attack.ts'
import { pace } from '../pace.ts'
import { head, Sockets } from '../sockets.ts'
import type { Tally } from '../tally.ts'

// Connections that send little or nothing and stay. More of each kind than the 1,000 requests that the first release let in
// at a time; the idle ones are ten thousand, of which a machine with the usual limit of ports can open some more.

const tickleMs = 1_000

interface Hold {
  connections: number
  /** New ones a second, those in place of the ones that were ended included. */
  perSecond: number
  /** What connection number n sends when it stands. */
  bytes: (number: number) => string
  /** Sent on each every second. */
  tickle?: string
  endsHalf?: boolean
  addresses?: number
}

async function hold({ port }: Target, tally: Tally, signal: AbortSignal, options: Hold): Promise<void> {
  const sockets = new Sockets(port, tally, options.addresses ?? 4)
  const timer = setInterval(() => sockets.writeAll(options.tickle ?? ''), tickleMs)
  await pace(options.perSecond, signal, (number) => {
    if (sockets.size >= options.connections) return
    sockets.open({ bytes: options.bytes(number), endsHalf: options.endsHalf ?? false })
  })
  clearInterval(timer)
  sockets.closeAll()
}

const slow = { connections: 1_050, perSecond: 1_000 }
const slowMeans = '1,050 connections, 1 byte a second on each'

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
      return hold(target, tally, signal, { ...slow, bytes: () => bytes, tickle: ' ' })
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
      return hold(target, tally, signal, { ...slow, bytes: () => bytes, tickle: 'a' })
    },
    landed: ({ opened }) => opened >= slow.connections,
  },
  {
    name: 'half-open',
    means: 'up to 2,000 connections, 500 new a second, that end their half and never close',
    run: (target, tally, signal) => {
      const kinds = [
        head('GET /health'),
        begun('POST /dashboard/api/sign-in', ...pageHeaders),
        'no HTTP\r\n\r\n',
      ]
      const bytes = (number: number) => kinds[number % kinds.length] ?? ''
      return hold(target, tally, signal, { ...halfOpen, bytes, endsHalf: true })
    },
    landed: ({ opened }) => opened >= halfOpen.connections / 2,
  },
  {
    name: '10,000 idle connections',
    means: '10,000 connections from 20 addresses, 2,500 new a second; half of them after one GET /health',
    run: (target, tally, signal) => {
      const bytes = (number: number) => (number % 2 === 0 ? head('GET /health') : '')
      return hold(target, tally, signal, { ...idle, bytes, addresses: 20 })
    },
    landed: ({ opened }) => opened >= idle.connections,
  },
]
