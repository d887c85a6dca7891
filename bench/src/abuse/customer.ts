import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
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
const pagePath = '/v1/prices?limit=100'
/** A customer has a machine of its own. On this one it at least comes first. */
const priority = -10

interface Asked {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  what: string
  body?: object
}

let webhooks: string[] = []
let number = 0

const webhook = { url: 'https://hooks.customer.example/ratecard', secret: 'sixteen characters or more' }
const usage: Asked = { method: 'GET', path: '/v1/usage', what: 'getUsage' }
const listWebhooks: Asked = { method: 'GET', path: '/v1/webhooks', what: 'listWebhooks' }
const others: readonly (() => Asked | null)[] = [
  () => usage,
  () => ({ method: 'GET', path: '/v1/changes?limit=50', what: 'listChanges' }),
  () => ({ method: 'POST', path: '/v1/webhooks', what: 'createWebhook', body: webhook }),
  () => usage,
  // Most of the time, a page that is not cached.
  () => ({ method: 'GET', path: `/v1/prices?vendor=vendor-${number % 40}&limit=100`, what: 'listPrices' }),
  () => listWebhooks,
  () => usage,
  () => {
    const id = webhooks.shift()
    return id === undefined ? null : { method: 'DELETE', path: `/v1/webhooks/${id}`, what: 'deleteWebhook' }
  },
]

interface Visit {
  agent: Agent
  ending: AbortController
  waiting: Set<Promise<void>>
}

let samples: Sample[] = []
let visit: Visit | null = null

try {
  setPriority(priority)
} catch {
  // The system allows it to privileged users alone.
}
takeJobs(handle)

async function handle({ command, port, key }: CustomerJob): Promise<Sample[]> {
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
}

function start(port: number, key: string): Visit {
  const agent = new Agent({ keepAlive: true, maxSockets: pageConnections })
  const waiting = new Set<Promise<void>>()
  const send = (asked: Asked, kind: Sample['kind'], intendedMs: number) => {
    const answered = ask(asked, { port, key, agent: kind === 'page' ? agent : false }).then((outcome) => {
      const failure = outcome.failure === undefined ? '' : `: ${outcome.failure}`
      const what = asked.what + failure
      samples.push({ intendedMs, latencyMs: now() - intendedMs, kind, status: outcome.status, what })
      waiting.delete(answered)
    })
    waiting.add(answered)
  }
  const page: Asked = { method: 'GET', path: pagePath, what: 'listPrices' }
  const ending = new AbortController()
  void pace(pagesPerSecond, ending.signal, (_number, dueMs) => send(page, 'page', dueMs), tickMs)
  const sendOther = (othersSent: number, dueMs: number) => {
    number += 1
    const asked = others[othersSent % others.length]?.()
    if (asked) send(asked, 'other', dueMs)
  }
  void pace(othersPerSecond, ending.signal, sendOther, tickMs)
  return { agent, ending, waiting }
}

interface Answer {
  /** 0: none. */
  status: number
  failure?: string
}

function ask(
  { method, path, body }: Asked,
  { port, key, agent }: { port: number; key: string; agent: Agent | false },
): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        failure: signal.aborted ? `none in ${timeoutMs / 1_000} s` : (error.code ?? error.message),
      })
    const req = request({ host, port, method, path, headers, agent, signal }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', fail)
      res.on('end', () => {
        const status = res.statusCode ?? 0
        if (method === 'POST' && status === 201) webhooks.push(idOf(chunks))
        resolve({ status })
      })
    })
    req.on('error', fail)
    req.end(body && JSON.stringify(body))
  })
}

function idOf(chunks: Buffer[]): string {
  return (JSON.parse(Buffer.concat(chunks).toString()) as { data: { id: string } }).data.id
}
