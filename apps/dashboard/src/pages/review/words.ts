import {
  type AmountField,
  amountFields,
  formatAmountUnit,
  formatCount,
  formatNumber,
  formatPercent,
  language,
  nameField,
} from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'

// What waits for an operator, in words.

export type Amounts = Schemas['Amounts']

const reasons: Record<Schemas['Hold']['reason'], string> = {
  large: 'large move',
  factor: 'other unit?',
  to_zero: 'becomes free',
  from_zero: 'was free',
  swapped: 'swapped?',
  vanished: 'no longer stated',
  bulk: 'many rows at once',
  range: 'out of range',
  denied: 'denied by others',
  outlier: 'far from peers',
  half_row: 'half a row',
  incoherent: 'contradicts its row',
  copied: "a router's price",
  flood: 'a flood of rows',
  card: 'rates beside it',
}

/** The reason in two or three words. */
export function reasonWord(reason: Schemas['Hold']['reason']): string {
  return reasons[reason]
}

/** The amounts that would move, in the order of the columns. */
export function movedFields({ before, after }: Pick<Schemas['Hold'], 'before' | 'after'>): AmountField[] {
  return amountFields.filter((field) => before[field] !== after[field])
}

/** The amounts that anybody states. */
export function statedFields(all: readonly (Amounts | undefined)[]): AmountField[] {
  return amountFields.filter((field) => all.some((amounts) => amounts?.[field] != null))
}

/** An amount with its unit: "Input per 1M tokens". */
export function fieldLabel(field: AmountField): string {
  return `${nameField(field)} ${formatAmountUnit(field)}`
}

const factor = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 })

/** "+25%", "× 1,000", "÷ 10": what a number becomes of another; a factor from 3 on, where percentages say little. */
export function moveWord(before: string | null, after: string | null): string {
  if (before === after) return 'same'
  if (before === null) return 'new'
  if (after === null) return 'not stated'
  const [was, is] = [Number(before), Number(after)]
  if (was === 0) return 'was free'
  if (is === 0) return 'free'
  const share = is / was
  if (share >= 3) return `× ${factor.format(share)}`
  return share <= 1 / 3 ? `÷ ${factor.format(1 / share)}` : formatPercent(100 * (share - 1))
}

const oldMs = 3 * 86_400_000

/** Whether a move has waited for longer than it should. */
export function isOld(ageMs: number): boolean {
  return ageMs > oldMs
}

/** An address that a browser may open, and nothing else: what a file states may be anything. */
export function toLink(address: string | null): string | null {
  const protocol = address === null ? undefined : URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : null
}

/** "3 moves", for a title. */
export function movesText(count: number): string {
  return count === 1 ? 'this move' : formatCount(count, 'move')
}

/** What a decision did, in a sentence or two. */
export function outcomeText(verb: 'accepted' | 'rejected', outcome: Schemas['ReviewOutcome']): string {
  const { decided, changes, deliveries } = outcome
  const what = `${formatNumber(decided)} ${verb}.`
  if (changes.length === 0) return what
  const published = `${formatCount(changes.length, 'change is', 'changes are')} published`
  return `${what} ${published}, ${formatCount(deliveries, 'alert')} queued.`
}
