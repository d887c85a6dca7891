import type { Pagination } from '@ratecard/contract'
import type { ListText } from '../../database/list-text.ts'
import { encodeCursor } from '../../platform/cursor.ts'
import { compress, compressionThresholdBytes, type Coding } from '../codings.ts'

/** The body of a page, ready to be sent. */
export class ListBytes {
  /** The state of the feed that the page shows. */
  readonly version: string
  readonly #identity: Buffer
  readonly #encoded: { br?: Buffer; gzip?: Buffer } = {}

  constructor(version: string, bytes: Buffer) {
    this.version = version
    this.#identity = bytes
  }

  /** What it takes to keep the page, in bytes. */
  get size(): number {
    const { br, gzip } = this.#encoded
    return this.#identity.length + (br?.length ?? 0) + (gzip?.length ?? 0)
  }

  /** In which coding the page is sent to whoever prefers this one. */
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

export function pageBody({ rows, next }: ListText): string {
  const pagination: Pagination | null = next && { next_cursor: encodeCursor(next) }
  const tail = pagination ? `,"pagination":${JSON.stringify(pagination)}` : ''
  return `{"schema_version":1,"data":[${rows}]${tail}}`
}
