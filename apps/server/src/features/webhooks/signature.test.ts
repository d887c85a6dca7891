import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { signatureHeader, signBody, standardHeaders } from './signature.ts'

/** A public test case: what `x-svc-signature` is for a body under a secret. */
interface Vector {
  id: string
  secret: string
  body?: string
  body_base64?: string
  signature: string
  note: string
}

// Made with Python's hmac and checked with OpenSSL: `fixtures/webhook-signatures.json` is for receivers' tests too.
const file = new URL('../../../../../fixtures/webhook-signatures.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]
const bytesOf = ({ body, body_base64 }: Vector) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64')

test('the header has the name that the interface gives it', () => {
  expect(signatureHeader).toBe('x-svc-signature')
})

describe('public vectors', () => {
  test.each(vectors)('$id: $note', (vector) => {
    expect(signBody(bytesOf(vector), vector.secret)).toBe(vector.signature)
    expect(vector.signature).toMatch(/^sha256=[0-9a-f]{64}$/)
  })

  test('each has a name of its own and one body', () => {
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length)
    for (const { body, body_base64 } of vectors)
      expect([body, body_base64].filter((given) => given !== undefined)).toHaveLength(1)
  })

  test('what looks the same is signed differently, but for NUL at the end of a secret', () => {
    const twins = new Set(['C7'])
    const signatures = vectors.filter(({ id }) => !twins.has(id)).map(({ signature }) => signature)
    expect(new Set(signatures).size).toBe(signatures.length)
  })
})

// Made with Python's hmac.
test.each([
  ['a secret of sixteen', '{"event":"change.alert"}', 'v1,pbh8zL8Oo9gDBHTCkKVCX6P+bLqgRcGIZnTsMPPbHrg='],
  ['Schlüssel → 鍵 😀', '{"title":"Ünïcode 2.50 €"}', 'v1,W1HeqgbQbZVFSGpmm/LJDevnPZb/oGfnSgdBv46HDUI='],
])('the headers of Standard Webhooks under the secret %s', (secret, body, signature) => {
  const at = new Date(1_764_000_000_999)
  expect(standardHeaders({ body: Buffer.from(body), secret, deliveryId: 'dlv_0Aa1Bb2Cc3', at })).toEqual({
    'webhook-id': 'dlv_0Aa1Bb2Cc3',
    'webhook-timestamp': '1764000000',
    'webhook-signature': signature,
  })
})
