import { bookOf, type Catalog } from './book.ts'
import { announcedCard, cardOf, columns, type Card } from './card.ts'
import { UsageError } from './errors.ts'
import type { CatalogRecord, Usage } from './types.ts'

// The price at that moment, as far as a snapshot tells: it has one price per record, since when it holds, and what is
// announced. What was before it, it does not know.

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

/** The card of a record at a moment; null: the catalog does not know what it was then. */
export function cardAt(record: CatalogRecord, atMs: number | null, catalog: Catalog): Card | null {
  if (atMs === null) return cardOf(record)
  if (atMs < sinceMs(record) && atMs < bookOf(catalog).momentMs) return null
  const { announced } = record
  if (!announced || announced.length === 0) return cardOf(record)
  const begun = announced.filter(({ starts_on }) => Date.parse(starts_on) <= atMs)
  return begun.length === 0 ? cardOf(record) : announcedCard(record, begun)
}

const starts = new WeakMap<CatalogRecord, number>()

/**
 * Since when the price is as it is. The source's own date counts; else since when all that a source says of the amounts has
 * stood; else when the record moved last.
 */
function sinceMs(record: CatalogRecord): number {
  let since = starts.get(record)
  if (since === undefined) starts.set(record, (since = findSince(record)))
  return since
}

function findSince(record: CatalogRecord): number {
  if (record.effective_at !== null) return Date.parse(record.effective_at)
  const moved = Date.parse(record.updated_at)
  const stated = (record.claims ?? []).flatMap((claim) => {
    const { since } = claim
    if (!since || columns.some(([field]) => (claim[field] ?? null) !== record[field])) return []
    return [Math.max(...Object.values(since).map((instant) => Date.parse(instant)))]
  })
  const earliest = Math.min(moved, ...stated.filter(Number.isFinite))
  return Number.isNaN(earliest) ? Infinity : earliest
}
