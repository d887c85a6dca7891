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

const beforeSending = { mayHaveArrived: false, retryable: true }
const forGood = { mayHaveArrived: false, retryable: false }
const open = { mayHaveArrived: true, retryable: true }

/** By code or, where the runtime gives none (Deno, Workers, browsers), by words. The first that matches counts. */
const kinds: [pattern: RegExp, reason: string, meaning: typeof open][] = [
  [/cert|LEAF_SIGNATURE/i, 'the certificate is not trusted', forGood],
  [/bad port/, 'fetch does not allow the port', forGood],
  [/connection ?refused|ECONNREFUSED/i, 'the connection was refused', beforeSending],
  [/ENOTFOUND|EAI_AGAIN|\bdns\b/i, 'the host is unknown', beforeSending],
  [/CONNECT_TIMEOUT/, 'the connection timed out', beforeSending],
  [/timed? ?out/i, 'the connection timed out', open],
  [/unreach/i, 'the host cannot be reached', open],
  [/ssl|tls|EPROTO/i, 'the TLS handshake failed', open],
  [/reset|closed|socket|lost|EPIPE|terminated/i, 'the connection broke', open],
  [/(?:)/, 'the connection failed', open],
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
    if (typeof at.message === 'string' && at.message) said = at.message
  }
  const told = code ?? said.slice(0, 200)
  const [, reason, meaning] = kinds.find(([pattern]) => pattern.test(told)) as (typeof kinds)[0]
  return { code, reason: told ? `${reason} (${told})` : reason, ...meaning }
}
