import { formatRetirement } from '@ratecard/contract/wording'
import type { CatalogAmounts, CatalogRecord } from '@ratecard/cost'
import { z } from 'zod'
import { plain, short } from './answer.ts'

const units = {
  input_per_mtok: 'input per 1M tokens',
  output_per_mtok: 'output per 1M tokens',
  cached_input_per_mtok: 'cached input per 1M tokens',
  image_per_unit: 'per image',
  audio_per_min: 'per minute of audio',
  video_per_sec: 'per second of video',
} as const satisfies Record<keyof CatalogAmounts, string>

type Amount = keyof typeof units
const amountNames = Object.keys(units) as Amount[]

const amount = z.string().optional()
const amountsSchema = z
  .object({
    input_per_mtok: amount,
    output_per_mtok: amount,
    cached_input_per_mtok: amount,
    image_per_unit: amount,
    audio_per_min: amount,
    video_per_sec: amount,
  })
  .describe('exact decimals as text; one that is left out is unknown, and not 0')

export const summarySchema = z.object({
  resource_id: z.string().describe('identifies the record'),
  product_id: z.string().nullable(),
  vendor: z.string(),
  platform: z.string().nullable().describe('who is paid'),
  modality: z.string().nullable(),
  region: z.string().nullable(),
  currency: z.string().nullable(),
  amounts: amountsSchema,
  rate_count: z
    .number()
    .int()
    .nullable()
    .describe('rates on its card, for get_price; null: there is no card'),
  effective_at: z.string().nullable(),
  updated_at: z.string(),
  is_confirmed: z
    .boolean()
    .nullable()
    .describe('two or more independent sources state it, and no more deny it'),
  gone_since: z.string().nullable(),
  retires_on: z.string().nullable(),
})

export type Summary = z.infer<typeof summarySchema>

function toAmounts(stated: CatalogAmounts): z.infer<typeof amountsSchema> {
  return Object.fromEntries(
    amountNames.flatMap((name) => (stated[name] === null ? [] : [[name, stated[name]]])),
  )
}

export function toSummary(record: CatalogRecord): Summary {
  return {
    resource_id: record.resource_id,
    product_id: record.product_id,
    vendor: record.vendor,
    platform: record.platform,
    modality: record.modality,
    region: record.region,
    currency: record.currency,
    amounts: toAmounts(record),
    rate_count: record.rates?.length ?? null,
    effective_at: record.effective_at,
    updated_at: record.updated_at,
    is_confirmed: record.is_confirmed ?? null,
    gone_since: record.gone_since ?? null,
    retires_on: record.retires_on ?? null,
  }
}

/** One line. */
export function summaryText({ resource_id, currency, amounts, ...rest }: Summary): string {
  const stated = amountNames.flatMap((name) =>
    amounts[name] === undefined ? [] : [`${amounts[name]} ${units[name]}`],
  )
  const prices =
    stated.length === 0 ? 'no headline price' : `${stated.join(', ')} (${currency ?? 'unknown currency'})`
  const doubts = [
    rest.is_confirmed === false && 'not confirmed',
    rest.gone_since !== null && `no longer listed since ${rest.gone_since.slice(0, 10)}`,
    rest.retires_on !== null && formatRetirement(rest.retires_on),
  ].filter((doubt) => doubt !== false)
  return `${short(resource_id, 200)}: ${prices}${doubts.length === 0 ? '' : ` [${doubts.join('; ')}]`}`
}

const ratesMax = 60
const announcedMax = 10
const aliasesMax = 20

export const recordSchema = summarySchema.extend({
  source_url: z.string().nullable(),
  rates: z
    .array(
      z.object({
        meter: z.string(),
        unit: z.string(),
        amount: z.string(),
        service_tier: z.string().nullable(),
        variant: z.string().nullable(),
        threshold: z.number().nullable().describe('above so many prompt tokens'),
        hours: z.string().nullable(),
      }),
    )
    .nullable()
    .describe('the rate card; null: this list of prices has none, which does not mean that there is none'),
  rates_left_out: z.number().int(),
  announced: z.array(z.object({ starts_on: z.string(), amounts: amountsSchema })),
  aliases: z.array(z.string()),
})

export type FullRecord = z.infer<typeof recordSchema>

export function toFullRecord(record: CatalogRecord): FullRecord {
  const { rates, announced, aliases } = record
  return {
    ...toSummary(record),
    source_url: record.source_url ?? null,
    rates:
      rates?.slice(0, ratesMax).map(({ meter, unit, amount, service_tier, variant, threshold, hours }) => ({
        meter,
        unit,
        amount,
        service_tier,
        variant,
        threshold,
        hours,
      })) ?? null,
    rates_left_out: Math.max(0, (rates?.length ?? 0) - ratesMax),
    announced: (announced ?? [])
      .slice(0, announcedMax)
      .map((one) => ({ starts_on: one.starts_on, amounts: toAmounts(one) })),
    aliases: [...new Set((aliases ?? []).map(({ model_name: name }) => short(name, 200)))].slice(
      0,
      aliasesMax,
    ),
  }
}

export function recordText(record: FullRecord): string {
  const { product_id, platform, source_url, effective_at, updated_at } = record
  const rates = (record.rates ?? []).map(
    ({ meter, unit, amount, service_tier, variant, threshold, hours }) => {
      const length = threshold === null ? null : `above ${threshold} tokens`
      const conditions = [service_tier, variant, length, hours].filter((one) => one !== null)
      return `  ${plain(meter)} ${amount} per ${plain(unit)}${conditions.length === 0 ? '' : ` (${plain(conditions.join(', '))})`}`
    },
  )
  const announced = record.announced.map(
    ({ starts_on, amounts }) => `  from ${starts_on}: ${Object.entries(amounts).flat().join(' ')}`,
  )
  return [
    summaryText(record),
    `Product ${plain(product_id ?? 'unknown')}, paid at ${plain(platform ?? 'unknown')}.`,
    `In effect since ${effective_at ?? 'an unknown day'}; the record last moved ${updated_at}.${source_url === null ? '' : ` Source: ${plain(source_url)}`}`,
    record.rates === null ? 'This list of prices has no rate card for it.' : 'Rate card:',
    ...rates,
    ...(record.rates_left_out > 0 ? [`  and ${record.rates_left_out} more rates`] : []),
    ...(announced.length > 0 ? ['Announced:', ...announced] : []),
  ].join('\n')
}
