import { signatureHeader } from './signature-header.ts'
import type { AlertedChange } from './types.ts'

/** What to sign. */
export interface TestRequestOptions {
  /** The secret your endpoint verifies with. */
  secret: string
  /** The changes; what you leave out is filled in. One sample change unless told. */
  changes?: readonly Partial<AlertedChange>[] | undefined
  /** The time of the attempt; text is taken as it is. Now unless told. */
  timestamp?: Date | number | string | undefined
  /** Where it goes. `https://acme.example` unless told. */
  url?: string | undefined
}

/** A delivery as Ratecard sends it. `fetch(request.url, request)` posts it. */
export interface TestRequest {
  url: string
  method: 'POST'
  headers: Record<string, string>
  body: string
}

/** The body of a delivery. */
export function testBody({ changes = [{}], timestamp = Date.now() }: TestRequestOptions): string {
  return JSON.stringify({
    event: 'change.alert',
    timestamp: typeof timestamp === 'string' ? timestamp : new Date(timestamp).toJSON().replace('Z', '000Z'),
    changes: changes.map((change, index) => ({
      id: 'chg_' + index,
      vendor: 'acme',
      product: 'acme/model',
      category: 'price_cut',
      title: 'Test',
      summary: 'Test',
      severity: 3,
      url: 'https://acme.example',
      ...change,
    })),
  })
}

export function testRequest(url = 'https://acme.example', body: string, signature: string): TestRequest {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Ratecard-Webhooks/1.0.0',
    'x-svc-delivery': 'test',
    'x-svc-attempt': '1',
    [signatureHeader]: signature,
  }
  return { url, method: 'POST', headers, body }
}
