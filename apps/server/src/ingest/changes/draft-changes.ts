import { servedColumns, type AmountColumn, type PriceRecord } from '../../catalog/price-record.ts'
import { cardText, type Rate } from '../../catalog/rate-card.ts'
import { agreeOn, factorBetween, pricedMoves } from '../amounts.ts'
import type { ChangeDraft, FeedCategory, MovedRow, RowState } from './change-draft.ts'
import type { Standing } from './feed-state.ts'
import type { Claim } from '../claims/claim.ts'
import type { Verdict } from '../judge/judge-resource.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOperator, findOrigin } from '../match/precedence.ts'
import { noPast, type Past } from './past-store.ts'
import { findRekeyings, parseSnapshot, type Rekeyings } from './rekeyed.ts'
import type { Amounts } from '../source-record.ts'

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
  /** Of a correction: why it is no news. */
  reason: string | null
}

/** Everything that one decision moves, and what was served and told before. */
interface Context extends DraftOptions {
  past: ReadonlyMap<string, Past>
  rekeyed: Rekeyings
  /** The claims on each product's rows of a platform: a model, its snapshots and its aliases. */
  siblings: ReadonlyMap<string, readonly Transition[]>
  /** When a source was first read: what it had then is not new. */
  findFirstRead: (source: string) => string
}

/** One change per product, category and day. */
export function draftChanges(
  transitions: readonly Transition[],
  past: ReadonlyMap<string, Past>,
  options: DraftOptions,
): ChangeDraft[] {
  const drafts = new Map<string, ChangeDraft & { rows: MovedRow[] }>()
  const rekeyed = findRekeyings(
    transitions.map(({ verdict, claims }) => ({ record: verdict.record, claims })),
    options.policy,
  )
  const siblings = Map.groupBy(transitions, findFamily)
  const context = { ...options, past, rekeyed, siblings, findFirstRead: firstReads(transitions) }
  for (const transition of transitions) {
    for (const move of listRowMoves(transition, context)) addMove(drafts, transition, move, options.at)
  }
  return [...drafts.values()]
}

function addMove(
  drafts: Map<string, ChangeDraft & { rows: MovedRow[] }>,
  { verdict: { record }, claims }: Transition,
  { category, row, verified, firstSeen, effectiveOn, reason }: RowMove,
  at: string,
): void {
  const product = record.product_id ?? record.resource_id
  const key = JSON.stringify([product, category, effectiveOn])
  const evidence = buildEvidence(row, claims)
  const draft = drafts.get(key)
  if (!draft) {
    const status = 'in_effect'
    const facts = { firstSeen, lastSeen: at, verified, status, effectiveOn } as const
    const reasons = reason === null ? {} : { reasons: [reason] }
    drafts.set(key, { category, product, rows: [row], ...facts, ...reasons, evidence })
    return
  }
  draft.rows.push(row)
  if (reason !== null) draft.reasons = [...new Set([...(draft.reasons ?? []), reason])]
  draft.evidence = [...draft.evidence, ...evidence]
  draft.verified &&= verified
  if (firstSeen < draft.firstSeen) draft.firstSeen = firstSeen
}

function firstReads(transitions: readonly Transition[]): (source: string) => string {
  const first = new Map<string, string>()
  for (const { source, firstSeen } of transitions.flatMap(({ claims }) => claims)) {
    const known = first.get(source)
    if (known === undefined || firstSeen < known) first.set(source, firstSeen)
  }
  return (source) => first.get(source) ?? ''
}

function findFamily({ verdict: { record } }: Transition): string {
  return `${record.platform}\n${record.product_id ?? record.resource_id}`
}

function listRowMoves(transition: Transition, options: Context): RowMove[] {
  const { rekeyed } = options
  const { verdict, known, served, card, claims } = transition
  const { record, rates, retiresOn, replacedBy, goneSince } = verdict
  const isFirst = options.firstOf != null
  const moves: RowMove[] = []
  const now = toRowState(record, rates, retiresOn, replacedBy)
  const was = served ? toRowState(served, card, known?.retiresOn ?? null, replacedBy) : null
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
      reason: null,
      ...more,
    })

  if (!served || !known) {
    const listed = claims.filter(({ stated }) => !stated.is_witness)
    const isNew = !served && goneSince === null && listed.every(({ firstSeen }) => firstSeen === options.at)
    const lost = rekeyed.get(record.resource_id)
    if (isNew && !isFirst)
      add(lost ? 'metadata' : 'model_added', lost ? toRowState(lost, [], null) : null, now)
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
    const { movers, ...kind } = classifyChange(transition, priced, options)
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
      // What many rows move alike is a mistake, or its end.
      (cardMove.isBulk !== true || cardMove.decided === 'accepted') &&
      cardText(cardMove.before) === cardText(card) &&
      cardText(stated.rates) === cardText(rates),
  )
}

/**
 * What a move is. It is a vendor's, and news, if a source moved lately from what was served to what is served, and if
 * nothing says that the list only catches up. All else shows how lists differ: the record is corrected, and nobody is
 * alerted. `verified`: two independent sources, the operator or a person saw it move.
 */
function classifyChange(
  transition: Transition,
  priced: readonly AmountColumn[],
  context: Context,
): Pick<RowMove, 'category' | 'verified' | 'firstSeen' | 'reason'> & { movers: boolean } {
  const { served, verdict, claims } = transition
  const { policy, as, at } = context
  const byColumn = priced.map((column) => findMovers(column, served!, verdict.record, claims, policy))
  const moved = byColumn.filter((movers) => movers.length > 0)
  const movers = moved.flat()
  const firstSeen = movers.map(({ since }) => since).sort()[0] ?? at
  const isVouched = movers.some(({ isPerson }) => isPerson)
  const isWitnessed =
    moved.length > 0 && moved.every((ofColumn) => new Set(ofColumn.map(({ origin }) => origin)).size > 1)
  const facts = { verified: isVouched || isWitnessed, firstSeen, movers: moved.length > 0 }
  const reason = whyCorrection()
  if (reason === null) return { category: direction(served!, verdict.record, priced), ...facts, reason }
  return { category: 'correction', ...facts, verified: false, reason }

  function whyCorrection(): string | null {
    if (as === 'move') return null
    if (as === 'correction') return 'it is decided anew'
    if (moved.length === 0) return 'sources differ, and no source has moved'
    return isVouched ? null : whyNoNews(transition, priced, movers, context)
  }
}

/** Why a move is no news of a vendor's; null: nothing says so. */
function whyNoNews(
  transition: Transition,
  priced: readonly AmountColumn[],
  movers: readonly Mover[],
  { at, policy, past, siblings, findFirstRead }: Context,
): string | null {
  const { served, verdict, claims } = transition
  const { record } = verdict
  const { newsDays } = policy.guards
  const oldest = new Date(Date.parse(at) - newsDays * 86_400_000).toISOString()
  const isStated = (amounts: Amounts) =>
    priced.every((column) => agreeOn(amounts[column], record[column], policy))
  const { served: states, told } = past.get(served!.resource_id) ?? noPast
  // People could read it before: what goes there and back was one of the two by mistake.
  if (states.some(({ amounts }) => isStated(amounts))) return 'it was served before'
  if (told.some((columns) => priced.every((column) => !columns.has(column))))
    return 'it joins a move that was told'
  const isWitnessed = new Set(movers.map(({ origin }) => origin)).size > 1
  if (!isWitnessed && movers.some(({ isSlip }) => isSlip)) return 'it looks like the end of a mistake'
  if (verdict.retiresOn !== null && verdict.retiresOn < at.slice(0, 10)) return 'the model is retired'
  if (claims.every(({ source, firstSeen }) => firstSeen > oldest && firstSeen > findFirstRead(source)))
    return 'the model is new'
  const statedSince = (claim: Claim) =>
    [claim.firstSeen, ...priced.flatMap((column) => claim.moves[column]?.since ?? [])].sort().at(-1)!
  const saidLong = (claim: Claim) =>
    claim.removedAt === null && isStated(claim.stated) && statedSince(claim) < oldest
  if (claims.some(saidLong)) return 'another list has said so for long'
  const family = siblings.get(findFamily(transition)) ?? []
  const isAlias = parseSnapshot(record) === null
  // An alias that goes over to a newer snapshot costs its users another price; a snapshot that takes the alias's does not.
  const sayLong = family.filter(
    (other) =>
      other !== transition &&
      other.claims.some(saidLong) &&
      !(isAlias && parseSnapshot(other.verdict.record) !== null),
  )
  return sayLong.length > 0 ? 'another name of the model has cost so for long' : null
}

interface Mover {
  origin: string
  since: string
  isSlip: boolean
  isPerson: boolean
}

function findMovers(
  column: AmountColumn,
  served: PriceRecord,
  record: PriceRecord,
  claims: readonly Claim[],
  policy: FeedPolicy,
): Mover[] {
  return claims.flatMap(({ source, stated, moves, removedAt }) => {
    const move = moves[column]
    if (!move || removedAt !== null || !agreeOn(stated[column], record[column], policy)) return []
    if (!agreeOn(move.before, served[column], policy)) return []
    const isPerson = isOperator(source) || move.decided === 'accepted'
    const origin = findOrigin(source, stated.platform)
    const isSlip = move.isBulk || isTooLarge(served[column]!, record[column]!, policy)
    return [{ origin, since: move.since, isSlip, isPerson }]
  })
}

function isTooLarge(before: string, after: string, { guards }: FeedPolicy): boolean {
  return factorBetween(before, after) >= guards.slipFactorMin
}

/** What every source says of the amounts that move, or of the row. */
function buildEvidence(
  { resource_id, before, after }: MovedRow,
  claims: readonly Claim[],
): ChangeDraft['evidence'] {
  const columns = before && after ? pricedMoves(before.record, after.record) : []
  // A witness that still names what all lists have dropped says nothing of that.
  const speaking = after ? claims : claims.filter(({ removedAt }) => removedAt !== null)
  return speaking.flatMap(
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

export function toRowState(
  record: PriceRecord,
  rates: readonly Rate[],
  retiresOn: string | null,
  replacedBy: string | null = null,
): RowState {
  const state = { record: servedFields(record), rates, retires_on: retiresOn }
  return replacedBy === null ? state : { ...state, replaced_by: replacedBy }
}

function servedFields(record: PriceRecord): PriceRecord {
  return Object.fromEntries(servedColumns.map((column) => [column, record[column]])) as unknown as PriceRecord
}
