import { z } from 'zod'

export const ChangeDetails = z.strictObject({
  /** HTML, to stand in place of what the page says of paid plans; null: the account's plan has no more. */
  html: z.string().nullable(),
})
