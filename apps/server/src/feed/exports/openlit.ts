import { inSourceUnit } from '../../features/prices/decimal.ts'
import type { FormInput, Written } from './form.ts'
import { nameAlone } from './names.ts'
import { isPriced, type ExportResource } from './resource.ts'
import { pickTokenPrices } from './token-prices.ts'

const fields = {
  input_tokens: 'promptPrice',
  output_tokens: 'completionPrice',
  cached_input_tokens: 'cacheReadPrice',
  cache_write_tokens: 'cacheCreationPrice',
}
/** It counts thousands. */
const perThousand = { times: 1_000 }

/** OpenLIT's pricing file: USD for a thousand tokens by the name of a model alone. */
export function writeOpenlit({ resources, losses }: FormInput): Written {
  const held = new Set<ExportResource>()
  const chat = new Map<string, object>()
  const embeddings = new Map<string, number>()
  for (const { resource, model } of nameAlone(resources, losses)) {
    if (!isPriced(resource, losses)) continue
    const isEmbedding = resource.modality === 'embedding'
    const own = isEmbedding ? { input_tokens: fields.input_tokens } : fields
    const prices = pickTokenPrices(resource, { fields: own, hasTiers: false }, losses)
    if (prices === null) continue
    const { promptPrice, completionPrice, ...cache } = prices.base
    if (promptPrice === undefined || (completionPrice === undefined && !isEmbedding)) {
      losses.add('resources of which only input or output is known', resource.resource_id)
      continue
    }
    if (isEmbedding) embeddings.set(model, inSourceUnit(promptPrice, perThousand))
    else
      chat.set(
        model,
        Object.fromEntries(
          Object.entries({ promptPrice, completionPrice: completionPrice!, ...cache }).map(
            ([field, amount]) => [field, inSourceUnit(amount, perThousand)],
          ),
        ),
      )
    held.add(resource)
  }
  const document = {
    chat: Object.fromEntries(chat),
    embeddings: Object.fromEntries(embeddings),
    images: {},
    audio: {},
  }
  return { content: `${JSON.stringify(document, null, 1)}\n`, rows: held.size, held }
}
