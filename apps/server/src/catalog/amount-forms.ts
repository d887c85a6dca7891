import { z } from 'zod'
import { amountColumns, type AmountColumn } from './price-record.ts'

export const AmountField = z.enum(amountColumns)

/** The same of each amount. */
export function eachAmount<Schema extends z.ZodType>(schema: Schema): Record<AmountColumn, Schema> {
  return Object.fromEntries(amountColumns.map((column) => [column, schema])) as Record<AmountColumn, Schema>
}

/** An amount as decimal text; null: unknown. */
export const Amount = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .nullable()

export const Amounts = z.strictObject(eachAmount(Amount))
export type Amounts = z.infer<typeof Amounts>

/** The same as numbers, with their currency. */
export const AmountNumbers = z.strictObject({
  ...eachAmount(z.number().min(0).nullable()),
  currency: z.string().nullable(),
})
