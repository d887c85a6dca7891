import { createHmac, timingSafeEqual } from 'node:crypto'

/** A signature over parts that only the holder of the secret can make. */
export function signProof(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
}

/** @param proof of any length, from outside */
export function checkProof(secret: string, parts: readonly string[], proof: string): boolean {
  const right = Buffer.from(signProof(secret, parts))
  const shown = Buffer.from(proof)
  return right.length === shown.length && timingSafeEqual(right, shown)
}
