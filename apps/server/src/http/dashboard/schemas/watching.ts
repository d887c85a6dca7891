import { z } from 'zod'
import { AmountNumbers } from '../../../catalog/amount-forms.ts'
import { Day, Id, Text, Timestamp, Units } from './common.ts'

export const WatchKind = z.enum(['product', 'vendor'])

/** As changes name it; of a record without a product its resource. */
export const WatchName = Text.min(1).max(512)

export const WatchInput = z.strictObject({ kind: WatchKind, name: WatchName, watched: z.boolean() })

export const WatchedPrice = AmountNumbers.extend({ resource_id: z.string(), platform: z.string() })

export const WatchedAnnouncement = AmountNumbers.extend({ resource_id: z.string(), starts_on: Day })

export const LastChange = z.strictObject({
  id: Id,
  title: z.string(),
  severity: z.int().min(1).max(5),
  at: Timestamp,
})

export const Watch = z.strictObject({
  kind: WatchKind,
  name: WatchName,
  title: z.string(),
  /** The path of its public page. */
  page: z.string(),
  watched_since: Timestamp,
  /** The maker; null when neither a price nor a change names it any more. */
  vendor: z.string().nullable(),
  products: Units,
  platforms: Units,
  records: Units,
  /** Of a product, where it costs least; null when no amount is known. */
  cheapest: WatchedPrice.nullable(),
  last_change: LastChange.nullable(),
  announced: WatchedAnnouncement.nullable(),
  /** The first day on which one of its models is retired; null when none is known. */
  retires_on: Day.nullable(),
})

export const WatchList = z.strictObject({ data: z.array(Watch).max(200), max: Units })
