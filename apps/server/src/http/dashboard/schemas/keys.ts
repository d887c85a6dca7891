import { z } from 'zod'
import { KeyScope } from '../../../features/accounts/api-key-store.ts'
import { Name, OptionalTimestamp, Pagination } from './common.ts'
import { Key } from '../../../features/metering/key-record-store.ts'

export { Key, KeyScope }

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
