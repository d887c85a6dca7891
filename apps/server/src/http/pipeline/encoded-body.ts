import { codingFor, compress, compressionThresholdBytes, type Coding } from './codings.ts'

/** A body in memory, and its compressed forms: each is made once, for all who ask. */
export class EncodedBody {
  readonly #identity: Buffer
  readonly #encoded = new Map<Coding, Buffer>()
  readonly #encoding = new Map<Coding, Promise<Buffer>>()

  constructor(bytes: Buffer) {
    this.#identity = bytes
  }

  /** What it takes to keep the body, in bytes. */
  get size(): number {
    return [...this.#encoded.values()].reduce((sum, { length }) => sum + length, this.#identity.length)
  }

  /** The coding in which the body is sent to a client that prefers this one. */
  codingFor(preferred: Coding): Coding {
    return this.#identity.length < compressionThresholdBytes ? 'identity' : preferred
  }

  /** The bytes, or undefined when they were not encoded so yet. */
  in(coding: Coding): Buffer | undefined {
    return coding === 'identity' ? this.#identity : this.#encoded.get(coding)
  }

  async encode(coding: Coding): Promise<Buffer> {
    const ready = this.in(coding)
    if (ready || coding === 'identity') return ready ?? this.#identity
    const encoding =
      this.#encoding.get(coding) ??
      compress(this.#identity, coding).finally(() => this.#encoding.delete(coding))
    this.#encoding.set(coding, encoding)
    const bytes = await encoding
    this.#encoded.set(coding, bytes)
    return bytes
  }

  /** What a client with this `Accept-Encoding` gets. */
  async encodedFor(acceptEncoding: string | undefined): Promise<{ coding: Coding; bytes: Buffer }> {
    const coding = this.codingFor(codingFor(acceptEncoding))
    return { coding, bytes: await this.encode(coding) }
  }
}
