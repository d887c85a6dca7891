import {
  costOf,
  resolve,
  UsageError,
  type Catalog,
  type Cost,
  type CostLine,
  type CostOptions,
  type Usage,
} from '../index.ts'
import { readUsage, type ReaderName } from '../readers.ts'
import { isObject } from '../readers/shape.ts'
import { toMoment } from '../moment.ts'
import { addTo, one, parseAmount } from './amount.ts'
import { listItems } from '../counts.ts'
import { formatDecimal } from '../exact.ts'
import type { Bill, BillLine } from './lines.ts'
import { toDay } from './read-bill.ts'

/** A call of the log, as it is compared with the bill. */
export interface Call {
  readonly usage: Usage
  readonly told: CostOptions
  readonly day: string
  readonly atMs: number
  /** As the log names it. */
  readonly model: string
  readonly tier: string | null
  readonly region: string | null
}

/** How the log is read, where its lines do not say it. */
export interface LogOptions extends Pick<CostOptions, 'catalog' | 'deployments' | 'overrides'> {
  /** Who answered, where a line does not show it. */
  readonly reader?: ReaderName | undefined
}

/**
 * A line of the log: an answer, a usage, or `{ at, platform, answer }` around one. Null: it was paid elsewhere.
 * @throws UsageError where it cannot be read, or says no time
 */
export function readCall(line: unknown, vendor: Bill['vendor'], options: LogOptions): Call | null {
  const outer = isObject(line) ? line : {}
  const around = isObject(outer['answer']) ? outer : {}
  const said = (name: string) => (typeof around[name] === 'string' ? around[name] : undefined)
  if (said('platform') !== undefined && said('platform') !== vendor) return null
  const usage = readAnswer(isObject(outer['answer']) ? outer['answer'] : line, vendor, options.reader)
  if (usage.platform !== undefined && usage.platform !== vendor) return null
  const model = said('model') ?? usage.model
  if (model === undefined) throw new UsageError('It says no model: write it beside the answer, as "model".')
  const { catalog, deployments, overrides } = options
  if (said('platform') === undefined && isElsewhere(model, vendor, catalog)) return null
  const at = (outer['at'] ?? outer['day'] ?? usage.at) as Usage['at']
  const atMs = toMoment(at)
  if (atMs === null)
    throw new UsageError(
      'It says no time, so nobody knows on which day it was billed: write "at" beside the answer.',
    )
  const [tier, region] = [toName(said('tier') ?? usage.tier), toName(said('region') ?? usage.region)]
  const told = {
    catalog,
    deployments,
    overrides,
    model,
    platform: vendor,
    at: atMs,
    tier: tier ?? undefined,
    region: region ?? undefined,
  }
  return {
    usage: { ...usage, tier: undefined, region: undefined },
    told,
    day: toDay(atMs),
    atMs,
    model,
    tier,
    region,
  }
}

function readAnswer(answer: unknown, vendor: Bill['vendor'], reader: ReaderName | undefined): Usage {
  try {
    return readUsage(answer, reader)
  } catch (error) {
    // The bill says who answered.
    if (reader !== undefined || !(error instanceof UsageError)) throw error
    return readUsage(answer, vendor)
  }
}

const elsewhere = new WeakMap<Catalog, Map<string, boolean>>()

/** Whether the vendor does not sell a model that others do. */
function isElsewhere(model: string, vendor: string, catalog: Catalog): boolean {
  let known = elsewhere.get(catalog)
  if (known === undefined) elsewhere.set(catalog, (known = new Map<string, boolean>()))
  let is = known.get(model)
  if (is === undefined) {
    is = !resolve(model, { catalog, platform: vendor }).isResolved && resolve(model, { catalog }).isResolved
    if (known.size < 10_000) known.set(model, is)
  }
  return is
}

function toName(name: string | undefined): string | null {
  const lower = name?.toLowerCase() ?? ''
  return /^(?:standard|default|auto|on_demand|global|not_available|)$/.test(lower) ? null : lower
}

/** What a call comes to, by component of the bill. */
export interface Priced {
  /** In the cell of its model. */
  readonly own: Map<string, bigint>
  /** Fees of tools, which bills list by themselves. */
  readonly tools: Map<string, bigint>
  /** For one of each component; null: calls of one component paid several rates. */
  readonly rates: Map<string, bigint>
  readonly counts: Map<string, bigint>
  readonly isWhole: boolean
  readonly cost: Cost
}

export const isTool = (meter: string) => /(?:^|_)(?:searches|code_executions|sessions)$/.test(meter)

/** All of a bill that says neither model nor meter. */
export const total = 'total'

/** The name under which amounts of the bill and of the log meet. */
export function nameComponent(
  { states }: Bill,
  line: Pick<BillLine, 'meter' | 'variant' | 'tier' | 'isLong' | 'region'>,
): string {
  if (!states.lines || line.meter === null) return total
  if (isTool(line.meter)) return line.meter
  const tier = line.tier !== null && states.tiers.has(line.tier) ? line.tier : ''
  const region = states.region ? (line.region ?? '') : ''
  return [line.meter, line.variant ?? '', tier, states.length && line.isLong ? 'long' : '', region].join('|')
}

/** Prices a call. */
export function priceCall(bill: Bill, { usage, told }: Call): Priced {
  const cost = costOf(usage, told)
  const priced: Priced = {
    ...{ own: new Map(), tools: new Map(), rates: new Map(), counts: new Map() },
    // What tools cost is another line of the bill.
    isWhole: bill.form === 'usage' || cost.unpriced.every(({ meter }) => bill.states.lines && isTool(meter)),
    cost,
  }
  const isLong = isLongCall(bill, usage, cost)
  const conditions = { isLong, tier: toName(told.tier), region: toName(told.region) }
  const add = (meter: string, variant: string | null, amount: bigint, count: string, rate: bigint | null) => {
    const component = nameComponent(bill, { ...conditions, meter, variant: isTool(meter) ? null : variant })
    const isApart = bill.states.lines && isTool(meter)
    addTo(isApart ? priced.tools : priced.own, component, amount)
    if (!/\D/.test(count)) addTo(priced.counts, component, BigInt(count))
    if (rate !== null) priced.rates.set(component, rate)
  }
  if (bill.form === 'usage')
    for (const { meter, variant, count } of listItems(usage)) {
      // OpenAI reports what tools did elsewhere.
      if (bill.vendor === 'openai' && isTool(meter)) continue
      const text = formatDecimal(count)
      add(meter === 'reasoning_tokens' ? 'output_tokens' : meter, variant, parseAmount(text), text, one)
    }
  else
    for (const line of cost.lines) {
      const rate = lookUpRate(line)
      // Seconds are paid by the minute, and some counts are no whole numbers.
      const isPlain = !line.meter.endsWith('_seconds') && !/\D/.test(line.count)
      const amount = isPlain ? BigInt(line.count) * rate : parseAmount(line.amount)
      add(line.billedAs, line.variant, amount, line.count, isPlain ? rate : null)
    }
  return priced
}

const rates = new Map<string, bigint>()

/** What one of a line costs. A catalog has few rates, and a log many calls. */
export function lookUpRate({ rate, unit }: Pick<CostLine, 'rate' | 'unit'>): bigint {
  const key = `${rate} ${unit}`
  let one = rates.get(key)
  if (one === undefined) {
    one = parseAmount(rate) / (unit.startsWith('1m_') ? 1_000_000n : 1n)
    if (rates.size < 10_000) rates.set(key, one)
  }
  return one
}

/** Anthropic tells prompts of more than 200,000 tokens apart whatever they cost, OpenAI where they cost more. */
function isLongCall({ vendor, states }: Bill, usage: Usage, cost: Cost): boolean {
  if (!states.length) return false
  if (vendor === 'openai') return cost.lines.some(({ threshold }) => threshold !== null)
  const inputs = listItems(usage).filter(({ meter }) => /input|cache_write/.test(meter))
  return inputs.reduce((all, { count }) => all + Number(count.units), 0) > 200_000
}
