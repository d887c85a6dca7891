import { servedColumns, type AmountColumn, type PriceRecord } from '../features/prices/price-record.ts'
import { cardText, type Rate } from '../features/prices/rate-card.ts'
import { agreeOn, factorBetween, pricedMoves } from './amounts.ts'
import type { ChangeDraft, FeedCategory, MovedRow, RowState } from './change-draft.ts'
import type { Standing } from './feed-state.ts'
import type { Claim } from './judge/claim.ts'
import type { Verdict } from './judge/judge-resource.ts'
import type { FeedPolicy } from './policy.ts'
import { isOperator, originOf } from './precedence.ts'
import { rekeyingsOf, type Rekeyings } from './rekeyed.ts'
import type { Amounts } from './source-record.ts'

/** One resource before a decision and after it. */
export interface Transition {
  verdict: Verdict
  known: Standing | undefined
  served: PriceRecord | undefined
  card: readonly Rate[]
  claims: readonly Claim[]
}

export interface DraftOptions {
  at: string
  policy: FeedPolicy
  firstOf?: string | null
  as?: 'move' | 'correction'
}

interface RowMove {
  category: FeedCategory
  row: MovedRow
  verified: boolean
  firstSeen: string
  effectiveOn: string | null
}

/** One change per product, category and day. */
export function draftChanges(transitions: readonly Transition[], options: DraftOptions): ChangeDraft[] {
  const drafts = new Map<string, ChangeDraft & { rows: MovedRow[] }>()
  const rekeyed = rekeyingsOf(
    transitions.map(({ verdict, claims }) => ({ record: verdict.record, claims })),
    options.policy,
  )
  for (const transition of transitions) {
    for (const move of movesOf(transition, rekeyed, options)) addMove(drafts, transition, move, options.at)
  }
  return [...drafts.values()]
}

function addMove(
  drafts: Map<string, ChangeDraft & { rows: MovedRow[] }>,
  { verdict: { record }, claims }: Transition,
  { category, row, verified, firstSeen, effectiveOn }: RowMove,
  at: string,
): void {
  const product = record.product_id ?? record.resource_id
  const key = JSON.stringify([product, category, effectiveOn])
  const evidence = evidenceOf(row, claims)
  const draft = drafts.get(key)
  if (!draft) {
    const status = 'in_effect'
    const facts = { firstSeen, lastSeen: at, verified, status, effectiveOn } as const
    drafts.set(key, { category, product, rows: [row], ...facts, evidence })
    return
  }
  draft.rows.push(row)
  draft.evidence = [...draft.evidence, ...evidence]
  draft.verified &&= verified
  if (firstSeen < draft.firstSeen) draft.firstSeen = firstSeen
}

function movesOf(transition: Transition, rekeyed: Rekeyings, options: DraftOptions): RowMove[] {
  const { verdict, known, served, card, claims } = transition
  const { record, rates, retiresOn, goneSince } = verdict
  const isFirst = options.firstOf != null
  const moves: RowMove[] = []
  const now = stateOf(record, rates, retiresOn)
  const was = served ? stateOf(served, card, known?.retiresOn ?? null) : null
  const add = (
    category: FeedCategory,
    before: RowState | null,
    after: RowState | null,
    more: Partial<RowMove> = {},
  ) =>
    moves.push({
      category,
      row: { resource_id: record.resource_id, before, after },
      verified: false,
      firstSeen: options.at,
      effectiveOn: before && after ? movedDate(before.record, after.record) : null,
      ...more,
    })

  if (!served || !known) {
    const isNew = !served && goneSince === null && claims.every(({ firstSeen }) => firstSeen === options.at)
    const lost = rekeyed.get(record.resource_id)
    if (isNew && !isFirst) add(lost ? 'metadata' : 'model_added', lost ? stateOf(lost, [], null) : null, now)
    return moves
  }
  if (goneSince !== null) {
    const since = claims
      .flatMap((claim) => claim.goneSince ?? [])
      .sort()
      .at(-1)
    const isRekeyed = rekeyed.has(record.resource_id)
    if (known.goneSince === null && !isRekeyed)
      add('model_removed', was, null, { firstSeen: since ?? options.at })
    return moves
  }
  if (known.goneSince !== null) {
    add('model_added', null, now)
    return moves
  }
  const priced = pricedMoves(served, record)
  if (priced.length > 0) {
    const { movers, ...kind } = kindOf(transition, priced, options)
    if (movers || !isFirst || wasReadable(transition, options)) add(kind.category, was, now, kind)
  } else if (!isFirst && isNews(transition)) add('metadata', was, now)
  if (isFirst) return moves
  if (known.retiresOn !== retiresOn) add('deprecation', was, now)
  if (cardText(card) !== cardText(rates) && hasMovedCard(transition))
    add('tier_change', { ...was!, record }, now)
  return moves
}

/**
 * What people could read for a day does not change silently because a new source says otherwise. In the hours in which
 * an installation reads its sources for the first time it does: nobody has relied on it yet.
 */
function wasReadable({ claims }: Transition, { at, policy }: DraftOptions): boolean {
  const newestMs = Date.parse(at) - policy.guards.standHours * 3_600_000
  return claims.some(({ firstSeen }) => Date.parse(firstSeen) <= newestMs)
}

/** A source that takes over from another shows how they differ, and no news. */
function isNews({ served, known, verdict: { record, source } }: Transition): boolean {
  return known?.source === source && newsColumns.some((column) => served?.[column] !== record[column])
}

/** A source has moved from one card to the other. */
function hasMovedCard({ card, claims, verdict: { rates } }: Transition): boolean {
  return claims.some(
    ({ cardMove, stated }) =>
      cardMove !== null &&
      cardText(cardMove.before) === cardText(card) &&
      cardText(stated.rates) === cardText(rates),
  )
}

/**
 * What a move is. It is a vendor's if a source moved from what was served to what is served; else sources only differ,
 * and the record is corrected. What returns to the amount before a slip, or is by more than a vendor moves, or of
 * more rows, is a correction too, unless two independent sources moved. `verified`: two of them, the operator or a person saw it move.
 */
function kindOf(
  { served, verdict: { record }, claims }: Transition,
  priced: readonly AmountColumn[],
  { policy, as, at }: DraftOptions,
): Pick<RowMove, 'category' | 'verified' | 'firstSeen'> & { movers: boolean } {
  const byColumn = priced.map((column) => ({
    column,
    movers: moversOf(column, served!, record, claims, policy),
  }))
  const moved = byColumn.filter(({ movers }) => movers.length > 0)
  const movers = moved.flatMap((column) => column.movers)
  const firstSeen = movers.map(({ since }) => since).sort()[0] ?? at
  const isVouched = movers.some(({ isPerson }) => isPerson)
  const isWitnessed =
    moved.length > 0 && moved.every((column) => new Set(column.movers.map(({ origin }) => origin)).size > 1)
  const columns = moved.map(({ column }) => column)
  const isMistake =
    columns.some((column) => isTooLarge(served![column]!, record[column]!, policy)) ||
    movers.some(({ isReturn, isSlip }) => isReturn || isSlip)
  const isMove = moved.length > 0 && (as === 'move' || isWitnessed || isVouched || !isMistake)
  const facts = { verified: isVouched || isWitnessed, firstSeen, movers: moved.length > 0 }
  if (!isMove || as === 'correction') return { category: 'correction', ...facts, verified: false }
  return { category: direction(served!, record, columns), ...facts }
}

function moversOf(
  column: AmountColumn,
  served: PriceRecord,
  record: PriceRecord,
  claims: readonly Claim[],
  policy: FeedPolicy,
) {
  return claims.flatMap(({ source, stated, moves, removedAt }) => {
    const move = moves[column]
    if (!move || removedAt !== null || !agreeOn(stated[column], record[column], policy)) return []
    if (!agreeOn(move.before, served[column], policy)) return []
    const isPerson = isOperator(source) || move.decided === 'accepted'
    const origin = originOf(source, stated.platform)
    const isSlip = move.doubt === 'swapped' || move.doubt === 'bulk'
    return [{ origin, since: move.since, isReturn: move.isReturn, isSlip, isPerson }]
  })
}

function isTooLarge(before: string, after: string, { guards }: FeedPolicy): boolean {
  return factorBetween(before, after) >= guards.factorMax
}

/** What every source says of the amounts that move, or of the row. */
function evidenceOf(
  { resource_id, before, after }: MovedRow,
  claims: readonly Claim[],
): ChangeDraft['evidence'] {
  const columns = before && after ? pricedMoves(before.record, after.record) : []
  return claims.flatMap(
    ({ source, stated, moves, firstSeen, lastSeen }): ChangeDraft['evidence'][number][] => {
      const facts = {
        resource_id,
        source,
        source_key: stated.source_key,
        last_seen: lastSeen,
        source_url: stated.source_url,
      }
      if (columns.length === 0)
        return [{ ...facts, field: null, amount: null, amount_before: null, since: firstSeen }]
      return columns.map((field) => ({
        ...facts,
        field,
        amount: stated[field],
        amount_before: moves[field]?.before ?? null,
        since: moves[field]?.since ?? firstSeen,
      }))
    },
  )
}

/** Served columns that a source states: maker, product and kind are our own findings, and no news of a vendor's. */
const newsColumns = servedColumns.filter(
  (column) => !['vendor', 'product_id', 'modality', 'resource_id'].includes(column),
)

/** Cut or rise by the largest move; what is read from a cache decides only when nothing else moves. */
export function direction(
  before: Amounts,
  after: Amounts,
  columns: readonly AmountColumn[],
): 'price_cut' | 'price_rise' {
  const fresh = columns.filter((column) => column !== 'cached_input_per_mtok')
  const [largest = 0] = (fresh.length > 0 ? fresh : columns)
    .map((column) => Math.log2(Number(after[column]) / Number(before[column])))
    // Of moves of one size the rise decides: it is what hurts.
    .sort((a, b) => Math.abs(b) - Math.abs(a) || b - a)
  return largest < 0 ? 'price_cut' : 'price_rise'
}

/** The day that a source gives for the new amounts. */
function movedDate(was: PriceRecord, is: PriceRecord): string | null {
  return was.effective_at !== is.effective_at ? (is.effective_at?.slice(0, 10) ?? null) : null
}

export function stateOf(record: PriceRecord, rates: readonly Rate[], retiresOn: string | null): RowState {
  return { record: servedFields(record), rates, retires_on: retiresOn }
}

function servedFields(record: PriceRecord): PriceRecord {
  return Object.fromEntries(servedColumns.map((column) => [column, record[column]])) as unknown as PriceRecord
}
