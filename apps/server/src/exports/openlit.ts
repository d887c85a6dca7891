import { inSourceUnit } from '../catalog/decimal.ts'
import { jsonText, type FormInput, type Written } from './form.ts'
import { nameAlone } from './names.ts'
import { tokenRows, toNumbers } from './token-prices.ts'

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
  const { rows, held } = tokenRows(nameAlone(resources, losses), losses, {
    fields,
    pickFields: ({ resource }) =>
      resource.modality === 'embedding' ? { input_tokens: fields.input_tokens } : fields,
    needs: [fields.input_tokens, fields.output_tokens],
    toRow: ({ resource, model }, { base }) => ({
      isEmbedding: resource.modality === 'embedding',
      model,
      prices: toNumbers(base, (amount) => inSourceUnit(amount, perThousand)),
    }),
  })
  const [chat, embeddings] = [false, true].map((kind) =>
    rows.filter(({ isEmbedding }) => isEmbedding === kind),
  )
  const document = {
    chat: Object.fromEntries(chat!.map(({ model, prices }) => [model, prices])),
    embeddings: Object.fromEntries(embeddings!.map(({ model, prices }) => [model, prices['promptPrice']])),
    images: {},
    audio: {},
  }
  return { content: jsonText(document), rows: held.size, held }
}
