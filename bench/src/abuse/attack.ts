import { setTimeout } from 'node:timers/promises'
import { Socket } from 'node:net'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { now } from '../frame/processes.ts'
import type { Cast } from './cast.ts'

/** Whom an attacker attacks, what it may use, and how long. */
export interface Target {
  port: number
  cast: Cast
  tally: Tally
  signal: AbortSignal
}

export interface Attack {
  name: string
  /** All that the attacker has: connections, bytes, requests a second. */
  means: string
  /** Goes on until the signal, and leaves no connection behind. */
  run: (target: Target) => Promise<void>
  /** Whether it got through to the server at all: an attack that was not one proves nothing. */
  landed: (tally: Tally) => boolean
}

/** What an attacker did and got. */
export interface Tally {
  /** Connections that the server's system accepted. */
  opened: number
  /** Connections that it did not. */
  refused: number
  /** Connections that the server ended, by either half. */
  cut: number
  /** Answers by status. */
  statuses: Record<string, number>
  receivedBytes: number
}

export function newTally(): Tally {
  return { opened: 0, refused: 0, cut: 0, statuses: {}, receivedBytes: 0 }
}

function countStatus({ statuses }: Tally, status: string | number): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

/** Answers with one of these statuses, or with any. */
export function answers({ statuses }: Tally, ...wanted: readonly number[]): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (wanted.length === 0 || wanted.includes(Number(status)) ? sum + count : sum),
    0,
  )
}

/** The pages' own header, which no form can send: a script of the attacker's can. */
export const dashboardHeaders = {
  'sec-fetch-site': 'same-origin',
  'x-ratecard-dashboard': '1',
  'content-type': 'application/json',
}

/**
 * Does it so often a second, from now until the signal: when it has fallen behind, it catches up. The first is due at
 * once.
 */
export async function pace(
  perSecond: number,
  signal: AbortSignal,
  act: (number: number, dueMs: number) => void,
  tickMs = 10,
): Promise<void> {
  const startMs = now()
  for (let done = 0; !signal.aborted;) {
    const due = Math.floor(((now() - startMs) * perSecond) / 1_000) + 1
    for (; done < due; done += 1) act(done, startMs + (done * 1_000) / perSecond)
    await setTimeout(tickMs)
  }
}

// Connections of an attacker, byte for byte. Statuses are counted by their lines, as bodies are of no interest.

const host = '127.0.0.1'
const statusLine = /HTTP\/1\.1 (\d{3}) /g
/** As long as a status line that the next chunk may complete. */
const carriedBytes = 'HTTP/1.1 200'.length
const lookMs = 500

export interface OpenOptions {
  /** Sent when the connection stands. */
  bytes?: string
  /** Takes no byte of an answer. */
  isDeaf?: boolean
  /** Ends its half after these bytes, and no more than that. */
  endsHalf?: boolean
}

/** Attackers never come from the address of the customer, who is 127.0.0.1. */
function attackerAddress(number: number): string {
  return `127.0.1.${(number % 250) + 1}`
}

export class Sockets {
  readonly #target: Target
  readonly #addresses: number
  readonly #open = new Set<Socket>()
  #opened = 0
  #isClosing = false

  /** @param addresses from as many the connections come, in turn */
  constructor(target: Target, addresses = 1) {
    this.#target = target
    this.#addresses = addresses
  }

  /** Those that the server has not ended. */
  get size(): number {
    return this.#open.size
  }

  open({ bytes = '', isDeaf = false, endsHalf = false }: OpenOptions = {}): Socket {
    const { port, tally } = this.#target
    // Half-open: when the server ends its half, an attacker does not do the same.
    const socket = new Socket({ allowHalfOpen: true })
    const localAddress = attackerAddress(this.#opened++ % this.#addresses)
    let isEnded = false
    const countEnd = () => {
      if (isEnded || this.#isClosing) return
      isEnded = true
      if (!socket.connecting && socket.localPort !== undefined) tally.cut += 1
    }
    this.#open.add(socket)
    // Before it connects: Node would fill its buffer.
    if (isDeaf) socket.pause()
    else this.#listen(socket)
    socket.on('connect', () => {
      tally.opened += 1
      socket.once('end', countEnd)
      this.write(socket, bytes)
      if (endsHalf) socket.end()
    })
    socket.on('error', () => {
      if (socket.connecting) tally.refused += 1
    })
    socket.once('close', () => {
      countEnd()
      this.#open.delete(socket)
    })
    socket.connect({ port, host, localAddress })
    return socket
  }

  /** Adds bytes to what a connection has sent, if it still stands. */
  write(socket: Socket, bytes: string): void {
    if (bytes === '' || !socket.writable || socket.connecting) return
    socket.write(bytes, 'latin1')
  }

  /** Adds bytes to what each connection has sent. */
  writeAll(bytes: string): void {
    for (const socket of this.#open) this.write(socket, bytes)
  }

  /** Those that took nothing look at what came of it: an end, or answers. */
  async look(): Promise<void> {
    for (const socket of this.#open) {
      if (!socket.isPaused()) continue
      this.#listen(socket)
      socket.resume()
    }
    await setTimeout(lookMs)
  }

  /** At 2,500 a second, as they were opened at most: the closing at once of thousands is work of this machine's system. */
  async closeAll(): Promise<void> {
    this.#isClosing = true
    let closed = 0
    for (const socket of [...this.#open]) {
      socket.destroy()
      closed += 1
      if (closed % 25 === 0) await setTimeout(10)
    }
  }

  #listen(socket: Socket): void {
    const { tally } = this.#target
    let carried = ''
    socket.on('data', (chunk: Buffer) => {
      tally.receivedBytes += chunk.length
      const text = carried + chunk.toString('latin1')
      for (const [, status = ''] of text.matchAll(statusLine)) countStatus(tally, status)
      carried = text.slice(-carriedBytes)
    })
  }
}

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
