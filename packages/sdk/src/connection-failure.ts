/** What is known of a connection that failed. */
export interface ConnectionFailure {
  /** What the runtime calls it, for example `ECONNREFUSED`; undefined where it has no name for it. */
  code: string | undefined
  /** What happened, in words. */
  reason: string
  /** False when it certainly failed before anything was sent. */
  mayHaveArrived: boolean
  /** Whether it may go better in a moment. */
  retryable: boolean
}

/** What a failure means: for good; before anything was sent; or neither is known. */
type Meaning = 0 | 1 | 2

/** By code or, where the runtime gives none (Deno, Workers, browsers), by words. The first that matches counts. */
const kinds: [pattern: RegExp, reason: string, meaning: Meaning][] = [
  [/cert|LEAF_SIGNATURE/i, 'untrusted certificate', 0],
  [/bad port|blocked/, 'port not allowed', 0],
  [/connection ?refused|ECONNREFUSED/i, 'connection refused', 1],
  [/ENOTFOUND|EAI_AGAIN|\bdns\b/i, 'unknown host', 1],
  [/CONNECT_TIMEOUT/, 'connection timed out', 1],
  [/timed? ?out/i, 'connection timed out', 2],
  [/unreach/i, 'unreachable host', 2],
  [/ssl|tls|EPROTO/i, 'TLS handshake failed', 2],
  [/reset|closed|socket|lost|EPIPE|terminated/i, 'connection broken', 2],
]

/** Reads what `fetch` rejected with, down the chain of causes. */
export function readConnectionFailure(error: unknown): ConnectionFailure {
  let code: string | undefined
  let said = ''
  let at = error as { code?: unknown; message?: unknown; cause?: unknown } | null | undefined
  for (
    let depth = 0;
    typeof at === 'object' && at !== null && depth < 5;
    depth++, at = at.cause as typeof at
  ) {
    if (typeof at.code === 'string') code = at.code
    if (typeof at.message === 'string') said = at.message || said
  }
  const detail = code ?? said.slice(0, 200)
  const [, reason, meaning] = kinds.find(([pattern]) => pattern.test(detail)) ?? [0, 'connection failed', 2]
  return {
    code,
    reason: detail ? `${reason} (${detail})` : reason,
    mayHaveArrived: meaning > 1,
    retryable: meaning > 0,
  }
}
