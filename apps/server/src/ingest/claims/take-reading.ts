import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
  type PriceRecord,
} from '../../catalog/price-record.ts'
import { cardText, rateKey } from '../../catalog/rate-card.ts'
import { buildKey } from '../match/names.ts'
import type { FeedPolicy } from '../policy.ts'
import { isReadByName } from '../match/precedence.ts'
import type { PastPrice, SourceReading, SourceRecord } from '../source-record.ts'
import { firstClaim, restate, type Claim } from './claim.ts'
import { chooseStandMs } from './doubts.ts'
import { isWaitingFlood } from './voices.ts'

export interface Taking {
  source: string
  /** The run's clock, RFC 3339 in UTC. */
  at: string
  /** When the source was read before; null: never. */
  lastObservedAt: string | null
  /** What is served, by resource key. */
  findServed: (key: string) => PriceRecord | null
  /** The operator says that rows which are gone are gone. */
  acceptGone: boolean
  /** The operator has looked at the file: nothing in it waits because much of it moves alike. */
  acceptAll: boolean
  policy: FeedPolicy
}

/**
 * The claims of a source after a reading, by key: stated anew, or gone for one run longer. What speaks against many rows
 * at once is marked on those rows alone, and waits: a flood of new rows, and amounts that move alike or vanish together.
 */
export function takeReading(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  taking: Taking,
): Map<string, Claim> {
  const { source, at, acceptAll, findServed, policy } = taking
  // A flood that went before it was believed has not been: if it comes again, it has to stand anew.
  const had = new Map(
    [...known].filter(([, claim]) => claim.removedAt === null || !isWaitingFlood(claim, policy)),
  )
  const bulk = findBulk(source, reading.records, had, policy)
  const isFlood = isFloodOf(reading.records, had, policy)
  const gone = goneFrom(reading, known)
  const lost = gone.filter((key) => {
    const claim = known.get(key)!
    return claim.removedAt === null && !isWaitingFlood(claim, policy)
  })
  const isMass = lost.length > policy.guards.alikeRowsMax
  const claims = new Map<string, Claim>()
  for (const read of reading.records) {
    const key = buildKey(read)
    const before = had.get(key)
    // A file that lacks many rows is likelier an old one: a day of retirement that goes with them is not called off.
    const kept = isMass ? (before?.stated.retires_on ?? null) : null
    const record = read.retires_on === null && kept !== null ? { ...read, retires_on: kept } : read
    const claim = before
      ? restate(before, record, { at, served: findServed(key), bulk: bulk(before.stated, record), policy })
      : firstClaim(source, key, record, { at, isFlood })
    claims.set(key, acceptAll ? accepted(claim) : claim)
  }
  for (const key of gone) {
    const claim = known.get(key)!
    // What never was believed needs no time to go.
    if (!isWaitingFlood(claim, policy)) claims.set(key, oneRunLonger(claim, isMass, taking))
    else if (claim.removedAt === null) claims.set(key, { ...claim, goneSince: at, removedAt: at })
  }
  // Rows that could not be read are neither stated nor gone.
  for (const [key, claim] of known) if (!claims.has(key)) claims.set(key, claim)
  return claims
}

/** What waits because much of its file moves alike is believed: also what an earlier run has marked. */
function accepted(claim: Claim): Claim {
  const moves = Object.entries(claim.moves).map(([column, move]) => [
    column,
    move.isBulk && move.decided === null ? { ...move, decided: 'accepted' } : move,
  ])
  const { cardMove } = claim
  const card =
    cardMove?.isBulk && cardMove.decided === null ? { ...cardMove, decided: 'accepted' as const } : cardMove
  return { ...claim, moves: Object.fromEntries(moves) as Claim['moves'], cardMove: card, isFlood: false }
}

/** Keys that the source had, and that the reading has neither as a record nor as a row that could not be read. */
export function goneFrom(reading: SourceReading, known: ReadonlyMap<string, Claim>): string[] {
  const read = new Set(reading.records.map((record) => buildKey(record)))
  const unreadable = new Set(reading.rejected.map(({ id }) => id))
  return [...known.values()].flatMap(({ key, stated }) =>
    read.has(key) || unreadable.has(stated.source_key) ? [] : [key],
  )
}

/**
 * A removal is believed after long enough a time and enough runs: what went for a few hours has not gone. Of many rows at
 * once the file is likelier to be cut than a vendor to have left.
 */
function oneRunLonger(known: Claim, isMass: boolean, taking: Taking): Claim {
  const { lastObservedAt, at, acceptGone, policy } = taking
  // A run that is begun again is one run.
  if (known.removedAt !== null || (known.goneSince !== null && lastObservedAt === at && !acceptGone))
    return known
  const goneSince = known.goneSince ?? at
  const goneRuns = known.goneRuns + 1
  const goneMs = Date.parse(at) - Date.parse(goneSince)
  const isBelieved =
    goneRuns >= policy.guards.removalRunsMin && goneMs >= chooseStandMs(isMass ? 'bulk' : 'vanished', policy)
  return { ...known, goneSince, goneRuns, removedAt: isBelieved || acceptGone ? at : null }
}

/** More new rows than a list gains in one run. What waits as a flood itself is no measure for the next one. */
function isFloodOf(
  records: readonly SourceRecord[],
  known: ReadonlyMap<string, Claim>,
  policy: FeedPolicy,
): boolean {
  const believed = [...known.values()].filter((claim) => !isWaitingFlood(claim, policy))
  const added = records.filter((record) => !known.has(buildKey(record))).length
  const { alikeRowsMax, floodShareMax } = policy.guards
  return believed.length > 0 && added > alikeRowsMax && added > floodShareMax * believed.length
}

type Bulk = ReadonlySet<AmountColumn | 'card'>

const noColumns: Bulk = new Set()

/**
 * Finds the columns of a row that move as those of many others do: by one factor, or away. A unit, a currency or a field's
 * name has changed then, and no price. What is free and goes is no lost price.
 */
function findBulk(
  source: string,
  records: readonly SourceRecord[],
  known: ReadonlyMap<string, Claim>,
  { guards }: FeedPolicy,
): (before: SourceRecord, after: SourceRecord) => Bulk {
  const rows = new Map<string, number>()
  if (isReadByName(source)) return findPageBulk(records, known, guards.pageRowsMax)
  for (const after of records) {
    const before = known.get(buildKey(after))?.stated
    if (!before) continue
    for (const name of new Set(listSteps(before, after).map((step) => step.name)))
      rows.set(name, (rows.get(name) ?? 0) + 1)
  }
  const many = new Set([...rows].flatMap(([name, count]) => (count > guards.alikeRowsMax ? [name] : [])))
  if (many.size === 0) return () => noColumns
  return (before, after) =>
    new Set(listSteps(before, after).flatMap(({ column, name }) => (many.has(name) ? [column] : [])))
}

/** Of a page all that moves, where more rows move than a vendor moves at once: one column was read for another. */
function findPageBulk(
  records: readonly SourceRecord[],
  known: ReadonlyMap<string, Claim>,
  rowsMax: number,
): (before: SourceRecord, after: SourceRecord) => Bulk {
  const moved = records.filter((after) => {
    const before = known.get(buildKey(after))?.stated
    return before !== undefined && listSteps(before, after).length > 0
  })
  if (moved.length <= rowsMax) return () => noColumns
  return (before, after) => new Set(listSteps(before, after).map(({ column }) => column))
}

interface Step {
  column: AmountColumn | 'card'
  name: string
}

/** How each amount and each rate moves, named so that what moves alike has one name: factors are one to within a hundredth. */
function listSteps(before: SourceRecord, after: SourceRecord): Step[] {
  const ofAmounts = amountColumns.flatMap((column): Step[] => {
    const [was, is] = [before[column], after[column]]
    if (was === null || was === is || Number(was) === 0) return []
    return [{ column, name: is === null ? `${column} lost` : factorName(was, is) }]
  })
  if (before.rates.length === 0 || cardText(before.rates) === cardText(after.rates)) return ofAmounts
  const rates = new Map(before.rates.map((rate) => [rateKey(rate), rate.amount]))
  const stated = new Set(after.rates.map((rate) => rateKey(rate)))
  const lost = before.rates.filter((rate) => !stated.has(rateKey(rate)) && Number(rate.amount) !== 0)
  const ofRates = after.rates.flatMap((rate): Step[] => {
    const was = rates.get(rateKey(rate))
    if (was === undefined || was === rate.amount || Number(was) === 0) return []
    return [{ column: 'card', name: factorName(was, rate.amount) }]
  })
  const ofLost = lost.map((rate): Step => ({ column: 'card', name: `${rateKey(rate)} lost` }))
  return [...ofAmounts, ...ofRates, ...ofLost]
}

function factorName(was: DecimalText, is: DecimalText): string {
  return String(Math.round(Math.log(Number(is) / Number(was)) * 100))
}

/** A claim as text: equal texts need no writing. PostgreSQL's jsonb has an order of keys of its own. */
export function claimText(claim: Claim): string {
  const { stated, moves, cardMove, checkedAt, isFlood, goneSince, goneRuns, removedAt } = claim
  const inOrder = amountColumns.map((column) => {
    const move = moves[column]
    return move ? [column, move.since, move.before, move.decided, move.isBulk] : null
  })
  return JSON.stringify([
    statedText(stated),
    inOrder,
    cardMove && [cardMove.since, cardMove.decided, cardMove.before.length],
    ...[checkedAt, isFlood, goneSince, goneRuns, removedAt],
  ])
}

function statedText(record: SourceRecord): string {
  const { rates, scheduled, past = [], facts = {}, ...fields } = record
  return JSON.stringify([
    entriesInOrder(fields),
    entriesInOrder(facts),
    rates.map(fieldsInOrder),
    scheduled.map(scheduledInOrder),
    past.map(pastInOrder),
  ])
}

function entriesInOrder(fields: object): [string, unknown][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

function fieldsInOrder(rate: SourceRecord['rates'][number]): unknown[] {
  const { meter, unit, amount, service_tier, variant, threshold, hours } = rate
  return [meter, unit, amount, service_tier, variant, threshold, hours]
}

function pastInOrder({ ended_on, rates, ...amounts }: PastPrice): unknown[] {
  return [ended_on, ...amountColumns.map((column) => amounts[column]), rates.map(fieldsInOrder)]
}

function scheduledInOrder({ starts_on, amounts }: SourceRecord['scheduled'][number]): unknown[] {
  return [starts_on, ...amountColumns.map((column) => amounts[column])]
}
