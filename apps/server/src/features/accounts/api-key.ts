import { createHash } from 'node:crypto'
import { keyPrefix, keyRandomLength, withChecksum } from '@ratecard/contract/api-key'
import { randomBase62 } from '../../platform/ids.ts'

/**
 * @param mark of the cell that it belongs to, in place of the first random characters: with two of them 166 random bits
 *   stay, and the key has the form of every key
 */
export function generateApiKey(mark = ''): string {
  return withChecksum(keyPrefix + mark + randomBase62(keyRandomLength - mark.length))
}

/** The hash that is stored and looked up in place of the key. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
