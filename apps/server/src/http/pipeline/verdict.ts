import type { Verdict } from '../../features/metering/meter.ts'
import { ApiError, quotaExceeded } from './errors.ts'

/** The answer to a request that got no unit; null: it got one. */
export function toRefusal(verdict: Verdict): ApiError | null {
  switch (verdict.kind) {
    case 'granted':
      return null
    case 'denied':
      return quotaExceeded(verdict.secondsToReset)
    // What was true when the request began has ended since.
    case 'unknown':
      return new ApiError('unauthorized')
    case 'forbidden':
      return new ApiError('forbidden')
    case 'stale':
      throw new Error('A reservation without a version was called stale.')
  }
}
