import { z } from 'zod'

// Values as the interfaces take and give them, and as the stores read them.

/** Without control characters. */
export const Text = z.string().regex(/^[^\u0000-\u001f\u007f-\u009f]+$/)

export const Id = Text.min(1).max(256)

/** The `resource_id` of a price record. */
export const ResourceId = Text.min(1).max(512)

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
