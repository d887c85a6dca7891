import type { Response } from 'express'
import { codingFor, compress, compressionThresholdBytes, type Coding } from './codings.ts'

/** A body that is sent to many: in memory once for all of them, and compressed once. */
export class SharedFile {
  readonly #type: string
  readonly #identity: Buffer
  readonly #encoded = new Map<Coding, Promise<Buffer>>()

  /** @param type the `Content-Type` */
  constructor(type: string, content: Buffer | string) {
    this.#type = type
    this.#identity = Buffer.from(content)
  }

  /** Sends the body. Whoever has something to say of it in further headers has set them. */
  async send(res: Response): Promise<void> {
    const isLarge = this.#identity.length >= compressionThresholdBytes
    const coding = isLarge ? codingFor(res.req.headers['accept-encoding']) : 'identity'
    const bytes = await this.#in(coding)
    res.setHeader('Content-Type', this.#type)
    res.setHeader('Content-Length', bytes.length)
    if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
    res.end(bytes)
  }

  #in(coding: Coding): Promise<Buffer> {
    if (coding === 'identity') return Promise.resolve(this.#identity)
    const ready = this.#encoded.get(coding)
    if (ready) return ready
    const encoding = compress(this.#identity, coding)
    this.#encoded.set(coding, encoding)
    return encoding
  }
}
