import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const stepMs = 30_000

/** An authenticator app whose user shows each code once. */
export class Authenticator {
  readonly #secret: string
  #last = 0

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The next code that is taken: three in half a minute, as a device's clock may be half a minute slow or fast. */
  async next(): Promise<string> {
    // One that is about to grow too old would not arrive in time.
    const oldest = Math.floor((Date.now() + 5_000) / stepMs) - 1
    this.#last = Math.max(this.#last + 1, oldest)
    await sleep(Math.max(0, (this.#last - 1) * stepMs - Date.now()))
    return codeOf(this.#secret, this.#last)
  }

  wrong(): string {
    const now = Math.floor(Date.now() / stepMs)
    const near = new Set([-2, -1, 0, 1, 2].map((offset) => codeOf(this.#secret, now + offset)))
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code))!
  }
}

/** A code as an authenticator app makes it: RFC 6238 with the usual parameters. */
export function codeOf(base32: string, step = Math.floor(Date.now() / stepMs)): string {
  const bits = [...base32.replace(/=+$/, '')]
    .map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
    .join('')
  const key = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = mac.at(-1)! & 15
  return String((mac.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}
