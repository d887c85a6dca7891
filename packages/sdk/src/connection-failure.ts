/**
 * By code or, where the runtime gives none (Deno, Workers, browsers), by words. The first that matches counts. What a
 * failure means: 0 it is for good; 1 it came before anything was sent; 2 neither is known.
 */
const kinds: [pattern: RegExp, reason: string, meaning: 0 | 1 | 2][] = [
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
export function readConnectionFailure(error: unknown) {
  let code: string | undefined
  let said = ''
  let at = error as { code?: unknown; message?: unknown; cause?: unknown } | null | undefined
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    if (typeof at.code === 'string') code = at.code
    if (typeof at.message === 'string') said = at.message || said
    at = at.cause as typeof at
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
