import { resolve, type CatalogRecord, type CostOptions, type Counts, type Usage } from '../index.ts'
import type { CauseKind } from './comparison.ts'
import type { Call } from './calls.ts'

// What may have been billed in another way than the log says. Each change prices a call anew.

export interface Change {
  readonly kind: CauseKind
  readonly says: string
  /** Null: it changes nothing in this call. */
  readonly apply: (call: Call) => { usage?: Usage; told?: Partial<CostOptions> } | null
}

const tiers = ['standard', 'batch', 'flex', 'priority', 'fast']
const regions = ['default', 'us', 'eu']
const dayMs = 86_400_000

const tierChanges: readonly Change[] = tiers.map((tier) => ({
  kind: 'tier',
  says: `billed as ${tier}`,
  apply: (call) => ((call.tier ?? 'standard') === tier ? null : { told: { tier } }),
}))

const regionChanges: readonly Change[] = regions.map((region) => ({
  kind: 'region',
  says:
    region === 'default'
      ? 'billed without the uplift of a region'
      : `billed with the uplift of the region "${region}"`,
  apply: (call) => ((call.region ?? 'default') === region ? null : { told: { region } }),
}))

const cacheChanges: readonly Change[] = [
  cacheChange('reads from the cache billed as plain input', ({ cached_input_tokens: cached, ...counts }) =>
    cached === undefined
      ? null
      : { ...counts, input_tokens: Number(counts.input_tokens ?? 0) + Number(cached) },
  ),
  cacheChange('writes to the cache billed as of one hour', (counts) => withWrites(counts, '1h')),
  cacheChange('writes to the cache billed as of five minutes', (counts) => withWrites(counts, '5m')),
]

function cacheChange(says: string, move: (counts: Counts) => Counts | null): Change {
  return {
    kind: 'cache',
    says,
    apply: ({ usage }) => {
      const counts = move(usage.counts)
      return counts && { usage: { ...usage, counts } }
    },
  }
}

function withWrites(counts: Counts, life: string): Counts | null {
  const { cache_write_tokens: writes } = counts
  if (writes === undefined) return null
  const all =
    typeof writes === 'object'
      ? Object.values(writes).reduce<number>((sum, one) => sum + Number(one), 0)
      : Number(writes)
  return { ...counts, cache_write_tokens: { [life]: all } }
}

/** The days on which the price of a record has changed or will, as far as the catalog knows them. */
function changeDays({ past = [], effective_at, announced }: CatalogRecord): string[] {
  const days = [
    ...past.map(({ ended_on }) => ended_on),
    ...(announced ?? []).map(({ starts_on }) => starts_on),
  ]
  if (effective_at !== null && past.length === 0) days.push(effective_at)
  return [...new Set(days.map((day) => day.slice(0, 10)))].sort()
}

function priceChanges(call: Call): Change[] {
  const found = resolve(call.model, call.told)
  if (!found.isResolved) return []
  const days = changeDays(found.record)
  const last = days.findLast((day) => Date.parse(day) <= call.atMs)
  const next = days.find((day) => Date.parse(day) > call.atMs)
  const change = (says: string, day: string, shiftMs: number): Change => ({
    kind: 'price_change',
    says: `${says} ${day}`,
    // The hour stays: some prices depend on it.
    apply: ({ atMs }) => ({ told: { at: Date.parse(day) + shiftMs + (atMs % dayMs) } }),
  })
  return [
    ...(last === undefined ? [] : [change('billed at the price of before', last, -dayMs)]),
    ...(next === undefined ? [] : [change('billed at the price that begins on', next, 0)]),
  ]
}

/** What a call may have been billed as, by single changes: two of different kinds may meet. */
export function listChanges(call: Call): readonly Change[] {
  return [...tierChanges, ...regionChanges, ...cacheChanges, ...priceChanges(call)]
}

/** A call as a change makes it; null: it changes nothing in it. */
export function applyChange(call: Call, { apply }: Change): Call | null {
  const applied = apply(call)
  if (applied === null) return null
  const { usage = call.usage, told = {} } = applied
  return { ...call, usage, told: { ...call.told, ...told } }
}
