import { rateLimitOf, type RateLimit } from './rate-limit.ts'
import type { BatchOutcome, Grant, ItemOutcome, MeteredEndpoint, Refusal, Release } from './unit-store.ts'

/** What a request got from the meter. */
export type Verdict = { [Kind in Refusal]: { kind: Kind } }[Refusal] | UnitVerdict

export interface UnitVerdict {
  /** Denied: neither the plan nor a pack has a unit left. */
  kind: 'granted' | 'denied'
  keyId: string
  accountId: string
  rateLimit: RateLimit
  /** The UTC day of whose quota it is, `YYYY-MM-DD`. */
  day: string
  /** The pack that paid; null: the plan did, or nobody. */
  packId: string | null
  /** Seconds to the end of the day by the database's clock, at least 1. */
  secondsToReset: number
}

interface Recipient {
  isOver: boolean
  resolve: (verdict: Verdict) => void
}

/**
 * Hands the units of an item to those who wait for them, first come, first served: the plan's before the packs', each
 * with a count of its own in the headers. Returns the units of those who no longer wait.
 */
export function shareOut(
  endpoint: MeteredEndpoint,
  item: ItemOutcome,
  { day, secondsToReset }: BatchOutcome,
  recipients: readonly Recipient[],
): Release[] {
  const waiting = recipients.filter((recipient) => !recipient.isOver)
  if (typeof item === 'string') {
    for (const recipient of waiting) settle(recipient, { kind: item })
    return []
  }
  const { keyId, accountId, limit } = item
  const packUnits = item.packUnits.reduce((sum, { units }) => sum + units, 0)
  for (const [index, recipient] of waiting.entries()) {
    const isOfPlan = index < item.planUnits
    const isGranted = index < item.planUnits + packUnits
    const planUsed = isOfPlan ? item.planUsed - item.planUnits + index + 1 : item.planUsed
    settle(recipient, {
      kind: isGranted ? 'granted' : 'denied',
      keyId,
      accountId,
      rateLimit: rateLimitOf({ limit, planUsed, day, topup: isGranted && !isOfPlan }),
      day,
      packId: isOfPlan ? null : packOf(item, index - item.planUnits),
      secondsToReset,
    })
  }
  return leftOver(endpoint, item, day, waiting.length)
}

/** The pack that paid the unit at this place, of those that packs paid. */
function packOf({ packUnits }: Grant, place: number): string | null {
  for (const { packId, units } of packUnits) {
    if (place < units) return packId
    place -= units
  }
  return null
}

function settle(recipient: Recipient, verdict: Verdict): void {
  recipient.isOver = true
  recipient.resolve(verdict)
}

/** The units beyond the first `taken`, by source. */
function leftOver(endpoint: MeteredEndpoint, grant: Grant, day: string, taken: number): Release[] {
  const { keyId, quotaSubject } = grant
  const sources = [{ packId: null, units: grant.planUnits }, ...grant.packUnits]
  return sources.flatMap(({ packId, units }) => {
    const left = Math.max(0, units - taken)
    taken = Math.max(0, taken - units)
    return left > 0 ? [{ quotaSubject, day, keyId, endpoint, packId, units: left }] : []
  })
}
