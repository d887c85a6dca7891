import type { Scale } from '../../../catalog/decimal.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import type { Read } from '../reading/rate-reader.ts'
import { toRate } from '../reading/reading.ts'

/** All of Portkey's prices are in cents per token, or per one unit of what the field names. */
const centsPerTokenToPerMtok: Scale = { times: 10_000 }
const centsToUsd: Scale = { over: 100 }

interface Meter {
  meter: string
  unit: string
  variant?: string
}

const tokens = (meter: string, variant?: string): Meter => ({
  meter,
  unit: '1m_tokens',
  ...(variant !== undefined && { variant }),
})
const searches = (variant?: string): Meter => ({
  meter: 'searches',
  unit: 'query',
  ...(variant !== undefined && { variant }),
})

const meters: Readonly<Record<string, Meter>> = {
  request_token: tokens('input_tokens'),
  response_token: tokens('output_tokens'),
  reasoning_token: tokens('reasoning_tokens'),
  thinking_token: tokens('reasoning_tokens'),
  cache_read_input_token: tokens('cached_input_tokens'),
  cache_write_input_token: tokens('cache_write_tokens'),
  cache_write_1h: tokens('cache_write_tokens', '1h'),
  request_text_token: tokens('input_text_tokens'),
  response_text_token: tokens('output_text_tokens'),
  cached_text_input_token: tokens('cached_input_text_tokens'),
  cache_read_text_input_token: tokens('cached_input_text_tokens'),
  embedding_text_token: tokens('input_text_tokens'),
  request_audio_token: tokens('input_audio_tokens'),
  response_audio_token: tokens('output_audio_tokens'),
  cache_read_audio_input_token: tokens('cached_input_audio_tokens'),
  request_image_token: tokens('input_image_tokens'),
  response_image_token: tokens('output_image_tokens'),
  cached_image_input_token: tokens('cached_input_image_tokens'),
  cache_read_image_input_token: tokens('cached_input_image_tokens'),
  embedding_image_token: tokens('input_image_tokens'),
  image_token: tokens('output_image_tokens'),
  output_video_token: tokens('output_video_tokens'),
  routing_units: tokens('routing_tokens'),
  pay_per_token: tokens('training_tokens'),
  pay_per_hour: { meter: 'training_hours', unit: 'hour' },
  web_search: searches(),
  search: searches(),
  web_search_low_context: searches('low'),
  web_search_medium_context: searches('medium'),
  web_search_high_context: searches('high'),
  enterprise_web_search: searches('enterprise'),
  maps: searches('maps'),
  file_search: searches('file'),
  attachment_search: searches('attachment'),
  x_search: searches('x'),
  request: { meter: 'requests', unit: 'request' },
  code_execution: { meter: 'code_executions', unit: 'request' },
  generated_images: { meter: 'output_images', unit: 'image' },
  image_1k: { meter: 'output_images', unit: 'image', variant: '1k' },
  megapixels: { meter: 'output_pixels', unit: '1m_pixels' },
  video_seconds: { meter: 'output_video_seconds', unit: 'second' },
  input_video_essential: { meter: 'input_video_seconds', unit: 'second', variant: 'essential' },
  input_video_standard: { meter: 'input_video_seconds', unit: 'second', variant: 'standard' },
  input_video_plus: { meter: 'input_video_seconds', unit: 'second', variant: 'plus' },
}

/** Settings among the prices: defaults for a request that states none. */
const notPrices = /^default_/

/**
 * Models that are billed by another unit than the tokens under which their price is stated, by the end of their name.
 * `fromCents`: the true price of a token is far below.
 */
const misnamed: readonly { model: RegExp; field: RegExp; fromCents: number; meter: Meter }[] = [
  {
    model: /rerank|semantic-ranker/i,
    field: /^request_token$/,
    fromCents: 0.01,
    meter: { meter: 'queries', unit: 'query' },
  },
  {
    model: /(?:^|[-/])ocr(?:-|$)|document-ai/i,
    field: /^request_token$/,
    fromCents: 0.01,
    meter: { meter: 'pages', unit: 'page' },
  },
  {
    model: /(?:^|[-/])whisper-/i,
    field: /^request_token$/,
    fromCents: 0.01,
    meter: { meter: 'input_audio_minutes', unit: 'minute' },
  },
  // 0.43 and 0.6 cents are Deepgram's and OpenAI's minute; as a token's price they were 4,300 USD per million.
  {
    model: /./,
    field: /^request_audio_token$/,
    fromCents: 0.1,
    meter: { meter: 'input_audio_minutes', unit: 'minute' },
  },
  {
    model: /./,
    field: /^response_audio_token$/,
    fromCents: 0.1,
    meter: { meter: 'output_audio_minutes', unit: 'minute' },
  },
  {
    model: /(?:^|[-/])(?:tts-1|aura)(?:-|$)/i,
    field: /^request_token$/,
    fromCents: 0,
    meter: { meter: 'input_characters', unit: '1m_characters' },
  },
]

interface Price {
  price?: number | string | null | undefined
}
/** The conditions of `pay_as_you_go` and `batch_config`. */
export interface PriceList {
  image?: Record<string, Record<string, Price>> | null | undefined
  additional_units?: Record<string, Price> | null | undefined
  [field: string]: unknown
}

export type RateOptions = Partial<Pick<Rate, 'service_tier' | 'threshold'>>

/** Every price of a list, zeros as well. */
export function readRates(model: string, list: PriceList, options: RateOptions, read: Read): Rate[] {
  const { image, additional_units, ...fields } = list
  const priced = [
    ...Object.entries(fields as Record<string, Price>),
    ...Object.entries(additional_units ?? {}),
  ]
  return [
    ...priced.flatMap(([field, stated]) => readField(model, field, stated.price, options, read)),
    ...Object.entries(image ?? {}).flatMap(([quality, sizes]) =>
      Object.entries(sizes).flatMap(([size, { price }]) => {
        const variant = [size, quality].filter((kind) => kind !== 'default').join('/') || null
        const amount = read(`image ${quality} ${size}`, price, centsToUsd)
        return amount === null ? [] : [toRate('output_images', 'image', amount, { ...options, variant })]
      }),
    ),
  ]
}

function readField(
  model: string,
  field: string,
  stated: Price['price'],
  options: RateOptions,
  read: Read,
): Rate[] {
  if (notPrices.test(field)) return []
  const { meter, unit, variant = null } = findMeter(model, field, Number(stated))
  const amount = read(
    field,
    stated,
    /^1m_(?:tokens|characters)$/.test(unit) ? centsPerTokenToPerMtok : centsToUsd,
  )
  return amount === null ? [] : [toRate(meter, unit, amount, { ...options, variant })]
}

/** Whether the name of a price is known: one that is not stays in the rate card, as it is written. */
export function isKnownMeter(field: string): boolean {
  return Object.hasOwn(meters, field) || notPrices.test(field) || videoSize.test(field)
}

const videoSize = /^video_duration_seconds_(\d+)_(\d+)$/

function findMeter(model: string, field: string, cents: number): Meter {
  const other = misnamed.find(
    (kind) => kind.field.test(field) && kind.model.test(model) && cents >= kind.fromCents,
  )
  if (other) return other.meter
  const [, width, height] = videoSize.exec(field) ?? []
  if (width !== undefined && height !== undefined)
    return { meter: 'output_video_seconds', unit: 'second', variant: `${width}x${height}` }
  const known = Object.hasOwn(meters, field) ? meters[field] : undefined
  return known ?? (field.endsWith('_token') ? tokens(`${field}s`) : { meter: field, unit: 'unit' })
}

/** The rate in one region, or under its other name. */
export function asVariant(rate: Rate, name: string): Rate {
  return { ...rate, variant: rate.variant === null ? name : `${rate.variant}/${name}` }
}
