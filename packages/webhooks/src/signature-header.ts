import { refuse } from './error.ts'
import type { WebhookHeaders } from './types.ts'

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
    // Two values are two signatures, and a proxy may have checked the other one. Joined they match nothing.
    if (value != null) found = found == null ? value : [found, value]
  }
  if (Symbol.iterator in headers) {
    for (const [name, value] of headers as Entries) if (isSignatureHeader(name)) take(value)
  }
  // An object with the `get` of `Headers` that cannot be iterated.
  else if (typeof headers.get === 'function') take(headers.get(signatureHeader))
  // A value is read only when its name matches: that halves the time.
  else
    for (const name in headers) if (isSignatureHeader(name)) take((headers as Record<string, unknown>)[name])
  const text = String(found)
  // The length is checked apart: with a count the expression takes twice the time.
  if (text.length === 71 && /^sha256=[\da-f]*$/.test(text)) return text.slice(7)
  return refuse([found ?? []].flat().length ? 'malformed_signature' : 'missing_signature')
}
