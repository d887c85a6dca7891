import { z } from 'zod'
import { listEntries, pieces, Stated, tokens, type HostList } from './host-list.ts'

const meters = {
  input_price: tokens('input_tokens'),
  output_price: tokens('output_tokens'),
  cache_price: tokens('cached_input_tokens'),
  cache_creation_price: tokens('cache_write_tokens'),
  cache_creation_1h_price: tokens('cache_write_tokens', undefined, '1h'),
  input_audio_price: tokens('input_audio_tokens'),
  cache_audio_price: tokens('cached_input_audio_tokens'),
  input_image_price: tokens('input_image_tokens'),
  output_image_price: tokens('output_image_tokens'),
}

/**
 * Atlas Cloud's answer at /api/v1/models: in USD per million tokens, as its pages show it; the answer itself states no
 * currency. `actual` is what is paid, `origin` what it was before the discount.
 */
export const atlascloud: HostList = {
  platform: 'atlascloud',
  title: "an answer of Atlas Cloud's /api/v1/models",
  link: 'https://www.atlascloud.ai/models',
  Row: z
    .looseObject({
      model: z.string().min(1),
      type: z.string(),
      price: z.looseObject({
        actual: z
          .object({
            // Another type is another way to count.
            type: z.literal('flat').optional(),
            base_price: Stated,
            unit: z.string().nullish(),
            prompt_thresholds: z
              .array(z.object({ threshold: z.int().positive() }).catchall(Stated))
              .nullish(),
          })
          .catchall(Stated),
      }),
    })
    .transform(({ model: id, type, price: { actual } }) => {
      const { base_price: stated, unit, prompt_thresholds, ...base } = actual
      const piece = unit === 'generation' ? pieces('generations', 'generation') : null
      return {
        ...{ id, outputs: [type.toLowerCase()] },
        zero: id.endsWith('-free') ? ('price' as const) : ('unknown' as const),
        entries: [
          ...listEntries(base, meters),
          ...(prompt_thresholds ?? []).flatMap(({ threshold, ...above }) =>
            listEntries(above, meters, { threshold }),
          ),
          ...(piece === null ? [] : [{ field: 'base_price', stated, ...piece }]),
        ],
      }
    }),
  fields: {
    reads: (path) => {
      const [, field] = /^price\.actual\.(?:prompt_thresholds\[\]\.)?(\w+)$/.exec(path) ?? []
      return field !== undefined && Object.hasOwn(meters, field)
    },
    ignored: [
      { path: /^price\.origin\./, reason: 'before the discount' },
      { path: /^price\.discount$/, reason: 'a share, already taken off' },
      { path: /^price\.actual\.prompt_thresholds\[\]\.threshold$/, reason: 'read as the threshold' },
      {
        path: /^price\.actual\.base_price$/,
        reason:
          'of an image, a second or a whole video: the list says which in 2 of 331 rows, where it is read',
      },
    ],
  },
}
