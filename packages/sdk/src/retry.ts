import { ApiError, ConnectionError, type RatecardError } from './errors.ts'

const baseMs = 500
const capMs = 8000

/** Whether the request may be sent once more. A POST may not when it can have arrived: it would be done twice. */
export function mayRepeat(method: string, error: RatecardError): boolean {
  return error.retryable && (method !== 'POST' || (error instanceof ConnectionError && !error.mayHaveArrived))
}

/** How long to pause after the failed attempt: random, growing, capped, and never less than the server asks for. */
export function retryDelayMs(attempt: number, error: RatecardError): number {
  const backoffMs = Math.random() * Math.min(capMs, baseMs * 2 ** (attempt - 1))
  return Math.ceil(Math.max(backoffMs, askedDelayMs(error)))
}

/** How long the server asks to wait, 0 when it does not. */
export function askedDelayMs(error: RatecardError): number {
  return (error instanceof ApiError && error.retryAfterMs) || 0
}

/**
 * Whether a failed DELETE may nevertheless have been done. 408, 429 and 503 promise that it was not; a broken
 * connection and other errors leave it open.
 */
export function mayBeDone(error: RatecardError): boolean {
  if (error instanceof ApiError) return ![408, 429, 503].includes(error.status)
  return error instanceof ConnectionError && error.mayHaveArrived
}
