import Negotiator from 'negotiator'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Codings in which answers are sent. */
export type Coding = 'br' | 'gzip' | 'identity'

/** Below it a body is sent as it is. */
export const compressionThresholdBytes = 1_024

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = {
  gzip: promisify(gzip),
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
}

export function compress(bytes: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  return compressors[coding](bytes)
}

/** The coding of an answer to a request with this `Accept-Encoding`: `br` before `gzip`, where a client takes both. */
export function codingFor(acceptEncoding: string | undefined): Coding {
  const usual = preferredCoding(acceptEncoding)
  if (usual !== null) return usual
  const headers = { 'accept-encoding': acceptEncoding }
  const negotiator = new Negotiator({ headers }) as unknown as ByPreference
  return negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] }) ?? 'identity'
}

/** The package's own interface; its types know an older one. */
interface ByPreference {
  encoding: (available: Coding[], options: { preferred: Coding[] }) => Coding | undefined
}

const usualCodings = new Set(['br', 'gzip', 'deflate', 'zstd', 'compress', 'identity'])

/** The coding that a usual `Accept-Encoding` asks for: `br` before `gzip`. Null: the header says more than names. */
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
  return codings.includes('gzip') ? 'gzip' : 'identity'
}
