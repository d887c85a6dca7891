import { refuse } from './error.ts'
import type { WebhookHeaders } from './types.ts'

/** The header that carries the signature. */
export const signatureHeader = 'x-svc-signature'

// The length first: most names need no copy in lower case.
const isSignatureHeader = (name: string) =>
  name.length === signatureHeader.length && name.toLowerCase() === signatureHeader

type Entries = Iterable<readonly [string, unknown]>

/** The 64 hex digits of the one signature among the headers. */
export function readSignature(headers: WebhookHeaders): string {
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('headers: pass all headers, as in verify(body, request.headers, { secret })')
  let found: unknown
  const take = (value: unknown) => {
    // Two values are two claims, and a proxy may have checked the other one: joined they match nothing.
    if (value != null) found = found == null ? value : [found, value]
  }
  if (Symbol.iterator in headers) {
    for (const [name, value] of headers as Entries) if (isSignatureHeader(name)) take(value)
  }
  // What is like `Headers` and cannot be walked through.
  else if (typeof headers.get === 'function') take(headers.get(signatureHeader))
  // A value is looked at only when its name fits: that halves the time.
  else
    for (const name in headers) if (isSignatureHeader(name)) take((headers as Record<string, unknown>)[name])
  const text = String(found)
  // The length apart: counting takes the expression twice the time.
  if (text.length === 71 && /^sha256=[\da-f]*$/.test(text)) return text.slice(7)
  return refuse([found ?? []].flat().length ? 'malformed_signature' : 'missing_signature')
}
