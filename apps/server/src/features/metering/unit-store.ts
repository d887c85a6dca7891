import { planBits, type Plan } from '../entitlements/plans.ts'

/** The endpoints by which `GET /v1/usage` counts. */
export const meteredEndpoints = ['prices', 'changes', 'webhooks'] as const
export type MeteredEndpoint = (typeof meteredEndpoints)[number]

/** Requests of one key that want the same, and how many of them there are. */
export interface UnitItem {
  /** SHA-256 of the key, in hex. */
  keyHash: string
  endpoint: MeteredEndpoint
  /** Bits of the plans that include the endpoint. */
  plans: number
  /** The version of the list that the answer was made from; null: no matter. */
  version: string | null
  want: number
}

/** What a batch of items got, from one instant of the database's clock. */
export interface BatchOutcome {
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  /** To the end of the day, at least 1. */
  secondsToReset: number
  /** By item, in their order. */
  items: ItemOutcome[]
}

export type ItemOutcome = Refusal | Grant
/** No such key, or revoked; not in the plan; the list has moved. */
export type Refusal = 'unknown' | 'forbidden' | 'stale'

/** Units for an item, perhaps fewer than it wants. */
interface Grant {
  keyId: string
  accountId: string
  quotaSubject: string
  limit: number
  /** Units of the day's plan quota used, those of this grant included. */
  planUsed: number
  /** Units that the plan paid. */
  planUnits: number
  /** Units that packs paid, in their order. */
  packUnits: { packId: string; units: number }[]
  /** Units of the plan beside `planUnits`, with numbers that were given back: granted first. */
  gapUnits: { last: number; units: number }[]
}

/** Those of the plan, with numbers given back or new ones, and those of packs. */
export function unitsIn({ planUnits, gapUnits, packUnits }: Grant): number {
  return [...gapUnits, ...packUnits].reduce((sum, { units }) => sum + units, planUnits)
}

/** Units to give back, all from one source. */
export interface Release {
  quotaSubject: string
  day: string
  keyId: string
  endpoint: MeteredEndpoint
  /** The pack that paid; null: the plan did. */
  packId: string | null
  units: number
  /** The number in the day's countdown that the last of them has; null: a pack paid. */
  last: number | null
}

export type DailyLimits = Readonly<Record<Plan, number>>

export const plansInOrder = Object.keys(planBits) as Plan[]

/** The arguments of the database's `reserve_units`, in their order. */
export function reserveArguments(
  batch: { batcher: string; number: number } | null,
  limits: DailyLimits,
  items: readonly UnitItem[],
): unknown[] {
  return [
    batch?.batcher ?? null,
    batch?.number ?? null,
    arrayText(plansInOrder.map((plan) => limits[plan])),
    arrayText(items.map((item) => `"\\\\x${item.keyHash}"`)),
    arrayText(items.map((item) => item.endpoint)),
    arrayText(items.map((item) => item.plans)),
    arrayText(items.map((item) => item.want)),
    arrayText(items.map((item) => item.version)),
  ]
}

/** An array as PostgreSQL reads it, of elements that need no quoting: `pg` would look for what to quote in each. */
function arrayText(elements: readonly (string | number | null)[]): string {
  return `{${elements.map((element) => element ?? 'null').join(',')}}`
}

type GrantTuple = [
  keyId: string,
  accountId: string,
  quotaSubject: string,
  limit: number,
  planUsed: number,
  planUnits: number,
  packs: [packId: string, units: number][],
  gaps?: [last: number, units: number][],
]

/** What `reserve_units` returns. */
export function readOutcome(text: string): BatchOutcome {
  const { items, ...rest } = JSON.parse(text) as Omit<BatchOutcome, 'items'> & {
    items: (Refusal | GrantTuple)[]
  }
  return { ...rest, items: items.map((item) => (typeof item === 'string' ? item : readGrant(item))) }
}

function readGrant(tuple: GrantTuple): Grant {
  const [keyId, accountId, quotaSubject, limit, planUsed, planUnits, packs, gaps = []] = tuple
  const packUnits = packs.map(([packId, units]) => ({ packId, units }))
  const gapUnits = gaps.map(([last, units]) => ({ last, units }))
  return { keyId, accountId, quotaSubject, limit, planUsed, planUnits, packUnits, gapUnits }
}

/** The arguments of the database's `release_units`, in their order. */
export function releaseArguments(
  batch: { batcher: string; number: number } | null,
  releases: readonly Release[],
): unknown[] {
  return [
    batch?.batcher ?? null,
    batch?.number ?? null,
    releases.map((release) => release.quotaSubject),
    releases.map((release) => release.day),
    releases.map((release) => release.keyId),
    releases.map((release) => release.endpoint),
    releases.map((release) => release.packId ?? ''),
    releases.map((release) => release.units),
    releases.map((release) => release.last),
  ]
}
