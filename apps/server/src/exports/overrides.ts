import { z } from 'zod'
import { readDecimal } from '../catalog/decimal.ts'
import { amountColumns, type DecimalText } from '../catalog/price-record.ts'
import type { Rate } from '../catalog/rate-card.ts'
import { UserError } from '../platform/user-error.ts'
import { lookUp } from '../ingest/match/identify.ts'
import { complaints, toRate } from '../ingest/sources/reading/reading.ts'
import { columnMeters, type ExportResource } from './resource.ts'

const Amount = z
  .union([z.number(), z.string().regex(/^\d+(?:\.\d+)?$/)])
  .transform(Number)
  .pipe(z.number().min(0))
const Override = z.strictObject({
  multiplier: Amount.optional(),
  rates: z.record(z.string(), Amount).optional(),
})
const Layers = z.record(z.string(), Override)
type Layers = z.infer<typeof Layers>
const Overrides = z.strictObject({
  multiplier: Amount.optional(),
  platforms: Layers.optional(),
  models: Layers.optional(),
})
/** What a customer pays in place of list prices, as `@ratecard/cost` takes it: docs/exports.md. */
export type Overrides = z.infer<typeof Overrides>

/** @throws UserError when it is none */
export function parseOverrides(json: unknown): Overrides {
  const parsed = Overrides.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UserError(`These are no overrides: ${complaints(parsed.error)}.`, { exitCode: 2 })
}

/**
 * The resources at the customer's prices. Of several multipliers the most special one holds: that of the resource, of its
 * product, of its platform, of all. A rate of one's own holds for its meter whatever the conditions, and is not multiplied.
 * @throws UserError when nothing that is served has the name of a layer
 */
export function layOver(resources: readonly ExportResource[], overrides: Overrides): ExportResource[] {
  const { multiplier, platforms = {}, models = {} } = overrides
  const unused = new Set([...Object.keys(platforms), ...Object.keys(models)])
  const find = (layers: Layers, name: string | null) => {
    const layer = name === null ? undefined : lookUp(layers, name)
    if (layer !== undefined) unused.delete(name!)
    return layer ?? []
  }
  const laid = resources.map((resource) => {
    const { resource_id, product_id, platform } = resource
    const layers = [find(models, resource_id), find(models, product_id), find(platforms, platform)].flat()
    const factor = layers.find((one) => one.multiplier !== undefined)?.multiplier ?? multiplier ?? 1
    const rates = Object.assign({}, ...layers.map(({ rates }) => rates).reverse()) as Record<string, number>
    return pay(resource, factor, rates)
  })
  if (unused.size > 0)
    throw new UserError(`The overrides name what is not served: ${[...unused].join(', ')}.`, { exitCode: 2 })
  return laid
}

function pay(resource: ExportResource, factor: number, own: Record<string, number>): ExportResource {
  const listed = resource.rates ?? []
  const paid = (meter: string, amount: DecimalText | null, times = factor) => {
    const stated = lookUp(own, meter)
    if (stated !== undefined) return toAmount(String(stated), 1, resource.resource_id)
    return amount === null ? null : toAmount(amount, times, resource.resource_id)
  }
  const columns = amountColumns.map((column) => [column, paid(columnMeters[column][0], resource[column])])
  const rates = listed.map((rate) => {
    const amount = paid(rate.meter, rate.amount, rate.unit === 'multiplier' ? 1 : factor)
    return { ...rate, amount: amount ?? rate.amount }
  })
  const known = new Set([
    ...amountColumns.map((column) => columnMeters[column][0]),
    ...listed.filter(isPlain).map(({ meter }) => meter),
  ])
  const added = Object.keys(own)
    .filter((meter) => !known.has(meter))
    .map((meter) => {
      const unit = listed.find((rate) => rate.meter === meter)?.unit ?? '1m_tokens'
      return { ...toRate(meter, unit, paid(meter, '0')!), said_by: null, denied_by: null }
    })
  return {
    ...resource,
    ...(Object.fromEntries(columns) as Partial<ExportResource>),
    rates: [...rates, ...added],
  }
}

function isPlain({ service_tier, variant, threshold, hours }: Rate): boolean {
  return service_tier === null && variant === null && threshold === null && hours === null
}

function toAmount(amount: DecimalText, times: number, resourceId: string): DecimalText {
  const read = readDecimal(amount, { times })
  if ('amount' in read && read.amount !== null) return read.amount
  const why = 'problem' in read ? read.problem : 'is no price'
  throw new UserError(`The overrides make a price of ${resourceId} that ${why}.`, { exitCode: 2 })
}
