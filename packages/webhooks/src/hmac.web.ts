import type { WebhookData } from './types.ts'

type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>

const encoder = new TextEncoder()
const toBytes = (data: WebhookData) => (typeof data === 'string' ? encoder.encode(data) : data) as Bytes

type Key = Awaited<ReturnType<typeof importKey>>

const importKey = (secret: string) =>
  crypto.subtle.importKey('raw', toBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

const keys = new Map<string, Key>()

/** Imports a secret once: an import costs more than the HMAC of a small body. */
async function deriveKey(secret: string): Promise<Key> {
  const key = keys.get(secret) ?? (await importKey(secret))
  // Bounded, for receivers with a secret per customer.
  if (keys.size > 99) keys.clear()
  keys.set(secret, key)
  return key
}

/** Whether this is the signature of the data under the secret. Compares in constant time, as Web Crypto does. */
export async function matches(data: WebhookData, secret: string, signature: string): Promise<boolean> {
  const bytes = Uint8Array.from(signature.match(/../g)!, (pair) => parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', await deriveKey(secret), bytes, toBytes(data))
}

/** The lower-case hex HMAC-SHA256 of exactly these bytes. */
export async function hmacHex(data: WebhookData, secret: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await deriveKey(secret), toBytes(data)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
