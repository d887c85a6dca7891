import { formatAmountUnit, formatNumber, formatUnit, nameAmount, writeOut } from '@ratecard/contract/wording'
import { Decimal } from 'decimal.js'
import { amountColumns, type AmountColumn, type DecimalText } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import type { ChangeDraft, MovedRow } from '../change-draft.ts'

/** An amount before and after. One of them may be unknown, and they differ. */
export interface Move {
  resource_id: string
  /** The served column; null: an entry of a rate card. */
  column: AmountColumn | null
  /** In words: `input`, `batch input tokens`. */
  name: string
  /** The unit of the amount, such as `USD per 1M tokens`. */
  measure: string
  isCached: boolean
  before: DecimalText | null
  after: DecimalText | null
}

/** The amounts that moved: those of the rate card in a change of tiers, else the served ones. */
export function listMoves({ category, rows }: ChangeDraft): Move[] {
  return rows.flatMap(category === 'tier_change' ? rateMoves : columnMoves)
}

function columnMoves({ resource_id, before, after }: MovedRow): Move[] {
  // Amounts in two currencies cannot be compared.
  if (!before || !after || before.record.currency !== after.record.currency) return []
  return amountColumns.flatMap((column) => {
    const [was, is] = [before.record[column], after.record[column]]
    if (was === is) return []
    const move: Move = {
      resource_id,
      column,
      name: nameAmount(column).toLowerCase(),
      measure: measure(after.record.currency, formatAmountUnit(column)),
      isCached: column === 'cached_input_per_mtok',
      before: was,
      after: is,
    }
    return [move]
  })
}

function rateMoves({ resource_id, before, after }: MovedRow): Move[] {
  if (!before || !after) return []
  return movedRates(before.rates, after.rates).map(({ rate, was, is }) => ({
    resource_id,
    column: null,
    name: rateName(rate),
    measure: measure(after.record.currency, formatUnit(rate.unit)),
    isCached: /^cache/.test(rate.meter),
    before: was,
    after: is,
  }))
}

/** Entries of two rate cards that differ, those of the first card first. */
export function movedRates(
  before: readonly Rate[],
  after: readonly Rate[],
): { rate: Rate; was: DecimalText | null; is: DecimalText | null }[] {
  const had = new Map(before.map((rate) => [rateKey(rate), rate]))
  const has = new Map(after.map((rate) => [rateKey(rate), rate]))
  return [...new Map([...had, ...has])].flatMap(([key, rate]) => {
    const [was, is] = [had.get(key)?.amount ?? null, has.get(key)?.amount ?? null]
    return was === is ? [] : [{ rate, was, is }]
  })
}

/** `batch input tokens above 200,000`, `cache write tokens (1h)`: what distinguishes the entries of a unit. */
export function rateName({ meter, service_tier, variant, threshold, hours }: Rate): string {
  const parts = [
    service_tier,
    writeOut(meter),
    variant === null ? null : `(${variant})`,
    threshold === null ? null : `above ${formatNumber(threshold)}`,
    hours === null ? null : `at ${hours} UTC`,
  ]
  return parts.filter((part) => part !== null).join(' ')
}

/** Numbers of tokens above which requests have a new price, where they had none before. */
export function newThresholds({ rows }: ChangeDraft): number[] {
  const found = rows.flatMap(({ before, after }) => {
    const had = new Set(before?.rates.map(({ threshold }) => threshold))
    return (after?.rates ?? []).flatMap(({ threshold }) =>
      threshold === null || had.has(threshold) ? [] : [threshold],
    )
  })
  return [...new Set(found)].sort((a, b) => a - b)
}

/** The move as a share of the old amount (0.25: a quarter more); from nothing, infinite; null: an amount is unknown. */
export function computeShare({ before, after }: Pick<Move, 'before' | 'after'>): Decimal | null {
  return before === null || after === null ? null : new Decimal(after).minus(before).div(before)
}

/** The move with the largest share, up or down; null: none has one. */
export function largestMove(moves: readonly Move[]): Move | null {
  const sized = moves.flatMap((move) => {
    const share = computeShare(move)
    return share === null ? [] : [{ move, size: Math.abs(Math.log2(share.plus(1).toNumber())) }]
  })
  const [first] = sized.sort((a, b) => (a.size === b.size ? 0 : b.size - a.size))
  return first?.move ?? null
}

function measure(currency: string | null, unit: string): string {
  return currency === null || unit === 'times' ? unit : `${currency} ${unit}`
}
