import { createHmac } from 'node:crypto'

export const signatureHeader = 'x-svc-signature'

/** What an attempt signs. */
export interface Signed {
  body: Uint8Array
  secret: string
  /** The secret that will sign soon: the headers of Standard Webhooks, which may hold several signatures, have its too. */
  nextSecret?: string | null
  /** The same on every attempt. */
  deliveryId: string
  /** When this attempt began. */
  at: Date
}

/** The header's value for a body: `sha256=` and the lower-case hex HMAC-SHA256 of exactly these bytes. */
export function signBody(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/**
 * The headers of Standard Webhooks. The key is the secret's UTF-8 bytes; libraries of the standard take it as `whsec_`
 * and its base64.
 */
export function standardHeaders({
  body,
  secret,
  nextSecret,
  deliveryId,
  at,
}: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = [secret, nextSecret ?? []].flat().map((key) => {
    const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.`).update(body)
    return `v1,${signature.digest('base64')}`
  })
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
