/** A caller's daily plan quota after a request, as the `X-RateLimit-*` headers state it. */
export interface RateLimit {
  limit: number
  /** Left of the daily plan quota. Packs are not in it. */
  remaining: number
  /** Next UTC midnight, in seconds since 1970. */
  resetAtSeconds: number
  /** Whether a pack paid for this request. */
  topup: boolean
}

const secondsPerDay = 86_400

/** @param day the UTC day as `YYYY-MM-DD`, always the database's */
export function toRateLimit(state: {
  limit: number
  planUsed: number
  day: string
  topup?: boolean
}): RateLimit {
  return {
    limit: state.limit,
    // Used may exceed the limit after a downgrade in the middle of a day.
    remaining: Math.max(0, state.limit - state.planUsed),
    resetAtSeconds: Date.parse(`${state.day}T00:00:00Z`) / 1_000 + secondsPerDay,
    topup: state.topup ?? false,
  }
}
