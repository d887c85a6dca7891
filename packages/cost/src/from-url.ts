import { parsed, type Catalog } from './book.ts'
import { CatalogError } from './errors.ts'
import { findFetch } from './own-fetch.ts'
import { refreshed, type RefreshedCatalog, type RefreshOptions } from './refresh.ts'

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal; redirect: 'follow' | 'manual' },
) => Promise<FetchedAnswer>

/** The part of a `Response` that is used. */
export interface FetchedAnswer {
  readonly status: number
  readonly type?: string
  readonly headers: { get(name: string): string | null }
  /** A web stream of bytes. */
  readonly body?: unknown
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
/** Unpacked. A snapshot with everything has 20 MB. */
const bytesMax = 64 * 2 ** 20
const redirectsMax = 5

/**
 * A catalog from an address: `/snapshot.json` of a Ratecard, or a file of your own. It is asked for anew in the background
 * with its ETag, and what is no whole, newer snapshot is not taken.
 *
 * @throws CatalogError where the address answers no snapshot, and there is no `fallback`
 */
export function catalogFromUrl(url: string | URL, options: UrlOptions = {}): Promise<RefreshedCatalog> {
  const { timeoutMs = timeoutMsUsual, integrity, fallback, fetch = findFetch() } = options
  const address = String(url)
  let etag: string | null = null
  const load = async () => {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (etag !== null) headers['if-none-match'] = etag
    const signal = AbortSignal.timeout(timeoutMs)
    const failed = (cause: unknown) => {
      throw cause instanceof CatalogError
        ? cause
        : new CatalogError(`${shown(address)} does not answer.`, { cause })
    }
    const answer = await follow(fetch, address, { headers, signal }).catch(failed)
    if (answer.status !== 200) await drop(answer)
    if (answer.status === 304) return null
    if (answer.status !== 200)
      throw new CatalogError(`${shown(address)} answers ${answer.status}, and no snapshot.`)
    const text = await readText(answer).catch(failed)
    if (text === null) throw new CatalogError(`${shown(address)} answers more than a snapshot has.`)
    if (integrity !== undefined) await checkDigest(text, integrity)
    const snapshot = parsed(text)
    // Of what is sound alone: a damaged answer is asked for again.
    etag = answer.headers.get('etag')
    return snapshot
  }
  return refreshed(load, 'url', options, fallback)
}

/** By hand, so that who asks by https is answered by https. */
async function follow(
  fetch: Fetch,
  address: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
): Promise<FetchedAnswer> {
  let url = address
  for (let count = 0; count <= redirectsMax; count += 1) {
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    // Browsers show no redirect. Their own rules keep a page of https from http.
    if (answer.type === 'opaqueredirect') return fetch(url, { ...init, redirect: 'follow' })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) return answer
    await drop(answer)
    const next = new URL(location, url)
    if (new URL(url).protocol === 'https:' && next.protocol !== 'https:')
      throw new CatalogError(`${shown(address)} redirects from https to ${next.protocol.slice(0, -1)}.`)
    url = next.href
  }
  throw new CatalogError(`${shown(address)} redirects more than ${redirectsMax} times.`)
}

/** The part of a web stream that reading needs. */
interface Reader {
  read(): Promise<{ value?: Uint8Array }>
  cancel(): Promise<void>
}

function findReader({ body }: FetchedAnswer): Reader | undefined {
  return (body as { getReader?: () => Reader } | null | undefined)?.getReader?.()
}

/** Its body is not read; unread it would hold the connection. */
async function drop(answer: FetchedAnswer): Promise<void> {
  await findReader(answer)
    ?.cancel()
    .catch(() => {})
}

/** null: it is longer than a snapshot, and the rest was not read. */
async function readText(answer: FetchedAnswer): Promise<string | null> {
  const reader = findReader(answer)
  // A `fetch` of another kind. Its text has been read whole before it can be measured.
  if (reader === undefined) {
    const text = await answer.text()
    return text.length > bytesMax ? null : text
  }
  const decoder = new TextDecoder()
  const parts: string[] = []
  for (let left = bytesMax; ;) {
    const { value } = await reader.read()
    if (value === undefined) return parts.join('') + decoder.decode()
    left -= value.byteLength
    if (left < 0) {
      reader.cancel().catch(() => {})
      return null
    }
    parts.push(decoder.decode(value, { stream: true }))
  }
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
