import type { amountReader } from '../../../catalog/decimal.ts'
import type { AmountColumn, DecimalText } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { noAmounts, type Amounts } from '../../source-record.ts'
import { toRate } from './reading.ts'

export type Read = ReturnType<typeof amountReader>['read']

/** The columns of a price as entries of a card. Of several entries of one column the first stated one counts. */
const columnKinds: readonly { column: AmountColumn; meter: string; unit: string }[] = [
  { column: 'input_per_mtok', meter: 'input_tokens', unit: '1m_tokens' },
  { column: 'output_per_mtok', meter: 'output_tokens', unit: '1m_tokens' },
  { column: 'cached_input_per_mtok', meter: 'cached_input_tokens', unit: '1m_tokens' },
  { column: 'image_per_unit', meter: 'output_images', unit: 'image' },
  { column: 'audio_per_min', meter: 'input_audio_minutes', unit: 'minute' },
  { column: 'audio_per_min', meter: 'output_audio_minutes', unit: 'minute' },
  { column: 'video_per_sec', meter: 'output_video_seconds', unit: 'second' },
]

/** The column of a meter in its own unit; undefined: it has none. */
export function findColumn(meter: string): AmountColumn | undefined {
  return columnKinds.find((kind) => kind.meter === meter)?.column
}

/** The columns that a card fills, and the rates that fit none. */
export function splitCard(card: readonly Rate[]): { amounts: Amounts; rates: Rate[] } {
  const byKey = new Map(card.map((rate) => [rateKey(rate), rate]))
  const amounts = { ...noAmounts }
  const inColumns = new Set<string>()
  for (const { column, meter, unit } of columnKinds) {
    const key = rateKey(toRate(meter, unit, ''))
    const stated = byKey.get(key)?.amount
    if (stated === undefined || (amounts[column] !== null && stated !== '0')) continue
    amounts[column] ??= stated
    inColumns.add(key)
  }
  // Models without a cache have 0 in the field: 302.AI's gpt-5.4-pro, OpenAI's gpt-3.5-turbo.
  if (amounts.cached_input_per_mtok === '0' && isPositive(amounts.input_per_mtok))
    amounts.cached_input_per_mtok = null

  const rates = [...byKey].flatMap(([key, rate]) =>
    inColumns.has(key) || rate.amount === '0' || repeats(rate, byKey) ? [] : [rate],
  )
  return { amounts: isBilledOtherwise(amounts, rates) ? { ...amounts, ...noTokens } : amounts, rates }
}

export function isPositive(amount: DecimalText | null): boolean {
  return amount !== null && amount !== '0'
}

export const noTokens = { input_per_mtok: null, output_per_mtok: null, cached_input_per_mtok: null }

/** The unit of the headline price. */
export function chooseUnit(amounts: Amounts, rates: readonly Rate[]): string | null {
  const stated = columnKinds.find(
    ({ column }) => !column.endsWith('_per_mtok') && isPositive(amounts[column]),
  )
  if (stated) return stated.unit
  if (amounts.input_per_mtok !== null || amounts.output_per_mtok !== null) return '1m_tokens'
  return (
    rates.find(({ service_tier, threshold }) => service_tier === null && threshold === null)?.unit ?? null
  )
}

/** 0 tokens beside a price of another unit are a filler: not "free". */
function isBilledOtherwise(amounts: Amounts, rates: readonly Rate[]): boolean {
  if (isPositive(amounts.input_per_mtok) || isPositive(amounts.output_per_mtok)) return false
  return (
    isPositive(amounts.image_per_unit) ||
    isPositive(amounts.audio_per_min) ||
    isPositive(amounts.video_per_sec) ||
    rates.some(({ meter, unit }) => unit !== '1m_tokens' && !isExtra(meter))
  )
}

/** A charge beside the tokens, which a free model may have too. */
function isExtra(meter: string): boolean {
  return meter === 'searches' || meter === 'code_executions' || meter.startsWith('training_')
}

/** Whether the rate repeats another: reasoning at the price of output, or long requests at the price of all. */
function repeats(rate: Rate, byKey: ReadonlyMap<string, Rate>): boolean {
  const same = (kind: Partial<Rate>) => byKey.get(rateKey({ ...rate, ...kind }))?.amount === rate.amount
  if (rate.meter === 'reasoning_tokens' && same({ meter: 'output_tokens' })) return true
  return rate.threshold !== null && same({ threshold: null })
}
