import { Buffer } from 'node:buffer'
import type { BinaryLike } from 'node:crypto'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Question } from './pipeline.ts'
import type { WebhookData } from './types.ts'

const hmac = (data: WebhookData, secret: string) =>
  createHmac('sha256', secret).update(
    typeof data === 'string' || ArrayBuffer.isView(data) ? (data as BinaryLike) : new Uint8Array(data),
  )

/** Compares in constant time. The digits, not the bytes: the digest as a text is there sooner than as a buffer. */
export function matches([data, secret, signature]: Question): boolean {
  return timingSafeEqual(Buffer.from(hmacHex(data, secret), 'latin1'), Buffer.from(signature, 'latin1'))
}

/** The lower-case hex HMAC-SHA256 of exactly these bytes. */
export function hmacHex(data: WebhookData, secret: string): string {
  return hmac(data, secret).digest('hex')
}
