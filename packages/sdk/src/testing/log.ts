import type { FakeOperation } from './rows.ts'

/** A request the fake has received. API keys and webhook secrets are left out of it. */
export interface FakeRequest {
  /** The `X-Request-Id` of the answer. */
  requestId: string
  /** Null when the path or the method is none of Ratecard's. */
  operation: FakeOperation | null
  method: string
  /** Such as `/v1/prices`, as it stood in the URL. */
  path: string
  /** The parameters, decoded; the last one of those with the same name. */
  query: Record<string, string>
  /** By lower-case name, without `authorization`. */
  headers: Record<string, string>
  /** The parsed body, its text when it is not JSON, undefined when there was none. */
  body: unknown
  /** Whose key it was, `key_…`; null when it was no valid one. */
  keyId: string | null
  /** The status of the answer; null when a scripted connection failure left none. */
  status: number | null
  /** The time of the fake's clock. */
  at: Date
}

/** A request as it came, its body read. */
export interface ReceivedCall {
  method: string
  path: string
  /** Without the question mark. */
  query: string
  headers: Headers
  body: Uint8Array
}

/** What may be kept of a request. */
export function loggable(call: ReceivedCall) {
  const headers = Array.from(call.headers).filter(([name]) => name !== 'authorization')
  return {
    method: call.method,
    path: withoutKeys(call.path),
    query: Object.fromEntries(new URLSearchParams(withoutKeys(call.query))),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutKeys(value)])),
    body: call.body.length === 0 ? undefined : readBody(call.body),
  }
}

function readBody(bytes: Uint8Array): unknown {
  const text = withoutKeys(new TextDecoder().decode(bytes))
  try {
    return JSON.parse(text, (name, value: unknown) => (name === 'secret' ? '[redacted]' : value))
  } catch {
    return text
  }
}

/** Keys have no business elsewhere than in `Authorization`, and are found all the same. */
function withoutKeys(text: string): string {
  return text.replaceAll(/rc_live_\w+/g, 'rc_live_[redacted]')
}
