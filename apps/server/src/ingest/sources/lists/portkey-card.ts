import { z } from 'zod'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { asVariant, readRates, type PriceList, type RateOptions } from './portkey-meters.ts'
import { isPositive, type Read } from '../reading/rate-reader.ts'

const Price = z.looseObject({ price: z.union([z.number(), z.string()]).nullish() })
const Prices = z
  .object({
    image: z.record(z.string(), z.record(z.string(), Price)).nullish(),
    additional_units: z.record(z.string(), Price).nullish(),
  })
  .catchall(Price)
const Config = z
  .looseObject({
    pay_as_you_go: Prices.nullish(),
    batch_config: Prices.nullish(),
    finetune_config: z.record(z.string(), Price).nullish(),
    fixed_cost: z.looseObject({ request: Price.nullish(), response: Price.nullish() }).nullish(),
    currency: z.string().nullish(),
  })
  .nullable()
const Mode = z.looseObject({
  pricing_config: Config.optional(),
  context_tiers: z.record(z.string(), z.looseObject({ pricing_config: Config })).nullish(),
})
export const Model = z.looseObject({
  pricing_config: Config,
  custom_pricing: z
    .looseObject({
      /** `{"0": "lte-200k", "200000": "gt-200k"}`: the number of tokens from which each tier applies. */
      context_tier_map: z.record(z.string().regex(/^\d+$/), z.string()).nullish(),
      regions: z.record(z.string(), z.looseObject({ execution_modes: z.record(z.string(), Mode) })),
    })
    .nullish(),
})
export type Model = z.infer<typeof Model>

/** Everything that a row states: standard prices, batches, training, regions and modes of service. */
export function readCard(
  name: string,
  { pricing_config, custom_pricing }: Model,
  at: RateOptions,
  read: Read,
): Rate[] {
  const list = (prices: PriceList | null | undefined, options: RateOptions = {}) =>
    readRates(name, prices ?? {}, { ...at, ...options }, read)
  const { pay_as_you_go, batch_config, finetune_config, fixed_cost } = pricing_config ?? {}
  const fee = { ...(fixed_cost?.request && { additional_units: { request: fixed_cost.request } }) }
  const general = [
    ...list(pay_as_you_go),
    ...list(batch_config, { service_tier: 'batch' }),
    ...list(finetune_config),
    ...list(fee),
  ]

  const tierStarts = new Map(
    Object.entries(custom_pricing?.context_tier_map ?? {}).map(([start, tier]) => [
      tier,
      Number(start) || null,
    ]),
  )
  const special = Object.entries(custom_pricing?.regions ?? {}).flatMap(([regions, { execution_modes }]) =>
    Object.entries(execution_modes).flatMap(([mode, { pricing_config: one, context_tiers }]) => {
      const service_tier = mode === 'standard' ? null : mode
      const rates = [
        ...list(one?.pay_as_you_go, { service_tier }),
        ...Object.entries(context_tiers ?? {}).flatMap(([tier, { pricing_config: config }]) => {
          const threshold = tierStarts.get(tier) ?? at.threshold ?? null
          const stated = list(config?.pay_as_you_go, { service_tier, threshold })
          // A tier without a start must not pass for the price of all requests.
          return tierStarts.has(tier) ? stated : stated.map((rate) => asVariant(rate, tier))
        }),
      ]
      return regions.split(',').map((region) => ({ region, rates }))
    }),
  )
  return merged(general, special)
}

/** Of several rates of one kind the first that is not a filler. */
export function firstStated(rates: readonly Rate[]): Map<string, Rate> {
  const card = new Map<string, Rate>()
  for (const rate of rates) {
    const key = rateKey(rate)
    if (!isPositive(card.get(key)?.amount ?? null)) card.set(key, rate)
  }
  return card
}

/**
 * The general list where it has a price, completed by the rates of the `default` region. Where the two differ, and
 * where a region differs from both, the region's rate is kept too, under the region's name.
 */
function merged(
  general: readonly Rate[],
  special: readonly { region: string; rates: readonly Rate[] }[],
): Rate[] {
  const card = firstStated(general)
  const isDefault = ({ region }: { region: string }) => region === 'default'
  const differing: Rate[] = []
  for (const { region, rates } of [
    ...special.filter(isDefault),
    ...special.filter((one) => !isDefault(one)),
  ]) {
    for (const rate of rates) {
      if (rate.amount === '0') continue
      const key = rateKey(rate)
      const known = card.get(key)?.amount ?? null
      if (region === 'default' && !isPositive(known)) card.set(key, rate)
      else if (known !== rate.amount) differing.push(asVariant(rate, region))
    }
  }
  return [...card.values(), ...differing]
}

/** Image models state their text under names of its own, where other models state all their tokens. */
export function textInColumns(card: readonly Rate[]): Rate[] {
  const has = (meter: string) => card.some((rate) => rate.meter === meter && isPositive(rate.amount))
  const plain = ['input', 'cached_input', 'output'].filter((side) => !has(`${side}_tokens`))
  const meters = new Map(plain.map((side) => [`${side}_text_tokens`, `${side}_tokens`]))
  // Renamed rates come last and replace a 0.
  const isRenamed = ({ meter }: Rate) => meters.has(meter)
  return [
    ...card.filter((rate) => !isRenamed(rate)),
    ...card.filter(isRenamed).map((rate) => ({ ...rate, meter: meters.get(rate.meter) ?? rate.meter })),
  ]
}
