import { planFacts } from '@ratecard/contract/plans'
import { z } from 'zod'

/** Without control characters. */
export const Text = z.string().regex(/^[^\u0000-\u001f\u007f-\u009f]+$/)

export const Id = Text.min(1).max(256)

/** A value to compare with, exactly and case-sensitively. No control characters. */
export const ExactFilter = Text.min(1).max(256)

/** The `resource_id` of a price record. */
export const ResourceId = Text.min(1).max(512)

/** An opaque position in a list, in the characters of unpadded base64url. */
export const CursorText = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[A-Za-z0-9_-]+$/)

/** An instant in UTC, with six decimals and `Z`. Sorts as text. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .meta({ format: 'date-time' })

export const OptionalTimestamp = Timestamp.nullable()

export const Day = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date' })

export const Units = z.int().min(0)

/** A name for people: 1 to 100 characters, no control characters and none that turns the direction of the text after it. */
export const Name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/)

export const Email = Text.max(254).meta({ format: 'email' })

/** A password: 12 to 128 characters. */
export const Password = z.string().min(12).max(128)

export const MailedToken = z
  .string()
  .min(1)
  .max(2048)
  .regex(/^[A-Za-z0-9._~-]+$/)

/** What a member may do. An owner also manages members, billing and the name of the account. */
export const Role = z.enum(['owner', 'member'])

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
