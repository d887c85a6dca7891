import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Pagination } from '@ratecard/contract'
import type { PageText } from '../database/page-text.ts'
import { encodeCursor } from '../platform/cursor.ts'

/** Codings in which pages are kept. */
export type Coding = 'br' | 'gzip' | 'identity'

/** Below it a body is sent as it is. */
export const compressionThresholdBytes = 1_024

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = {
  gzip: promisify(gzip),
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
}

/** The body of a page, ready to be sent. */
export class PageBytes {
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
    return (this.#encoded[coding] = await compressors[coding](this.#identity))
  }
}

export function pageBody({ rows, next }: PageText): string {
  const pagination: Pagination | null = next && { next_cursor: encodeCursor(next) }
  const tail = pagination ? `,"pagination":${JSON.stringify(pagination)}` : ''
  return `{"schema_version":1,"data":[${rows}]${tail}}`
}

const usualCodings = new Set(['br', 'gzip', 'deflate', 'zstd', 'compress', 'identity'])

/**
 * The coding that a usual `Accept-Encoding` asks for, as the compression middleware chooses it: `br` before `gzip`.
 * Null: the header is for the middleware to judge.
 */
export function preferredCoding(acceptEncoding: string | undefined): Coding | null {
  if (!acceptEncoding) return 'identity'
  const known = preferences.get(acceptEncoding)
  if (known !== undefined) return known
  const preferred = choose(acceptEncoding)
  // Clients send few different ones; what an attacker makes up is not remembered for long.
  if (preferences.size >= preferencesMax) preferences.clear()
  preferences.set(acceptEncoding, preferred)
  return preferred
}

const preferences = new Map<string, Coding | null>()
const preferencesMax = 100

function choose(acceptEncoding: string): Coding | null {
  const codings = acceptEncoding.split(',').map((coding) => coding.trim())
  if (!codings.every((coding) => usualCodings.has(coding))) return null
  if (codings.includes('br')) return 'br'
  if (codings.includes('gzip')) return 'gzip'
  return codings.includes('deflate') ? null : 'identity'
}
