import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { countStatus, type Target } from './attack.ts'

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
export function attackerAddress(number: number): string {
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

  closeAll(): void {
    this.#isClosing = true
    for (const socket of this.#open) socket.destroy()
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
