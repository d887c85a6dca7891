import { planFacts } from '@ratecard/contract/plans'
import { z } from 'zod'
import { Name, Text } from '../../../platform/forms.ts'

export { Role } from '../../../features/members/member-store.ts'
export * from '../../../platform/forms.ts'

/** A value to compare with, exactly and case-sensitively. No control characters. */
export const ExactFilter = Text.min(1).max(256)

/** An opaque position in a list, in the characters of unpadded base64url. */
export const CursorText = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[A-Za-z0-9_-]+$/)

/** A password: 12 to 128 characters. */
export const Password = z.string().min(12).max(128)

export const MailedToken = z
  .string()
  .min(1)
  .max(2048)
  .regex(/^[A-Za-z0-9._~-]+$/)

export const Plan = z.enum(Object.keys(planFacts) as (keyof typeof planFacts)[])

/** How to get the next page. Absent on the last one. */
export const Pagination = z.strictObject({
  /** Pass it back unchanged as `cursor`. */
  next_cursor: CursorText,
})

export const Done = z.strictObject({ success: z.literal(true) })

/** Confirms what is done by the present password. */
export const PasswordInput = z.strictObject({ password: Password })

/** Six digits of the app, or a recovery code such as abCd3-FgHi5. */
export const Code = z
  .string()
  .min(6)
  .max(32)
  .regex(/^[0-9A-Za-z -]+$/)

export const CodeInput = z.strictObject({ code: Code })

export const RenameInput = z.strictObject({ name: Name })

/** What a list takes at least. */
export const PageQuery = z.strictObject({
  /** The `pagination.next_cursor` of the page before, unchanged. */
  cursor: CursorText.exactOptional(),
  limit: z.int().min(1).max(100).default(50),
})
