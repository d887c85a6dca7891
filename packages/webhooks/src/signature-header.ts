import { refuse } from './error.ts'
import type { WebhookHeaders } from './types.ts'

/** The header that carries the signature. */
export const signatureHeader = 'x-svc-signature'

type Entries = Iterable<readonly [string, unknown]>

/** The 64 hex digits of the one signature among the headers. */
export function readSignature(headers: WebhookHeaders): string {
  let values: unknown[] = []
  const take = (name: string, value: unknown) => {
    // The length first: most names need no copy in lower case.
    if (name.length === signatureHeader.length && name.toLowerCase() === signatureHeader && value != null)
      values = values.concat(value)
  }
  if (Symbol.iterator in headers) for (const [name, value] of headers as Entries) take(name, value)
  else for (const name in headers) take(name, (headers as Record<string, unknown>)[name])
  if (!values.length) refuse('missing_signature')
  // Two values are two claims, and a proxy may have checked the other one: joined they match nothing.
  return /^sha256=([\da-f]{64})$/.exec(values.join())?.[1] ?? refuse('malformed_signature')
}
