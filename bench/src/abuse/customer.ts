import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { now, takeJobs } from '../frame/processes.ts'
import { pace } from './attack.ts'
import { pagesPerSecond, type Sample } from './judge.ts'

// A paying customer who behaves well, in a process of its own: the same page every 20 ms on a few connections that stay
// open, and now and then something else on a new connection. Requests are sent when they are due, whether or not those
// before are answered, and times are taken from when they were due.

/** What is asked for. Each answer has the requests that ended since the last. */
export interface CustomerJob {
  command: 'start' | 'take' | 'stop'
  port: number
  key: string
}

const host = '127.0.0.1'
const othersPerSecond = 10
const pageConnections = 4
const timeoutMs = 10_000
const tickMs = 2
/** A customer has a machine of its own. On this one it at least comes first. */
const priority = -10

type Asked = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, body?: object]

let webhooks: string[] = []

const page: Asked = ['GET', '/v1/prices?limit=100']
const usage = (): Asked => ['GET', '/v1/usage']
const webhook = { url: 'https://hooks.customer.example/ratecard', secret: 'sixteen characters or more' }
const others: readonly ((number: number) => Asked | null)[] = [
  usage,
  () => ['GET', '/v1/changes?limit=50'],
  () => ['POST', '/v1/webhooks', webhook],
  usage,
  // Most of the time, a page that is not cached.
  (number) => ['GET', `/v1/prices?vendor=vendor-${number % 40}&limit=100`],
  () => ['GET', '/v1/webhooks'],
  usage,
  () => (webhooks.length > 0 ? ['DELETE', `/v1/webhooks/${webhooks.shift()}`] : null),
]

let samples: Sample[] = []
let visit: ReturnType<typeof start> | null = null

try {
  setPriority(priority)
} catch {
  // The system allows it to privileged users alone.
}
takeJobs(async ({ command, port, key }: CustomerJob): Promise<Sample[]> => {
  if (command === 'start') {
    samples = []
    webhooks = []
    visit = start(port, key)
  } else if (command === 'stop' && visit) {
    visit.ending.abort()
    await Promise.all(visit.waiting)
    visit.agent.destroy()
    visit = null
  }
  return samples.splice(0)
})

function start(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: pageConnections })
  const waiting = new Set<Promise<void>>()
  const send = (asked: Asked, kind: Sample['kind'], intendedMs: number) => {
    const answered = ask(asked, { port, key, agent: kind === 'page' ? agent : false }).then((outcome) => {
      samples.push({ intendedMs, latencyMs: now() - intendedMs, kind, ...outcome })
      waiting.delete(answered)
    })
    waiting.add(answered)
  }
  const ending = new AbortController()
  void pace(pagesPerSecond, ending.signal, (_number, dueMs) => send(page, 'page', dueMs), tickMs)
  const sendOther = (number: number, dueMs: number) => {
    const asked = others[number % others.length]?.(number)
    if (asked) send(asked, 'other', dueMs)
  }
  void pace(othersPerSecond, ending.signal, sendOther, tickMs)
  return { agent, ending, waiting }
}

async function ask(
  [method, path, body]: Asked,
  { port, key, agent }: { port: number; key: string; agent: Agent | false },
): Promise<Pick<Sample, 'status' | 'what'>> {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const what = `${method} ${path.replace(/[?].*/, '')}`
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const req = request({ host, port, method, path, headers, agent, signal })
    req.on('error', () => undefined)
    const [res] = (await once(req.end(body && JSON.stringify(body)), 'response')) as [IncomingMessage]
    const bytes = await buffer(res)
    const status = res.statusCode ?? 0
    if (method === 'POST' && status === 201)
      webhooks.push((JSON.parse(bytes.toString()) as { data: { id: string } }).data.id)
    return { status, what }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const failure = signal.aborted ? `none in ${timeoutMs / 1_000} s` : (code ?? message)
    return { status: 0, what: `${what}: ${failure}` }
  }
}
