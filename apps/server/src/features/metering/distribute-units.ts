import { toRateLimit, type RateLimit } from './rate-limit.ts'
import type { BatchOutcome, ItemOutcome, MeteredEndpoint, Refusal, Release } from './unit-store.ts'

/** The meter's answer to a reservation. */
export type Verdict = { [Kind in Refusal]: { kind: Kind } }[Refusal] | UnitVerdict

export interface UnitVerdict {
  /** Denied: neither the plan nor a pack has a unit left. */
  kind: 'granted' | 'denied'
  keyId: string
  accountId: string
  rateLimit: RateLimit
  /** The UTC day of whose quota it is, `YYYY-MM-DD`. */
  day: string
  /** The pack that paid; null: the plan did, or the request was denied. */
  packId: string | null
  /** Its number in the day's countdown; null: a pack paid, or the request was denied. */
  number: number | null
  /** Seconds to the end of the day by the database's clock, at least 1. */
  secondsToReset: number
}

interface Recipient {
  isOver: boolean
  answer: (verdict: Verdict) => void
}

/**
 * Distributes the units of an item among its requests, first come, first served: the plan's units before the packs',
 * each with a number of its own in the headers. Returns the units of the requests that have ended meanwhile.
 */
export function distributeUnits(
  endpoint: MeteredEndpoint,
  item: ItemOutcome,
  { day, secondsToReset }: BatchOutcome,
  recipients: readonly Recipient[],
): Release[] {
  const waiting = recipients.filter((recipient) => !recipient.isOver)
  if (typeof item === 'string') {
    for (const recipient of waiting) recipient.answer({ kind: item })
    return []
  }
  const { keyId, accountId, quotaSubject, limit } = item
  const sources = [
    ...item.gapUnits.map(({ last, units }) => ({ packId: null, last, left: units })),
    { packId: null, last: item.planUsed, left: item.planUnits },
    ...item.packUnits.map(({ packId, units }) => ({ packId, last: null, left: units })),
  ]
  for (const recipient of waiting) {
    const source = sources.find(({ left }) => left > 0)
    if (source) source.left -= 1
    const packId = source?.packId ?? null
    // The headers count up to the limit from one request of the batch to the next.
    const number = source && source.last !== null ? source.last - source.left : null
    recipient.answer({
      kind: source ? 'granted' : 'denied',
      keyId,
      accountId,
      rateLimit: toRateLimit({ limit, planUsed: number ?? item.planUsed, day, topup: packId !== null }),
      day,
      packId,
      number,
      secondsToReset,
    })
  }
  // The last numbers of each: so they make no gap in the countdown unless others have counted on.
  return sources.flatMap(({ packId, last, left }) =>
    left > 0 ? [{ quotaSubject, day, keyId, endpoint, packId, last, units: left }] : [],
  )
}
