import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { findNetwork } from '../../platform/network.ts'
import { Turns } from './turns.ts'

// Bounds on what a connection may cost, for any client. Node answers every request that is pipelined on a connection at
// once, waits for ever for a client that does not read, and takes any number of connections.

export interface ConnectionLimits {
  /** Connections of the process. At the limit those that are idle longest make room. */
  connectionsMax: number
  /** Connections of one network (an address, or an IPv6 /64), unless it is trusted. */
  perNetworkMax: number
  /** Whether many clients come from this address, as from a proxy. */
  isTrusted: (address: string) => boolean
  /** Requests of one connection that are worked on or not taken by the client yet; what is pipelined beyond waits. */
  unansweredMax: number
  /** Requests that wait so, on all connections together: each takes some 5 KB. */
  waitingMax: number
  /** Longest that the first of a connection's answers may take, from the request to the client's last byte. */
  answerTimeoutMs: number
  /** After it the next answer ends the connection. */
  lifeMs: number
  /** Bytes that clients have not taken yet, together. Beyond it those that let us wait longest are cut. */
  unreadBytesMax: number
  /** From one look at all connections to the next. */
  lookEveryMs: number
}

export const standardLimits: ConnectionLimits = {
  connectionsMax: 10_000,
  perNetworkMax: 1_000,
  isTrusted: () => false,
  unansweredMax: 8,
  waitingMax: 2_000,
  answerTimeoutMs: 120_000,
  lifeMs: 3_600_000,
  unreadBytesMax: 64 * 1_024 * 1_024,
  lookEveryMs: 1_000,
}

class Connection {
  readonly socket: Socket
  readonly openedMs: number
  readonly network: string | null
  /** Answers that the client has not taken yet, in the order of their requests. */
  readonly due: ServerResponse[] = []
  /** How many of them are worked on; the requests behind them wait. */
  begun = 0
  /** Whether it has ever been answered. */
  isProven = false
  /** Whether its next answer is its last. */
  isOld = false
  /** The answer that was due first at the last look, and how many looks ago it came to be so; null: it was idle. */
  #seen: ServerResponse | null = null
  looks = 0

  constructor(socket: Socket, network: string | null, nowMs: number) {
    this.socket = socket
    this.network = network
    this.openedMs = nowMs
  }

  look(): void {
    const first = this.due[0] ?? null
    this.looks = first === this.#seen ? this.looks + 1 : 0
    this.#seen = first
  }
}

/** The connections of one server. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #connections = new Map<Socket, Connection>()
  readonly #networks = new Map<string, number>()
  readonly #turns: Turns
  readonly #timer: NodeJS.Timeout
  #waiting = 0

  /** @param handle begins the work of a request */
  constructor(limits: ConnectionLimits, handle: RequestListener) {
    this.#limits = limits
    this.#turns = new Turns(handle)
    this.#timer = setInterval(() => this.#look(), limits.lookEveryMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Takes a connection in, or closes it. */
  open(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const network = this.#limits.isTrusted(address) ? null : findNetwork(address)
    const ofNetwork = network === null ? 0 : (this.#networks.get(network) ?? 0)
    if (ofNetwork >= this.#limits.perNetworkMax || !this.#hasRoom()) {
      socket.destroy()
      return
    }
    if (network !== null) this.#networks.set(network, ofNetwork + 1)
    const connection = new Connection(socket, network, performance.now())
    this.#connections.set(socket, connection)
    // Node makes an error of each request that a closing connection leaves behind. Nobody reads where they come from, and
    // a thousand stacks would take a tenth of a second.
    const { stackTraceLimit } = Error
    socket.prependListener('close', () => {
      Error.stackTraceLimit = 0
    })
    socket.on('close', () => {
      Error.stackTraceLimit = stackTraceLimit
      this.#forget(connection)
    })
  }

  /** Begins the work of a request when those before it on its connection allow it. */
  take(res: ServerResponse): void {
    const { req } = res
    const connection = this.#connections.get(req.socket)
    // A request that came with the last bytes of a connection that was cut.
    if (!connection || req.socket.destroyed) return
    const { due } = connection
    if (due.length > 0 && this.#waiting >= this.#limits.waitingMax) {
      req.socket.destroy()
      return
    }
    due.push(res)
    res.on('close', () => this.#end(connection, res))
    if (connection.isOld) res.shouldKeepAlive = false
    if (due.length === 1) {
      connection.begun = 1
      this.#turns.begin(res)
      return
    }
    this.#waiting += 1
    this.#beginNext(connection)
  }

  /** The answers that a client has not taken yet, in the order of their requests. */
  dueOn(socket: Socket): readonly ServerResponse[] {
    return this.#connections.get(socket)?.due ?? []
  }

  /** The last answer that each connection is about to get. */
  *lastDue(): Iterable<ServerResponse> {
    for (const { due } of this.#connections.values()) {
      const last = due.at(-1)
      if (last) yield last
    }
  }

  #end(connection: Connection, res: ServerResponse): void {
    const { due } = connection
    // They end in order, but for those of a connection that is cut.
    const index = due.indexOf(res)
    due.splice(index, 1)
    if (index < connection.begun) connection.begun -= 1
    else this.#waiting -= 1
    connection.isProven ||= res.writableFinished
    // Not at once: where no answer waits for the database, a thousand of them would follow each other before any other
    // request is read.
    if (due.length > connection.begun) setImmediate(() => this.#beginNext(connection))
  }

  #beginNext(connection: Connection): void {
    const { due, socket } = connection
    for (let next = due[connection.begun]; next && !socket.destroyed; next = due[connection.begun]) {
      const before = due[connection.begun - 1]
      // What changes something is worked on alone: pipelined requests may overtake each other else (RFC 9112, 9.3.2).
      if (before && (connection.begun >= this.#limits.unansweredMax || !isSafe(before) || !isSafe(next)))
        return
      connection.begun += 1
      this.#waiting -= 1
      // A request that broke off while it waited was answered.
      if (!next.writableEnded) this.#turns.begin(next)
    }
  }

  #forget(connection: Connection): void {
    const { socket, network } = connection
    this.#connections.delete(socket)
    if (network === null) return
    const left = (this.#networks.get(network) ?? 1) - 1
    if (left === 0) this.#networks.delete(network)
    else this.#networks.set(network, left)
  }

  #hasRoom(): boolean {
    const { connectionsMax } = this.#limits
    if (this.#connections.size < connectionsMax) return true
    // Several at a time: in a flood, not all of them are looked at for each newcomer. First those that never got an
    // answer, which a customer's have; of equals the oldest, which come first.
    const idle = [...this.#connections.values()].filter(
      ({ due, looks, isProven }) => due.length === 0 && (looks > 0 || !isProven),
    )
    idle.sort((a, b) => Number(a.isProven) - Number(b.isProven) || b.looks - a.looks)
    const leaving = idle.slice(0, Math.ceil(connectionsMax / 100))
    for (const connection of leaving) {
      this.#forget(connection)
      connection.socket.destroy()
    }
    return leaving.length > 0
  }

  /** Ends what takes too long. Done for all at once, now and then, a request costs nothing for it. */
  #look(): void {
    const { answerTimeoutMs, lookEveryMs, lifeMs, unreadBytesMax } = this.#limits
    const nowMs = performance.now()
    let unreadBytes = 0
    const unread: Connection[] = []
    for (const connection of this.#connections.values()) {
      connection.look()
      const { socket, due, looks, openedMs } = connection
      if (due.length > 0 && looks * lookEveryMs >= answerTimeoutMs) socket.destroy()
      if (nowMs - openedMs >= lifeMs) connection.isOld = true
      if (socket.writableLength > 0) {
        unreadBytes += socket.writableLength
        unread.push(connection)
      }
    }
    if (unreadBytes <= unreadBytesMax) return
    for (const { socket } of unread.sort((a, b) => b.looks - a.looks)) {
      if (unreadBytes <= unreadBytesMax) return
      unreadBytes -= socket.writableLength
      socket.destroy()
    }
  }
}

function isSafe({ req: { method } }: ServerResponse): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
