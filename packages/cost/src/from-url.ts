import { parsed, type Catalog } from './book.ts'
import { CatalogError } from './errors.ts'
import { refreshed, type RefreshedCatalog, type RefreshOptions } from './refresh.ts'

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal; redirect: 'follow' },
) => Promise<FetchedAnswer>

/** The part of a `Response` that is used. */
export interface FetchedAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** Where and how a snapshot is loaded. */
export interface UrlOptions extends RefreshOptions {
  /** What is used while the address does not answer at the start: the shipped catalog, for example. */
  readonly fallback?: Catalog
  /** How long one look may take. Default: 30 seconds. */
  readonly timeoutMs?: number
  /** The digest that the snapshot must have, as `sha256-` and base64: of a file that does not move. */
  readonly integrity?: string
  /** Instead of the global one. */
  readonly fetch?: Fetch
}

const timeoutMsUsual = 30_000
/** A snapshot with everything has 20 MB. */
const charsMax = 256 * 2 ** 20

/**
 * A catalog from an address: `/snapshot.json` of a Ratecard, or a file of your own. It is asked for anew in the background
 * with its ETag, and what is no whole, newer snapshot is not taken.
 *
 * @throws CatalogError where the address answers no snapshot, and there is no `fallback`
 */
export function catalogFromUrl(url: string | URL, options: UrlOptions = {}): Promise<RefreshedCatalog> {
  const { timeoutMs = timeoutMsUsual, integrity, fallback, fetch = globalThis.fetch } = options
  const address = String(url)
  let etag: string | null = null
  const load = async () => {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (etag !== null) headers['if-none-match'] = etag
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(address, { headers, signal, redirect: 'follow' }).catch((cause: unknown) => {
      throw new CatalogError(`${shown(address)} does not answer.`, { cause })
    })
    if (answer.status === 304) return null
    if (answer.status !== 200)
      throw new CatalogError(`${shown(address)} answers ${answer.status}, and no snapshot.`)
    const text = await answer.text()
    if (text.length > charsMax) throw new CatalogError(`${shown(address)} answers more than a snapshot has.`)
    if (integrity !== undefined) await checkDigest(text, integrity)
    const snapshot = parsed(text)
    // Of what is sound alone: a damaged answer is asked for again.
    etag = answer.headers.get('etag')
    return snapshot
  }
  return refreshed(load, 'url', options, fallback)
}

async function checkDigest(text: string, integrity: string): Promise<void> {
  const [, wanted] = /^sha256-([A-Za-z0-9+/]{43}=)$/.exec(integrity) ?? []
  if (wanted === undefined) throw new TypeError('"integrity" is "sha256-" and the digest in base64.')
  const digest = new Uint8Array(
    await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  )
  if (btoa(String.fromCharCode(...digest)) !== wanted)
    throw new CatalogError('The snapshot does not have the digest of "integrity": it is another one.')
}

/** An address may carry a password or a token: they are in no message. */
function shown(address: string): string {
  try {
    const { origin, pathname } = new URL(address)
    return origin + pathname
  } catch {
    return 'The address'
  }
}
