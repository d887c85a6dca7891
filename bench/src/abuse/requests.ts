import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { countStatus, pace, type Target } from './attack.ts'
import { attackerAddress } from './sockets.ts'

// Requests that are well formed, by a client that waits for its answers: what counts is what they ask for.

interface FloodRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** The number of the address that it comes from; default: the first. */
  from?: number
}

export interface Flood {
  connections: number
  /** Requests that are due while all connections wait are not sent. */
  perSecond: number
  requestOf: (number: number, target: Target) => FloodRequest
}

/** Sends requests at a rate, over so many connections at most, until the signal. */
export async function flood(target: Target, { connections, perSecond, requestOf }: Flood): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let waiting = 0
  await pace(perSecond, target.signal, (number) => {
    if (waiting >= connections) return
    waiting += 1
    void send(target, requestOf(number, target), agent).finally(() => (waiting -= 1))
  })
  agent.destroy()
}

/** Sends one request, and resolves when its answer is there or the connection is cut. */
export async function send(
  { port, tally, signal }: Target,
  { from = 0, body, ...asked }: FloodRequest,
  agent: Agent,
): Promise<void> {
  tally.requests += 1
  const localAddress = attackerAddress(from)
  const req = request({ host: '127.0.0.1', port, localAddress, agent, ...asked })
  req.on('error', () => undefined)
  req.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => (tally.opened += 1))
  })
  try {
    const [res] = (await once(req.end(body), 'response')) as [IncomingMessage]
    countStatus(tally, res.statusCode ?? 0)
    for await (const chunk of res) tally.receivedBytes += (chunk as Buffer).length
  } catch {
    if (!signal.aborted) tally.cut += 1
  }
}
