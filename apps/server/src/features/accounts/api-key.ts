import { createHash } from 'node:crypto'
import { keyPrefix, keyRandomLength, withChecksum } from '@ratecard/contract/api-key'
import { randomBase62 } from '../../platform/ids.ts'

export function generateApiKey(): string {
  return withChecksum(keyPrefix + randomBase62(keyRandomLength))
}

/** The hash that is stored and looked up in place of the key. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
