import { isPriceField } from '../ingest/sources/lists/litellm-fields.ts'
import { jsonByKey, type FormInput, type Written } from './form.ts'
import { litellmRows } from './litellm.ts'

/**
 * Bifrost's datasheet: rows like LiteLLM's, of which each names its provider and its kind of request. Rows without a kind
 * are of no use there.
 */
export function writeBifrost(input: FormInput): Written {
  const { rows, keys, upstream } = litellmRows(input)
  const own = new Map<string, object>()
  for (const [key, row] of rows) {
    const { litellm_provider: provider, mode, ...rest } = row as Record<string, unknown>
    const id = keys.get(key) ?? `litellm:${key}`
    if (typeof provider !== 'string' || typeof mode !== 'string') {
      if (typeof provider === 'string') input.losses.add('rows without a kind of request', id)
      continue
    }
    const fields = Object.entries(rest).map(([field, value]) => [toName(field), value] as const)
    const unknown = fields.filter(([field]) => isPriceField(field) && !known.test(field))
    for (const [field] of unknown) input.losses.add('rates that it has no field for', id, field)
    own.set(key, {
      provider,
      mode,
      ...Object.fromEntries(fields.filter((field) => !unknown.includes(field))),
    })
  }
  const ids = new Set([...own.keys()].map((key) => keys.get(key)))
  const held = new Set(input.resources.filter(({ resource_id }) => ids.has(resource_id)))
  return { rows: own.size, content: jsonByKey(own), held, upstream }
}

/** It has the tier before the threshold where LiteLLM has it behind, but for `priority`. */
function toName(field: string): string {
  return field.replace(/_(above_\d+k_tokens)_flex$/, '_flex_$1')
}

/** The fields of prices that it reads, by the parts of their names (framework/modelcatalog/datasheet/types.go). */
const known = new RegExp(
  [
    String.raw`^(?:input|output)_cost_per_token(?:_batches|_ultrafast|_fast)?$`,
    String.raw`^(?:input|output)_cost_per_token(?:_above_128k_tokens|(?:_above_(?:200|272)k_tokens)?(?:_priority)?)$`,
    String.raw`^(?:input|output)_cost_per_token_flex(?:_above_272k_tokens)?$`,
    String.raw`^cache_(?:read|creation)_input_token_cost(?:_above_(?:200|272)k_tokens|_priority|_ultrafast|_fast)?$`,
    String.raw`^cache_read_input_token_cost_above_(?:200|272)k_tokens_priority$`,
    String.raw`^cache_(?:read|creation)_input_token_cost_flex(?:_above_272k_tokens)?$`,
    String.raw`^cache_creation_input_token_cost_above_1hr(?:_above_200k_tokens|_fast)?$`,
    String.raw`^cache_creation_input_audio_token_cost$`,
    String.raw`^cache_read_input_image_token_cost$`,
    String.raw`^input_cost_per_(?:character|image|pixel|image_token|audio_token|second)$`,
    String.raw`^input_cost_per_(?:audio|video)_per_second(?:_above_128k_tokens)?$`,
    String.raw`^input_cost_per_image_above_128k_tokens$`,
    String.raw`^output_cost_per_(?:image|pixel|image_token|audio_token|second|video_per_second)$`,
    String.raw`^output_cost_per_image_above_(?:512_and_512|1024_and_1024)_pixels(?:_and_premium_image)?$`,
    String.raw`^output_cost_per_image_(?:premium_image|(?:low|medium|high|auto)_quality)$`,
    String.raw`^output_cost_per_video_per_second_(?:480p|720p|1024p|1080p)$`,
    String.raw`^(?:search_context_cost_per_query|code_interpreter_cost_per_session|ocr_cost_per_page|annotation_cost_per_page)$`,
  ].join('|'),
)
