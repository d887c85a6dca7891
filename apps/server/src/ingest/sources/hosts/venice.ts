import { z } from 'zod'
import { perSecondToPerMinute, perThousandToPerMillion } from '../../../catalog/decimal.ts'
import type { Modality } from '../../../catalog/price-record.ts'
import { lookUp } from '../../match/identify.ts'
import { pieces, Stated, tokens, toRetirement, type Entry, type HostList, type Meter } from './host-list.ts'

/**
 * Venice's answer at /api/v1/models: amounts in USD, and the same in its own credits (`diem`). The unit of an amount
 * follows from the type of the model.
 */
export const venice: HostList = {
  platform: 'venice',
  title: "an answer of Venice's /api/v1/models",
  link: 'https://docs.venice.ai/overview/pricing',
  Row: z
    .looseObject({
      id: z.string().min(1),
      type: z.string(),
      model_spec: z.looseObject({
        pricing: z
          .looseObject({ extended: z.looseObject({ context_token_threshold: z.int().positive() }).nullish() })
          .nullish(),
        deprecation: z.looseObject({ date: z.string().nullish(), removesAt: z.string().nullish() }).nullish(),
      }),
    })
    .transform(({ id, type, model_spec: { pricing, deprecation } }) => {
      const { extended, ...base } = pricing ?? {}
      return {
        ...{ id, modality: lookUp(modalities, type) ?? ('other' as const) },
        entries: [
          ...listAmounts(type, base, null),
          ...(extended == null ? [] : listAmounts(type, extended, extended.context_token_threshold)),
        ],
        retires_on: toRetirement(deprecation?.removesAt ?? deprecation?.date),
      }
    }),
  fields: {
    reads: (path) => {
      const [, field] = /^model_spec\.pricing\.(?:extended\.)?(.+)\.usd$/.exec(path) ?? []
      return field !== undefined && types.some((type) => findMeter(type, field) !== null)
    },
    ignored: [
      { path: /\.diem$/, reason: 'the same in credits' },
      { path: /\.extended\.context_token_threshold$/, reason: 'read as the threshold' },
      { path: /\.durations\.\d+\.m(?:in|ax)_seconds$/, reason: 'the lengths that the price is for' },
      { path: /\.inputImages\.included$/, reason: 'how many pictures the price of an edit includes' },
    ],
  },
}

const modalities: Readonly<Record<string, Modality>> = {
  ...{ text: 'llm', embedding: 'embedding', image: 'image', inpaint: 'image', upscale: 'image' },
  ...{ video: 'video', music: 'audio', tts: 'audio', asr: 'audio' },
}
const types = Object.keys(modalities)

/** Amounts stand up to three levels deep: `input.usd`, `resolutions.2K.usd`, `quality.2K.high.usd`. */
function listAmounts(type: string, prices: object, threshold: number | null, path: string[] = []): Entry[] {
  return Object.entries(prices).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner !== 'object' || inner === null || path.length > 2) return []
    const field = [...path, name].join('.')
    const meter = findMeter(type, field)
    if (meter !== null && 'usd' in inner) {
      const { success, data } = Stated.safeParse(inner.usd)
      return [{ field, stated: success ? data : typeof inner.usd, threshold, ...meter }]
    }
    return listAmounts(type, inner, threshold, [...path, name])
  })
}

const byToken: Readonly<Record<string, Meter>> = {
  input: tokens('input_tokens'),
  output: tokens('output_tokens'),
  cache_input: tokens('cached_input_tokens'),
  cache_write: tokens('cache_write_tokens'),
}
const perImage = (variant?: string) => pieces('output_images', 'image', variant)

function findMeter(type: string, field: string): Meter | null {
  if (type === 'text' || type === 'embedding') return lookUp(byToken, field) ?? null
  const [kind, size, quality] = field.split('.')
  switch (kind) {
    case 'input':
      return type === 'tts' ? pieces('characters', '1m_characters') : null
    case 'per_thousand_characters':
      return pieces('characters', '1m_characters', null, perThousandToPerMillion)
    case 'per_audio_second':
      return pieces('input_audio_minutes', 'minute', null, perSecondToPerMinute)
    case 'per_second':
      return type === 'music' ? pieces('output_audio_minutes', 'minute', null, perSecondToPerMinute) : null
    case 'inpaint':
      return perImage()
    case 'generation':
      return type === 'music' ? pieces('generations', 'generation') : perImage()
    case 'durations':
      return pieces('generations', 'generation', `${size}s`)
    case 'resolutions':
      return perImage(size)
    case 'quality':
      return quality === undefined ? null : perImage(`${size}/${quality}`)
    case 'upscale':
      return pieces('upscaled_images', 'image', size)
    case 'inputImages':
      // Beyond those that the price of the edit includes.
      return size === 'additional' ? pieces('additional_input_images', 'image') : null
    default:
      return null
  }
}
