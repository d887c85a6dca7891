import { createHmac } from 'node:crypto'

export const signatureHeader = 'x-svc-signature'

/** The header's value for a body: `sha256=` and the lower-case hex HMAC-SHA256 of exactly these bytes. */
export function signBody(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
