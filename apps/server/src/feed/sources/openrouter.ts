import { z } from 'zod'
import { amountReader, asStated, perOneToPerMillion, type Scale } from '../../features/prices/decimal.ts'
import type { RejectedRow } from '../../features/prices/price-record.ts'
import type { Rate } from '../../features/prices/rate-card.ts'
import { UserError } from '../../platform/user-error.ts'
import { identify, findSeller } from '../identify.ts'
import { modalityOfOutputs } from '../modality.ts'
import type { SourceReading } from '../source-record.ts'
import { toDay } from '../days.ts'
import { newestDay } from './data-day.ts'
import { openrouterFields } from './known-fields.ts'
import { isPositive, noTokens, splitCard, chooseUnit, type Read } from './rate-reader.ts'
import { complaints, toRate, toReading, type Candidate } from './reading.ts'
import { findUnknownFields } from './unknown-fields.ts'

const home = 'https://openrouter.ai'

/** OpenRouter's answer at /api/v1/models: amounts are texts, in USD per single unit. */
export function readOpenRouter(json: unknown, now: Date = new Date()): SourceReading {
  const file = Answer.safeParse(json)
  if (!file.success || file.data.data.length === 0) {
    const complaint = file.success ? 'it lists no model' : complaints(file.error)
    throw new UserError(`This is not an answer of OpenRouter's /api/v1/models: ${complaint}.`)
  }
  const candidates: Candidate[] = []
  const rejected: RejectedRow[] = []
  for (const [index, model] of file.data.data.entries()) {
    const row = readModel(model)
    if ('reason' in row) rejected.push({ id: readName(model) ?? `#${index}`, reason: row.reason })
    else candidates.push(row)
  }
  // Nothing to serve: `data` is of another type.
  if (candidates.length === 0)
    throw new UserError("This is not an answer of OpenRouter's /api/v1/models: none of its rows is a model.")
  const rows = file.data.data.map((row, index) => [readName(row) ?? `#${index}`, row] as const)
  return {
    ...toReading(candidates, rejected),
    // The list is as new as its newest model.
    data_at: newestDay(
      rows.map(([, row]) => dayOfCreation(row)),
      now,
    ),
    unknown_fields: findUnknownFields(rows, openrouterFields(Object.keys(meters))),
  }
}

const Answer = z.looseObject({ data: z.array(z.unknown()) })

const Amount = z.union([z.number(), z.string()]).nullish()
const Model = z.looseObject({
  id: z.string().min(1),
  architecture: z.looseObject({ output_modalities: z.array(z.string()).nullish() }).nullish(),
  pricing: z
    .object({
      overrides: z.array(z.object({ min_prompt_tokens: z.int().positive() }).catchall(Amount)).nullish(),
    })
    .catchall(Amount),
  expiration_date: z.string().nullish(),
  links: z.looseObject({ details: z.string().nullish() }).nullish(),
})
type Model = z.infer<typeof Model>

function readModel(source: unknown): Candidate | { reason: string } {
  const parsed = Model.safeParse(source)
  if (!parsed.success) return { reason: `cannot be read: ${complaints(parsed.error)}` }
  // `id` is what a request names. `canonical_slug` carries a date and moves.
  const { id, architecture, links } = parsed.data

  const { read, problems } = amountReader()
  const card = splitCard(readCard(parsed.data.pricing, read))
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const outputs = architecture?.output_modalities ?? []
  const isPriced = card.rates.length > 0 || Object.values(card.amounts).some(isPositive)
  // Music and images are paid by the piece, which the answer does not state: their 0 per token is no price.
  const isFiller = !isPriced && outputs.some((output) => output !== 'text') && !id.endsWith(':free')
  const amounts = isFiller ? { ...card.amounts, ...noTokens } : card.amounts
  return {
    id,
    identity: identify(findSeller('openrouter'), id),
    price: {
      modality: modalityOfOutputs(id, outputs),
      unit: chooseUnit(amounts, card.rates),
      ...amounts,
      currency: 'USD',
      source_url: findDetailsPath(links?.details),
      effective_at: null,
    },
    rates: card.rates,
    retires_on: parseRetirement(parsed.data.expiration_date),
    rank: 0,
  }
}

function readCard({ overrides, ...base }: Model['pricing'], read: Read): Rate[] {
  const steps = [
    { threshold: null, amounts: base },
    ...(overrides ?? []).map(({ min_prompt_tokens: threshold, ...amounts }) => ({ threshold, amounts })),
  ]
  return steps.flatMap(({ threshold, amounts }) =>
    Object.entries(amounts).flatMap(([field, stated]) => {
      if (field === 'discount') return [] // a share, already taken off
      const { meter, unit, variant, scale } = findMeter(field)
      const amount = read(field, stated, scale)
      return amount === null ? [] : [toRate(meter, unit, amount, { variant, threshold })]
    }),
  )
}

interface Meter {
  meter: string
  unit: string
  variant: string | null
  scale: Scale
}

const tokens = (meter: string, variant: string | null = null): Meter => ({
  meter,
  unit: '1m_tokens',
  variant,
  scale: perOneToPerMillion,
})

/** `image` and `audio` are tokens here, not pictures and minutes. */
const meters: Readonly<Record<string, Meter>> = {
  prompt: tokens('input_tokens'),
  completion: tokens('output_tokens'),
  input_cache_read: tokens('cached_input_tokens'),
  input_cache_write: tokens('cache_write_tokens'),
  input_cache_write_1h: tokens('cache_write_tokens', '1h'),
  internal_reasoning: tokens('reasoning_tokens'),
  image: tokens('input_image_tokens'),
  image_token: tokens('input_image_tokens'),
  image_output: tokens('output_image_tokens'),
  audio: tokens('input_audio_tokens'),
  audio_output: tokens('output_audio_tokens'),
  input_audio_cache: tokens('cached_input_audio_tokens'),
  web_search: { meter: 'searches', unit: 'query', variant: null, scale: asStated },
  request: { meter: 'requests', unit: 'request', variant: null, scale: asStated },
}

function findMeter(field: string): Meter {
  const known = Object.hasOwn(meters, field) ? meters[field] : undefined
  return known ?? { meter: field, unit: 'unit', variant: null, scale: asStated }
}

/** Two models "expire" on 2098-12-31, which is their maker's way to say never. */
function parseRetirement(date: string | null | undefined): string | null {
  const day = z.iso.date().safeParse(date?.slice(0, 10))
  return day.success && day.data < '2090' ? day.data : null
}

const Created = z.looseObject({ created: z.int().nonnegative().max(4_102_444_800) })

/** `created` counts seconds. */
function dayOfCreation(model: unknown): string | null {
  const stated = Created.safeParse(model)
  return stated.success ? toDay(new Date(stated.data.created * 1_000)) : null
}

function findDetailsPath(path: string | null | undefined): string | null {
  return path == null ? null : (URL.parse(path, home)?.href ?? path)
}

function readName(model: unknown): string | undefined {
  if (typeof model !== 'object' || model === null || !('id' in model)) return undefined
  return typeof model.id === 'string' ? model.id : undefined
}
