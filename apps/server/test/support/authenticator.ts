import { createHmac } from 'node:crypto'

const stepMs = 30_000

/** An authenticator app whose user shows each code once. */
export class Authenticator {
  readonly #secret: string
  #last = 0

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The next code that is taken: three in half a minute, as its clock may be half a minute slow or fast. */
  next(): string {
    // One that is about to grow too old would not arrive in time.
    const now = Math.floor((Date.now() + 5_000) / stepMs)
    this.#last = Math.max(this.#last + 1, now - 1)
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
