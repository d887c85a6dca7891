import {
  amountColumns,
  servedColumns,
  type AmountColumn,
  type PriceRecord,
} from '../features/prices/price-record.ts'
import { movedColumns, pricedMoves } from './amounts.ts'
import type { ChangeDraft, FeedCategory, MovedRow, RowState } from './change-draft.ts'
import { cardText } from '../features/prices/rate-card.ts'
import type { FeedRecord, FeedState, ServedRecord } from './feed-state.ts'
import { ownerOf } from './precedence.ts'
import type { Amounts, SourceRecord } from './source-record.ts'

/** One resource of the source, before a run and after it. */
export interface RowTransition {
  before: FeedRecord | null
  after: FeedRecord
  /** An independent source says the same of the amounts that moved. */
  verified: boolean
}

export type Claims = Pick<FeedState, 'others' | 'served'>

/** Prices that are served otherwise than before, each from the source whose word counts most. */
export function servedMoves(transitions: readonly RowTransition[], state: Claims): ServedRecord[] {
  return transitions.flatMap(({ before, after }) => {
    const owner = servedOwner(after, state)
    const rates = ratesOf(after, state)
    const isMoved = !isServed(owner.accepted, state.served.get(after.resource_id))
    const hadRates = before ? ratesOf(before, state) : null
    if (!isMoved && cardText(hadRates ?? []) === cardText(rates)) return []
    return [{ record: servedFields(owner.accepted), source: owner.source, rates }]
  })
}

/** One change per product and category. */
export function draftChanges(
  transitions: readonly RowTransition[],
  state: Claims,
  observedAt: string,
): ChangeDraft[] {
  const drafts = new Map<string, ChangeDraft & { rows: MovedRow[] }>()
  for (const transition of transitions) {
    for (const { category, row, effectiveOn } of movesOf(transition, state)) {
      const record = row.after?.record ?? row.before?.record
      const product = record?.product_id ?? row.resource_id
      const key = JSON.stringify([product, category, effectiveOn])
      const draft = drafts.get(key)
      // What another source confirms is the amounts.
      const verified = category.startsWith('price_') && transition.verified
      if (draft) {
        draft.rows.push(row)
        draft.verified &&= verified
      } else {
        drafts.set(key, {
          category,
          product,
          rows: [row],
          firstSeen: category === 'model_removed' ? (transition.after.goneSince ?? observedAt) : observedAt,
          lastSeen: observedAt,
          verified,
          status: 'in_effect',
          effectiveOn,
        })
      }
    }
  }
  return [...drafts.values()]
}

interface RowMove {
  category: FeedCategory
  row: MovedRow
  effectiveOn: string | null
}

function movesOf(transition: RowTransition, state: Claims): RowMove[] {
  const { before, after } = transition
  const id = after.resource_id
  const others = state.others.get(id) ?? []
  const elsewhere = others.some(({ removedAt }) => removedAt === null)
  const wasThere = before !== null && before.removedAt === null
  const moves: RowMove[] = []
  const add = (category: FeedCategory, was: SourceRecord | PriceRecord | null, is: SourceRecord | null) =>
    moves.push({
      category,
      row: { resource_id: id, before: was && stateOf(was), after: is && stateOf(is) },
      effectiveOn: is && movedDate(was, is),
    })

  if (after.removedAt !== null) {
    if (wasThere && !elsewhere) add('model_removed', before.accepted, null)
    else if (wasThere) addTakeOver(state.served.get(id), servedOwner(after, state).accepted, add)
    return moves
  }
  // A list that takes over, or that another outranks, shows how lists differ and not what a vendor did.
  const ownerBefore = before && servedOwner(before, state)
  const ownsNow = servedOwner(after, state) === after
  if (!wasThere && !elsewhere) add('model_added', null, after.accepted)
  else if (ownsNow && ownerBefore === before && wasThere) addMoves(before.accepted, after.accepted, add)
  else if (ownsNow) addTakeOver(state.served.get(id), after.accepted, add)
  if (wasThere) {
    const isNews = !others.some(({ stated }) => stated.retires_on === after.stated.retires_on)
    if (before.stated.retires_on !== after.stated.retires_on && isNews) {
      add('deprecation', { ...after.accepted, retires_on: before.stated.retires_on }, after.accepted)
    }
    const hadRates = ratesOf(before, state)
    const rates = ratesOf(after, state)
    if (cardText(hadRates) !== cardText(rates)) {
      add('tier_change', { ...after.accepted, rates: hadRates }, { ...after.accepted, rates })
    }
  }
  return moves
}

type AddMove = (category: FeedCategory, was: SourceRecord | PriceRecord, is: SourceRecord) => void

function addTakeOver(served: PriceRecord | undefined, is: SourceRecord, add: AddMove): void {
  if (served && movedColumns(served, is).length > 0) add('correction', served, is)
}

/** Served columns that a source states: maker and product are our own findings, and no news of a vendor's. */
const newsColumns = servedColumns.filter((column) => column !== 'vendor' && column !== 'product_id')

function addMoves(before: SourceRecord, after: SourceRecord, add: AddMove): void {
  const priced = pricedMoves(before, after)
  if (priced.length > 0) add(direction(before, after, priced), before, after)
  else if (newsColumns.some((column) => before[column] !== after[column])) add('metadata', before, after)
}

/** Cut or rise by the largest move; what is read from a cache decides only when nothing else moves. */
export function direction(
  before: Amounts,
  after: Amounts,
  columns: readonly AmountColumn[],
): 'price_cut' | 'price_rise' {
  const fresh = columns.filter((column) => column !== 'cached_input_per_mtok')
  const [largest = 0] = (fresh.length > 0 ? fresh : columns)
    .map((column) => Math.log2(Number(after[column]) / Number(before[column])))
    .sort((a, b) => Math.abs(b) - Math.abs(a))
  return largest < 0 ? 'price_cut' : 'price_rise'
}

/** The day that a source gives for the new amounts. */
function movedDate(was: PriceRecord | null, is: PriceRecord): string | null {
  return was !== null && was.effective_at !== is.effective_at ? (is.effective_at?.slice(0, 10) ?? null) : null
}

export function stateOf(record: PriceRecord | SourceRecord): RowState {
  return {
    record: servedFields(record),
    rates: 'rates' in record ? record.rates : [],
    retires_on: 'retires_on' in record ? record.retires_on : null,
  }
}

export function servedOwner(record: FeedRecord, state: Claims): FeedRecord {
  const others = state.others.get(record.resource_id) ?? []
  return ownerOf(record.accepted.platform, [record, ...others]) ?? record
}

/** The rate card of the first source, in order of precedence, that has one. */
function ratesOf(record: FeedRecord, state: Claims): SourceRecord['rates'] {
  const claims = [record, ...(state.others.get(record.resource_id) ?? [])]
  const withRates = claims.filter(({ accepted }) => accepted.rates.length > 0)
  return ownerOf(record.accepted.platform, withRates)?.accepted.rates ?? []
}

function servedFields(record: PriceRecord): PriceRecord {
  return Object.fromEntries(servedColumns.map((column) => [column, record[column]])) as unknown as PriceRecord
}

function isServed(record: PriceRecord, served: PriceRecord | undefined): boolean {
  return served !== undefined && servedColumns.every((column) => served[column] === record[column])
}

/** All that is stored of a record, as text: equal texts need no writing. */
export function recordKey({ stated, accepted, goneSince, goneRuns, removedAt }: FeedRecord): string {
  return JSON.stringify([ordered(stated), ordered(accepted), goneSince, goneRuns, removedAt])
}

/** PostgreSQL's jsonb has an order of keys of its own. */
function ordered({
  source_key,
  model_name,
  rates,
  retires_on,
  scheduled,
  ...record
}: SourceRecord): unknown[] {
  return [
    source_key,
    model_name,
    servedColumns.map((column) => record[column]),
    cardText(rates),
    retires_on,
    scheduled.map(({ starts_on, amounts }) => [starts_on, amountColumns.map((column) => amounts[column])]),
  ]
}
