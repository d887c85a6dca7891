import { refuse } from './error.ts'
import type { WebhookHeaders } from './types.ts'

/** The header that carries the signature. */
export const signatureHeader = 'x-svc-signature'

type Entries = Iterable<readonly [string, unknown]>

/** The 64 hex digits of the one signature among the headers. */
export function readSignature(headers: WebhookHeaders): string {
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('headers: pass all headers, as in verify(body, request.headers, { secret })')
  let found: unknown
  const take = (name: string, value: unknown) => {
    // The length first: most names need no copy in lower case.
    if (name.length === signatureHeader.length && name.toLowerCase() === signatureHeader && value != null)
      // Two values are two claims, and a proxy may have checked the other one: joined they match nothing.
      found = found == null ? value : [found, value]
  }
  if (Symbol.iterator in headers) for (const [name, value] of headers as Entries) take(name, value)
  // What is like `Headers` and cannot be walked through.
  else if (typeof headers.get === 'function') take(signatureHeader, headers.get(signatureHeader))
  else for (const name in headers) take(name, (headers as Record<string, unknown>)[name])
  const text = String(found)
  if (/^sha256=[\da-f]{64}$/.test(text)) return text.slice(7)
  return refuse([found ?? []].flat().length ? 'malformed_signature' : 'missing_signature')
}
