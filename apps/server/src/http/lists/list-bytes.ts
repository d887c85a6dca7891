import { compress, compressionThresholdBytes, type Coding } from '../pipeline/codings.ts'

/** The body of a list, ready to be sent. */
export class ListBytes {
  /** The state of the list that the rows show. */
  readonly version: string
  readonly #identity: Buffer
  readonly #encoded: { br?: Buffer; gzip?: Buffer } = {}

  constructor(version: string, bytes: Buffer) {
    this.version = version
    this.#identity = bytes
  }

  /** What it takes to keep the list, in bytes. */
  get size(): number {
    const { br, gzip } = this.#encoded
    return this.#identity.length + (br?.length ?? 0) + (gzip?.length ?? 0)
  }

  /** The coding in which the list is sent to a client that prefers this one. */
  codingFor(preferred: Coding): Coding {
    return this.#identity.length < compressionThresholdBytes ? 'identity' : preferred
  }

  /** The body, or undefined when it was not encoded so yet. */
  in(coding: Coding): Buffer | undefined {
    return coding === 'identity' ? this.#identity : this.#encoded[coding]
  }

  async encode(coding: Coding): Promise<Buffer> {
    const ready = this.in(coding)
    if (ready || coding === 'identity') return ready ?? this.#identity
    return (this.#encoded[coding] = await compress(this.#identity, coding))
  }
}
