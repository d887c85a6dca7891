export { ApiError, errorKinds, quotaExceeded, type RemedyUrls } from '@ratecard/contract/errors'

const unavailableRetrySecondsMax = 5

/** Headers that every error of this kind carries. */
export function errorHeaders(code: string): Record<string, string> {
  if (code === 'unauthorized') return { 'WWW-Authenticate': 'Bearer' }
  // Spread over a few seconds, or all clients would come back at once.
  if (code === 'service_unavailable')
    return { 'Retry-After': String(1 + Math.floor(Math.random() * unavailableRetrySecondsMax)) }
  return {}
}
