import { Buffer } from 'node:buffer'
import { createHmac, createSecretKey, timingSafeEqual, type BinaryLike, type KeyObject } from 'node:crypto'
import type { WebhookData } from './types.ts'

const keys = new Map<string, KeyObject>()

/** Prepares a secret once: preparing it from text takes as long as the HMAC of half a kilobyte. */
function deriveKey(secret: string): KeyObject {
  let key = keys.get(secret)
  if (!key) {
    key = createSecretKey(secret, 'utf8')
    // Bounded, for receivers with a secret per customer.
    if (keys.size > 99) keys.clear()
    keys.set(secret, key)
  }
  return key
}

// Both sides of a comparison, 64 digits each. No other code runs between writing and comparing.
const expected = Buffer.alloc(64)
const actual = Buffer.alloc(64)

/**
 * Whether this is the signature of the data under the secret. Compares in constant time. It compares digits, not bytes:
 * the digest is available sooner as text than as a buffer.
 */
export function matches(data: WebhookData, secret: string, signature: string): boolean {
  expected.write(hmacHex(data, secret), 'latin1')
  // A shorter signature would leave digits of the one before it.
  if (actual.write(signature, 'latin1') !== 64) return false
  return timingSafeEqual(expected, actual)
}

/** The lower-case hex HMAC-SHA256 of exactly these bytes. */
export function hmacHex(data: WebhookData, secret: string): string {
  const bytes = typeof data === 'string' || ArrayBuffer.isView(data) ? data : new Uint8Array(data)
  return createHmac('sha256', deriveKey(secret))
    .update(bytes as BinaryLike)
    .digest('hex')
}
