import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../platform/ids.ts'

// A key is `rc_live_`, 30 random base-62 characters (178 bits), and a checksum of six: the CRC-32 of all before
// it. So a mistyped or truncated key is refused without asking the database, and secret scanners can tell a
// real key from a look-alike.

export const keyPrefix = 'rc_live_'
const randomLength = 30
const checksumLength = 6
export const keyLength = keyPrefix.length + randomLength + checksumLength
const keyGrammar = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

export function generateApiKey(): string {
  const body = keyPrefix + randomBase62(randomLength)
  return body + checksum(body)
}

/** Whether the text could be a key of ours: its form and checksum are right. Says nothing about its validity. */
export function isWellFormedKey(text: string): boolean {
  return keyGrammar.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/** What is stored instead of the key, and looked up by. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksum(text: string): string {
  return toBase62(crc32(text), checksumLength)
}
