import { z } from 'zod'
import { keyScopes } from '../../../features/accounts/api-key-store.ts'
import { Id, Name, OptionalTimestamp, Pagination, Timestamp, Units } from './common.ts'

/** `all`: all that the plan includes. `prices`: prices alone. */
export const KeyScope = z.enum(keyScopes)

/** An API key. The key itself is shown once, when it is made. */
export const Key = z.strictObject({
  id: Id,
  name: Name,
  prefix: z.string(),
  last_four: z.string(),
  scope: KeyScope,
  /** `ending`: it was rotated and works until `revoked_at`. `expired`: it is refused since `expires_at`. */
  state: z.enum(['active', 'ending', 'revoked', 'expired']),
  shares_quota_with: z.array(Id),
  used_today: Units,
  /** Requests with this key on the present UTC day and the 29 before it. */
  used_30_days: Units,
  /** Taken today from the key's daily quota by keys that have ended. A key made on the day on which another ended goes on with its quota. */
  used_by_ended_today: Units,
  created_at: Timestamp,
  /** From when on it is refused, because it was revoked or rotated; null: it was not. */
  revoked_at: OptionalTimestamp,
  /** When it expires; null: never. */
  expires_at: OptionalTimestamp,
  /** From when on it is refused, whatever the reason; null: it is not. */
  ends_at: OptionalTimestamp,
  last_used_at: OptionalTimestamp,
})

export const KeyInput = z.strictObject({
  name: Name,
  /** What it may ask for; all that the plan includes when it is left out. */
  scope: KeyScope.exactOptional(),
  /** From when on it is refused, within five years; null: never. */
  expires_at: OptionalTimestamp.exactOptional(),
})

export const NewKey = z.strictObject({
  key: z.string().regex(/^rc_live_[0-9A-Za-z]{36}$/),
  record: Key,
})

export const KeyList = z.strictObject({
  data: z.array(Key),
  /** Where the next page begins; left out on the last page. */
  pagination: Pagination.exactOptional(),
  active: z.int().min(0).max(1000000),
  active_max: z.int().min(0).max(1000000),
})
