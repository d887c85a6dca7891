import { z } from 'zod'
import type { DecimalText, Modality } from '../../../catalog/price-record.ts'

const amount = z.union([z.number(), z.string()]).nullish()
const fields = {
  input_cost_per_token: amount,
  output_cost_per_token: amount,
  cache_read_input_token_cost: amount,
  input_cost_per_token_cache_hit: amount,
  input_cost_per_image: amount,
  output_cost_per_image: amount,
  input_cost_per_second: amount,
  output_cost_per_second: amount,
  output_cost_per_video_per_second: amount,
}
/** The fields of LiteLLM's row with a fixed name. litellm-fields.ts reads the names of the other price fields. */
export const Row = z.looseObject({
  litellm_provider: z.string().min(1),
  mode: z.string().nullish(),
  source: z.string().nullish(),
  deprecation_date: z.unknown().optional(),
  provider_specific_entry: z.record(z.string(), z.unknown()).nullish().catch(null),
  tiered_pricing: z.array(z.looseObject(fields)).nullish(),
  ...fields,
})
export type Row = z.infer<typeof Row>

const modalities = new Map<string, Modality>([
  ['chat', 'llm'],
  ['completion', 'llm'],
  ['responses', 'llm'],
  ['realtime', 'llm'],
  ['embedding', 'embedding'],
  ['image_generation', 'image'],
  ['image_edit', 'image'],
  ['audio_transcription', 'audio'],
  ['audio_speech', 'audio'],
  ['video_generation', 'video'],
  ['rerank', 'rerank'],
  ['moderation', 'moderation'],
  ['ocr', 'ocr'],
  ['search', 'search'],
  ['vector_store', 'other'],
])

export function toModality(mode: string | null | undefined): Modality | null {
  return mode == null ? null : (modalities.get(mode) ?? 'other')
}

/** A row or one of its tiers, as it is written. */
export type Fields = Record<string, unknown>

/** The lowest first: it is the headline, because rows with `tiered_pricing` state no other price. */
export function listTiers({ tiered_pricing }: Row): Fields[] {
  const start = (tier: Fields) => parseRange(tier)?.from ?? 0
  return (tiered_pricing ?? []).toSorted((a, b) => start(a) - start(b))
}

/** `range` counts input tokens. The name of any other range says what it counts: `max_results_range`. */
export function parseRange(tier: Fields): { of: string; from: number; to: number } | null {
  const [field, range] = Object.entries(tier).find(([name]) => /range$/.test(name)) ?? []
  if (field === undefined || !Array.isArray(range)) return null
  return { of: field.replace(/_?range$/, ''), from: Number(range[0]), to: Number(range[1]) }
}

export function isPositive(amount: DecimalText | null): boolean {
  return amount !== null && amount !== '0'
}
