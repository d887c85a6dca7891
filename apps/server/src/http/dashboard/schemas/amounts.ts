import { z } from 'zod'

export const AmountField = z.enum([
  'input_per_mtok',
  'output_per_mtok',
  'cached_input_per_mtok',
  'image_per_unit',
  'audio_per_min',
  'video_per_sec',
])

/** An amount as decimal text; null: unknown. */
export const Amount = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .nullable()

export const Amounts = z.strictObject({
  input_per_mtok: Amount,
  output_per_mtok: Amount,
  cached_input_per_mtok: Amount,
  image_per_unit: Amount,
  audio_per_min: Amount,
  video_per_sec: Amount,
})

export const AmountNumber = z.number().min(0).nullable()

/** The same as numbers, with their currency. */
export const AmountNumbers = z.strictObject({
  input_per_mtok: AmountNumber,
  output_per_mtok: AmountNumber,
  cached_input_per_mtok: AmountNumber,
  image_per_unit: AmountNumber,
  audio_per_min: AmountNumber,
  video_per_sec: AmountNumber,
  currency: z.string().nullable(),
})
