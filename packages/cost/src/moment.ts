import { type Catalog, findBook } from './book.ts'
import { lookUpCard, columns, makeCard, type Card } from './card.ts'
import { UsageError } from './errors.ts'
import type { CatalogRecord, Usage } from './types.ts'

// The price at that moment, as far as a snapshot tells: the price of each record, since when it holds, what it was before
// where the source says so, and what is announced. A price that nobody has seen change is taken for the time before it was
// seen too, and the figure says so.

/** When something was used, since 1970; null: nobody says. @throws UsageError where it is no time */
export function toMoment(at: Usage['at']): number | null {
  if (at === undefined || at === null) return null
  const ms =
    at instanceof Date
      ? at.getTime()
      : typeof at === 'number'
        ? // Vendors write seconds; a clock of JavaScript has a thousand times as many.
          at < 100_000_000_000
          ? at * 1_000
          : at
        : isInstant.test(at)
          ? Date.parse(at)
          : NaN
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15)
    throw new UsageError('"at" is no time: give RFC 3339, a Date, or seconds since 1970.')
  return ms
}

/** A day alone is its beginning in UTC. Without an offset nobody knows where the clock hung. */
const isInstant = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/i

/** The minute of the day in UTC; -1 at a weekend that has no hours. January 1, 1970 was a Thursday. */
export function findMinute(atMs: number, isOfWeekdays: boolean): number {
  const minutes = Math.floor(atMs / 60_000)
  return isOfWeekdays && (minutes / 1_440 + 5) % 7 < 2 ? -1 : minutes % 1_440
}

/** The card of a record at a moment, and whether the catalog only assumes that it held then. */
export interface CardThen {
  readonly card: Card
  readonly isAssumed: boolean
}

/** @returns the day of the change where the price is known to have been another one then */
export function cardAt(record: CatalogRecord, atMs: number | null, catalog: Catalog): CardThen | string {
  let isAssumed = false
  if (atMs !== null) {
    const before = record.past?.find(({ ended_on }) => atMs < Date.parse(ended_on))
    if (before !== undefined) return { card: makeCard({ ...record, ...before }), isAssumed }
    if (atMs < findBook(catalog).momentMs) {
      const { ms, isChange } = lookUpSince(record)
      isAssumed = atMs < ms
      if (isAssumed && isChange) return new Date(ms).toISOString().slice(0, 10)
    }
    const begun = record.announced?.filter(({ starts_on }) => Date.parse(starts_on) <= atMs)
    if (begun?.length) return { card: makeCard(record, begun), isAssumed }
  }
  return { card: lookUpCard(record), isAssumed }
}

/** Since when the price is known to be as it is, and whether it is known to have been another one before. */
interface Since {
  readonly ms: number
  readonly isChange: boolean
}

const starts = new WeakMap<CatalogRecord, Since>()

function lookUpSince(record: CatalogRecord): Since {
  let since = starts.get(record)
  if (since === undefined) starts.set(record, (since = findSince(record)))
  return since
}

/**
 * The day that a source states is that of a change; else one has been seen where each source that states the price has
 * stated another one. When a record moved last tells nothing: that is also when it was first read.
 */
function findSince(record: CatalogRecord): Since {
  const { effective_at, updated_at, claims = [] } = record
  // The live API writes the instant of the last move where no source states a day.
  if (effective_at !== null && effective_at !== updated_at)
    return { ms: Date.parse(effective_at), isChange: true }
  let ms = Date.parse(updated_at)
  if (Number.isNaN(ms)) ms = Infinity
  let [agreeing, moved] = [0, 0]
  for (const claim of claims) {
    const { since, first_seen } = claim
    if (!since || columns.some(([field]) => (claim[field] ?? null) !== record[field])) continue
    const stated = Math.max(...Object.values(since).map((instant) => Date.parse(instant)))
    if (!Number.isFinite(stated)) continue
    agreeing += 1
    if (first_seen !== undefined && stated > Date.parse(first_seen)) moved += 1
    ms = Math.min(ms, stated)
  }
  return { ms, isChange: agreeing > 0 && moved === agreeing }
}
