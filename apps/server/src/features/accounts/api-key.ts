import { createHash } from 'node:crypto'
import { keyPrefix, keyRandomLength, withChecksum } from '@ratecard/contract/api-key'
import { randomBase62 } from '../../platform/ids.ts'

export function generateApiKey(): string {
  return withChecksum(keyPrefix + randomBase62(keyRandomLength))
}

/** What is stored instead of the key, and looked up by. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
