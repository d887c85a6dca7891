import { randomFillSync } from 'node:crypto'
import { base62 } from '@ratecard/contract/api-key'

// Asking for many bytes at a time is a tenth of the work.
const pool = Buffer.alloc(4_096)
let used = pool.length

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const byte = pool[used]!
  // No byte is kept after its use.
  pool[used] = 0
  used += 1
  return byte
}

/** `length` random characters of [0-9A-Za-z], each equally likely (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    // 248 = 4 * 62: bytes above would make the first characters likelier.
    if (byte < 248) text += base62[byte % 62]
  }
  return text
}

export type IdPrefix =
  | 'acct'
  | 'key'
  | 'pack'
  | 'chg'
  | 'alt'
  | 'wh'
  | 'alert'
  | 'ann'
  | 'dlv'
  | 'test'
  | 'req'
  | 'usr'
  | 'ses'
  | 'auth'
  | 'pky'
  | 'inv'
  | 'aud'
  | 'run'
  | 'hold'
  | 'report'
  | 'fol'

/** A new identifier such as `acct_3kTMd1Yb0sZc9QwErTyU`: its kind and 119 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(20)}`
}
