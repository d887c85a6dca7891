import { Decimal } from 'decimal.js'
import { readDecimal } from '../../../catalog/decimal.ts'
import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { findSeller, identify, lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import { toReading, type Candidate } from '../reading/reading.ts'
import { isHtml } from './html-tables.ts'
import { readComponents, readIslands, type PricedRow, type TierTable } from './openai-tables.ts'
import { checkContradictions, isTimes, pagePrice, quoteRow, tokenRates } from './page.ts'

const page = "OpenAI's price page"
const address = 'https://developers.openai.com/api/docs/pricing'

/**
 * The prices of text tokens by service tier, from the page's source or from the page as it is served. A model is read
 * when the page agrees with itself: batch and flex are half of its prices, and priority is one multiple of them.
 */
export function readOpenaiPage(text: string): SourceReading {
  const tables = isHtml(text) ? readIslands(text) : readComponents(text)
  if ('reason' in tables) throw refusal(tables.reason)
  if (!text.includes('Prices per 1M tokens')) throw refusal('it does not say "Prices per 1M tokens"')
  const foreign = /[€£¥]/.exec(text)?.[0]
  if (foreign !== undefined || !/\$\d/.test(text))
    throw refusal(`its amounts are not in "$" alone${foreign === undefined ? '' : `, but in "${foreign}"`}`)

  const rejected: RejectedRow[] = []
  const [standard, ...others] = tiers.map((tier) => readTier(tables, tier, rejected))
  const mended: RejectedRow[] = []
  const contradictions: RejectedRow[] = []
  const candidates = [...(standard?.values() ?? [])].flatMap((model): Candidate[] => {
    const { id, cached } = model
    const further = others.flatMap((tier) => tier.get(id) ?? [])
    const problem = [model, ...further]
      .map((row) => checkRow(row, model))
      .find((found) => found !== undefined)
    const isConfirmed = further.some(({ tier }) => tier === 'batch')
    if (problem !== undefined) contradictions.push({ id, reason: problem })
    else if (!isConfirmed)
      rejected.push({ id, reason: `is not in the batch table, which would confirm it (${whereIs(model)})` })
    if (problem !== undefined || !isConfirmed) return []
    if (cached === null || further.some((row) => row.cached !== null)) return [toCandidate(model, further)]
    mended.push({
      id,
      reason: `its cached input, ${cached}, is left out: no other tier confirms it (${whereIs(model)})`,
    })
    return [toCandidate({ ...model, cached: null }, further)]
  })
  checkContradictions(page, contradictions)
  return { ...toReading([...candidates, ...rejected, ...contradictions]), mended }
}

const refusal = (reason: string) => new UserError(`${page}: it cannot be read: ${reason}.`)

const tiers = ['standard', 'batch', 'flex', 'priority'] as const
type Tier = (typeof tiers)[number]

interface Model {
  id: string
  tier: Tier
  input: DecimalText
  cached: DecimalText | null
  write: DecimalText | null
  output: DecimalText
  row: PricedRow
}

/** The values of a row, by their number. There is no header: the page's program draws it. */
const layouts: Readonly<Record<number, readonly (keyof Model)[]>> = {
  3: ['input', 'cached', 'output'],
  4: ['input', 'cached', 'write', 'output'],
}
/** An id, and that its longer requests cost more than is stated here. */
const nameCell = /^([a-z][a-z0-9.-]*[a-z0-9])(?: \(<272K context length\))?$/

/** Names of no model: the page has left out a word. */
const noIds: readonly string[] = ['gpt-3.5-0301']

function readTier(tables: readonly TierTable[], tier: Tier, rejected: RejectedRow[]): Map<string, Model> {
  const found = tables.filter((table) => table.tier === tier)
  const isNeeded = tier === 'standard' || tier === 'batch'
  if (found.length > 1 || (isNeeded && found.length === 0))
    throw refusal(`it has ${found.length} tables of text tokens of the tier ${tier}`)
  const models = new Map<string, Model>()
  for (const { text, from, to } of found.flatMap(({ unreadable }) => unreadable))
    rejected.push({
      id: `${tier} at byte ${from}`,
      reason: `is no row that can be read: ${text.trim().slice(0, 100)} (bytes ${from} to ${to})`,
    })
  for (const row of found.flatMap(({ rows }) => rows)) {
    const model = readModel(row, tier)
    if ('reason' in model) rejected.push(model)
    else if (models.has(model.id)) throw refusal(`${tier} has ${model.id} twice (${whereIs(model)})`)
    else models.set(model.id, model)
  }
  return models
}

function readModel(row: PricedRow, tier: Tier): Model | RejectedRow {
  const id = nameCell.exec(row.name)?.[1]
  const label = tier === 'standard' ? (id ?? row.name) : `${row.name}, ${tier}`
  const refuse = (reason: string) => ({ id: label, reason: `${reason} (${whereIs({ row })})` })
  if (id === undefined || noIds.includes(id)) return refuse('has a name that is no id')
  const layout = layouts[row.values.length]
  if (!layout) return refuse(`has ${row.values.length} values, and rows of 3 and 4 are known`)
  const prices = {
    cached: null,
    write: null,
    ...Object.fromEntries(layout.map((key, index) => [key, readValue(row.values[index])])),
  } as Record<'input' | 'cached' | 'write' | 'output', DecimalText | null>
  const { input, output } = prices
  if (input === null || output === null) return refuse('has no input or no output')
  return { ...prices, id, tier, input, output, row }
}

function readValue(written: string | null | undefined): DecimalText | null {
  const reading = readDecimal(written)
  return 'amount' in reading ? reading.amount : null
}

const whereIs = ({ row: { from, to } }: Pick<Model, 'row'>) => `bytes ${from} to ${to}`

/**
 * The shares of the input that a cached token costs, and what a write costs, in every state of the page so far. It does
 * not say so: another one waits for an eye.
 */
const cachedShares = ['0.5', '0.25', '0.1']
const writeMultiple = '1.25'
/** Models of which the batch table repeats the standard price. */
const undiscounted: readonly string[] = ['gpt-3.5-turbo-0613', 'gpt-3.5-turbo-1106']
/** How many times the standard price a priority one has been, to a hundredth. */
const priorityMultiples = ['1.67', '1.70', '1.75', '1.80', '1.82', '2.00', '2.50']

/** Why a row contradicts itself or the standard row of its model. */
function checkRow(row: Model, standard: Model): string | undefined {
  const { id, tier, input, cached, write, output } = row
  const problem = (reason: string) => `${tier === 'standard' ? '' : `${tier}: `}${reason} (${whereIs(row)})`
  if (new Decimal(output).lt(input)) return problem(`its output, ${output}, is less than its input, ${input}`)
  if (write !== null && !isTimes(write, input, writeMultiple))
    return problem(`its write to the cache, ${write}, is not ${writeMultiple} times its input, ${input}`)
  if (tier === 'standard') {
    const isShare = cached === null || cachedShares.some((share) => isTimes(cached, input, share))
    return isShare
      ? undefined
      : problem(`its cached input, ${cached}, is not ${cachedShares.join(' or ')} times its input, ${input}`)
  }
  const times =
    tier === 'priority'
      ? new Decimal(input).div(standard.input)
      : new Decimal(tier === 'batch' && undiscounted.includes(id) ? 1 : 0.5)
  if (tier === 'priority' && !priorityMultiples.includes(times.toFixed(2)))
    return problem(`its input, ${input}, is ${times.toFixed(2)} times the standard one`)
  const priced = ['input', 'cached', 'write', 'output'] as const
  const odd = priced.find((price) => {
    const amount = row[price]
    const decimals = price === 'cached' && tier !== 'priority' ? lookUp(rounded, id) : undefined
    return amount !== null && !isAbout(amount, standard[price], times, decimals)
  })
  return odd === undefined
    ? undefined
    : problem(`its ${odd}, ${row[odd]}, is not ${times.toFixed(2)} times the standard one, ${standard[odd]}`)
}

/** To how many decimals the page rounds the cached input of batch and flex: 0.125 is 0.13, and 0.1375 is 0.138. */
const rounded: Readonly<Record<string, number>> = { 'gpt-5.4': 2, 'o4-mini': 3 }

function isAbout(amount: DecimalText, of: DecimalText | null, times: Decimal, decimals?: number): boolean {
  if (of === null) return false
  const exact = new Decimal(of).times(times)
  if (decimals !== undefined) return exact.toDecimalPlaces(decimals).eq(amount)
  return exact.toSignificantDigits(9).eq(new Decimal(amount).toSignificantDigits(9))
}

function toCandidate(model: Model, further: readonly Model[]): Candidate {
  const { id, input, cached, write, output, row } = model
  const tiers = further.map((other) => ({ row: other.row, rates: readRates(other, other.tier) }))
  const writes = tokenRates({ cache_write_tokens: write })
  return {
    id,
    identity: identify(findSeller('openai'), id),
    price: pagePrice(address, {
      ...{ input_per_mtok: input, output_per_mtok: output, cached_input_per_mtok: cached },
    }),
    rates: [...writes, ...tiers.flatMap(({ rates }) => rates)],
    quotes: [
      quoteRow(row, [
        ...['input_per_mtok', 'output_per_mtok', ...(cached === null ? [] : ['cached_input_per_mtok'])],
        ...writes.map(rateKey),
      ]),
      ...tiers.map(({ row, rates }) => quoteRow(row, rates.map(rateKey))),
    ],
  }
}

function readRates({ input, cached, write, output }: Model, service_tier: string): Rate[] {
  const stated = {
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_tokens: write,
    output_tokens: output,
  }
  return tokenRates(stated, { service_tier })
}
