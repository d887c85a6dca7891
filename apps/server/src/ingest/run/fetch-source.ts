import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createAddressGuard, type AddressGuard } from '@ratecard/contract/addresses'
import type { Response } from 'undici'
import { retryAfterMs } from '../../platform/retry-after.ts'
import { UserError, whyUnreadable } from '../../platform/user-error.ts'
import { readVersion } from '../../platform/version.ts'

/** What a file or an answer holds: text, or the bytes of a tar archive; unpacked in either case. */
export interface SourceFile {
  text?: string
  bytes?: Uint8Array
  /** Its name, without folders. */
  name: string
}

/** By what a server tells one state of a file from another. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** `file` is null when the server says that it is as it was. */
export interface FetchedSource {
  file: SourceFile | null
  validators: Validators
}

export interface FetchLimits {
  /** Largest file, unpacked. */
  bytesMax: number
  /** Longest one attempt may take, from the request to the last byte. */
  timeoutMs: number
  /** What is waited before each further attempt; as many attempts as there are entries, and one. */
  retryMs: readonly number[]
  /** Longest wait that a server may ask for by `Retry-After`. */
  retryAfterMsMax: number
}

export interface FetchOptions {
  /** Of the answer that was taken in last, so that the server need not send it again. */
  known?: Validators | null
  limits?: Partial<FetchLimits>
  /** Usually: what is in no private or reserved range. */
  isPublicAddress?: AddressGuard
  /** Where the asked host finds who asks: the address of this installation. */
  contact?: string | undefined
  /** A key, sent to the origin of the address alone: where a redirect leads elsewhere it stays behind. */
  bearer?: string
  /** Gives up when it aborts, with its reason. */
  signal?: AbortSignal
}

const standardLimits: FetchLimits = {
  // Seven times the largest real file.
  bytesMax: 20_000_000,
  timeoutMs: 60_000,
  retryMs: [500, 2_000],
  retryAfterMsMax: 60_000,
}
const redirectsMax = 5
const connectTimeoutMs = 10_000

/** Nothing comes from the address or the file. */
export class Unreachable extends UserError {}

/** What comes is no text and no archive, or larger than any list. */
export class UnusableFile extends UserError {}

const redirects = new Set([301, 302, 303, 307, 308])
const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Reads what an address holds: `http:` and `https:`, also in one's own network, or `file:`. Failures that pass are
 * tried again.
 * @throws Unreachable or UnusableFile; the message names the address, without its query
 */
export async function fetchSource(address: string, options: FetchOptions = {}): Promise<FetchedSource> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol === 'file:') {
    return { file: await readSourceFile(shownPath(url), options.limits), validators: nothingKnown }
  }
  const fail = failWith(url === null ? address : withoutQuery(url))
  if (!url || !isHttp(url)) throw fail('it is not an http or https address, nor that of a file')
  if (url.username !== '' || url.password !== '') throw fail('addresses with a name or password are not read')

  const limits = { ...standardLimits, ...options.limits }
  for (const delayMs of limits.retryMs) {
    try {
      return await attempt(url, fail, limits, options)
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error
      const askedMs = error.retryAfterMs ?? 0
      if (askedMs > limits.retryAfterMsMax)
        throw fail(`${error.reason} and asks to wait ${Math.ceil(askedMs / 1_000)} s`, error)
      await setTimeout(Math.max(delayMs, askedMs), undefined, { signal: options.signal })
    }
  }
  return attempt(url, fail, limits, options).catch((error: unknown) => {
    throw error instanceof PassingFailure ? fail(error.reason, error.cause) : error
  })
}

/**
 * Reads a file, unpacked if it is packed with gzip.
 * @throws Unreachable or UnusableFile; the message names the file
 */
export async function readSourceFile(path: string, limits: Partial<FetchLimits> = {}): Promise<SourceFile> {
  const { bytesMax } = { ...standardLimits, ...limits }
  const refuse = failWith(path, UnusableFile)
  const bytes = await collect(createReadStream(path), bytesMax, refuse).catch((error: unknown) => {
    if (error instanceof UserError) throw error
    throw failWith(path)(whyUnreadable(error), error)
  })
  return unpack(bytes, basename(path), bytesMax, refuse)
}

const nothingKnown: Validators = { etag: null, lastModified: null }

type Fail = (reason: string, cause?: unknown) => UserError

/** A failure that may be over at the next attempt. */
class PassingFailure extends Error {
  readonly reason: string
  readonly retryAfterMs: number | null

  constructor(
    reason: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

async function attempt(
  address: URL,
  fail: Fail,
  { bytesMax, timeoutMs }: FetchLimits,
  options: FetchOptions,
): Promise<FetchedSource> {
  const { known, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const ends = signal ? AbortSignal.any([signal, timeout]) : timeout
  const passes = (reason: string) => (cause: unknown) => {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof UserError) throw cause
    throw new PassingFailure(timeout.aborted ? `it took longer than ${timeoutMs / 1_000} s` : reason, {
      cause,
    })
  }
  const { response, url } = await follow(address, { ...options, signal: ends }, fail).catch(
    (cause: unknown) => passes(`no connection${findCode(cause)}`)(cause),
  )
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => undefined)
    if (response.status === 304 && known) return { file: null, validators: known }
    const reason = `it answers ${response.status}`
    if (!passing.has(response.status)) throw fail(reason)
    throw new PassingFailure(reason, {
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), new Date()),
    })
  }
  const refuse = failWith(withoutQuery(address), UnusableFile)
  const bytes = await collect(response.body ?? [], bytesMax, refuse).catch(passes('the answer broke off'))
  const { headers } = response
  return {
    file: await unpack(bytes, basename(url.pathname), bytesMax, refuse),
    validators: { etag: headers.get('etag'), lastModified: headers.get('last-modified') },
  }
}

/**
 * By hand, so that a redirect leads nowhere but to http and https, never from https to http, never from a public address
 * to a private one, and not in circles.
 */
async function follow(
  address: URL,
  { known, bearer, contact, signal, isPublicAddress = createAddressGuard() }: FetchOptions,
  fail: Fail,
): Promise<{ response: Response; url: URL }> {
  const [{ fetch }, { BlockedAddressError, createGuardedAgent }] = await Promise.all([
    import('undici'),
    import('../../features/webhooks/guarded-agent.ts'),
  ])
  const headers = {
    'user-agent': `Ratecard-Feed/${readVersion()}${contact === undefined ? '' : ` (+${contact})`}`,
    ...(known?.etag != null && { 'if-none-match': known.etag }),
    ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
  }
  let url = address
  let isHome = true
  // The operator may name an address of their own network, and that one may lead to others there.
  let isInside = false
  const dispatcher = createGuardedAgent({
    isAllowedAddress: (dialled) => isPublicAddress(dialled) || (isInside ||= url === address),
    connectTimeoutMs,
    connectionsMax: 1,
  })
  try {
    for (let count = 0; count <= redirectsMax; count += 1) {
      isHome &&= url.origin === address.origin
      const authorization = bearer !== undefined && isHome ? { authorization: `Bearer ${bearer}` } : {}
      const response = await fetch(url, {
        headers: { ...headers, ...authorization },
        signal: signal ?? null,
        redirect: 'manual',
        dispatcher,
      })
      if (!redirects.has(response.status)) return { response, url }
      await response.body?.cancel()
      const location = response.headers.get('location')
      if (location === null || !URL.canParse(location, url.href))
        throw fail('it redirects, and does not say where')
      const next = new URL(location, url)
      if (!isHttp(next)) throw fail('it redirects to what is not an http or https address')
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw fail('it redirects from https to http')
      url = next
    }
    throw fail(`it redirects more than ${redirectsMax} times`)
  } catch (error) {
    const isBlocked = error instanceof Error && error.cause instanceof BlockedAddressError
    throw isBlocked ? fail('it redirects from a public address to a private one', error) : error
  } finally {
    // Once the answer has been read.
    void dispatcher.close()
  }
}

async function collect(chunks: AsyncIterable<unknown> | [], bytesMax: number, fail: Fail): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    parts.push(chunk)
    size += chunk.byteLength
    if (size > bytesMax) throw fail(`it is larger than ${bytesMax / 1_000_000} MB`)
  }
  return Buffer.concat(parts)
}

async function unpack(bytes: Buffer, name: string, bytesMax: number, fail: Fail): Promise<SourceFile> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isPacked
    ? await promisify(gunzip)(bytes, { maxOutputLength: bytesMax }).catch((error: NodeJS.ErrnoException) => {
        const isLarge = error.code === 'ERR_BUFFER_TOO_LARGE'
        throw fail(
          isLarge ? `unpacked it is larger than ${bytesMax / 1_000_000} MB` : 'it is a damaged gzip file',
          error,
        )
      })
    : bytes
  if (isTar(plain)) return { bytes: plain, name }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(plain), name: name.replace(/\.gz$/i, '') }
  } catch (cause) {
    throw fail('it is not text in UTF-8', cause)
  }
}

function isTar(bytes: Buffer): boolean {
  return bytes.toString('latin1', 257, 262) === 'ustar'
}

function findCode(error: unknown): string {
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: unknown }
  return typeof code === 'string' ? ` (${code})` : ''
}

function shownPath(url: URL): string {
  try {
    return fileURLToPath(url)
  } catch (cause) {
    throw failWith(url.href)('a file address has three slashes: file:///folder/prices.json', cause)
  }
}

/** A query may hold a token. */
function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function failWith(location: string, Failure: typeof UserError = Unreachable): Fail {
  return (reason, cause) => new Failure(`Cannot read ${location}: ${reason}.`, { cause })
}
