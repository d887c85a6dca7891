import { formatAmountUnit, isAmountField, nameField } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import type { Tone } from '../../components/Badge.tsx'

// How prices are worded for people, beyond what the public pages say too.

/** A field of a record, an amount with its unit: "Input per 1M tokens". */
export function fieldNameWithUnit(field: string): string {
  return isAmountField(field) ? `${nameField(field)} ${formatAmountUnit(field)}` : nameField(field)
}

/** Why a price may not be what everybody pays: before its amount. */
export const markWords: Record<NonNullable<Schemas['PriceMark']>, { text: string; title: string }> = {
  from: { text: 'from', title: 'Some requests pay more, such as long prompts. The rate card has them.' },
  off_peak: { text: 'off-peak', title: 'More at other hours of the day. The rate card has them.' },
}

interface StandingWords {
  text: string
  about: string
  tone?: Tone
}

/** What stands behind a price. */
export const standingWords: Record<NonNullable<Schemas['PriceStanding']>, StandingWords> = {
  gone: {
    text: 'no longer listed',
    about: 'No source has it any more. This is its last price.',
    tone: 'bad',
  },
  held: {
    text: 'move under review',
    about: 'A source states another price, which is not believed yet.',
    tone: 'warn',
  },
  disputed: { text: 'sources differ', about: 'A source states another amount.', tone: 'warn' },
  one_source: { text: 'one source', about: 'One source alone states this price.' },
  confirmed: {
    text: 'confirmed',
    about: 'Two or more independent sources state this price, and none denies it.',
    tone: 'good',
  },
}

/** The ones that a list warns of. */
export function isDoubtful(standing: Schemas['PriceStanding']): standing is 'gone' | 'held' | 'disputed' {
  return standing === 'gone' || standing === 'held' || standing === 'disputed'
}

/** Why a move waits, in a sentence's part. */
export const holdWords: Record<Schemas['HoldReason'], string> = {
  large: 'the move is large',
  factor: 'it looks like another unit',
  to_zero: 'it would become free',
  from_zero: 'it was free',
  swapped: 'input and output look swapped',
  vanished: 'an amount is no longer stated',
  bulk: 'many prices moved at once',
  range: 'it is out of the usual range',
  denied: 'other sources deny it',
  outlier: 'it is far from what the model costs elsewhere',
  half_row: 'only half of the prices moved',
  incoherent: 'it contradicts another amount of its row',
  copied: "it is a router's price, not the maker's",
  flood: 'more rows came at once than a list gains',
  card: 'it does not fit the rates beside it',
}
