import { Buffer } from 'node:buffer'
import type { BinaryLike } from 'node:crypto'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Question } from './pipeline.ts'
import type { WebhookData } from './types.ts'

const hmac = (data: WebhookData, secret: string) =>
  createHmac('sha256', secret).update(
    typeof data === 'string' || ArrayBuffer.isView(data) ? (data as BinaryLike) : new Uint8Array(data),
  )

/** Compares in constant time. */
export function matches([data, secret, signature]: Question): boolean {
  return timingSafeEqual(hmac(data, secret).digest(), Buffer.from(signature, 'hex'))
}

/** The lower-case hex HMAC-SHA256 of exactly these bytes. */
export function hmacHex(data: WebhookData, secret: string): string {
  return hmac(data, secret).digest('hex')
}
