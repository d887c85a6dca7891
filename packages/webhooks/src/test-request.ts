import { signatureHeader } from './signature-header.ts'
import type { AlertedChange } from './types.ts'

/** What to sign. */
export interface TestRequestOptions {
  /** The secret that your endpoint verifies with. */
  secret: string
  /** The changes. Fields that you leave out are filled in. Default: one sample change. */
  changes?: readonly Partial<AlertedChange>[] | undefined
  /** The time of the attempt. A text is used unchanged. Default: now. */
  timestamp?: Date | number | string | undefined
  /** The address of the endpoint. Default: `https://acme.example`. */
  url?: string | undefined
  /** Adds the headers of Standard Webhooks, as Ratecard does where a webhook asks for them. Default: `false`. */
  standardWebhooks?: boolean | undefined
}

/** A delivery as Ratecard sends it. `fetch(request.url, request)` posts it. */
export interface TestRequest {
  url: string
  method: 'POST'
  headers: Record<string, string>
  body: string
}

const delivery = 'test'

/** A delivery before it is signed: the texts to sign, and what it is with their signatures. */
export function buildDraft({
  changes = [{}],
  timestamp = Date.now(),
  url = 'https://acme.example',
  standardWebhooks,
}: TestRequestOptions) {
  const body = JSON.stringify({
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
  const seconds = Math.floor(+new Date(timestamp) / 1e3)
  return {
    body,
    /** The text that Standard Webhooks signs, when it is requested. */
    standard: standardWebhooks ? `${delivery}.${seconds}.${body}` : undefined,
    /**
     * @param signature the value of `x-svc-signature`
     * @param standardHex the HMAC of `standard`, in hex
     */
    signed: (signature: string, standardHex: string | undefined): TestRequest => {
      const headers: Record<string, string> = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Ratecard-Webhooks/1.0.0',
        'x-svc-delivery': delivery,
        'x-svc-attempt': '1',
        [signatureHeader]: signature,
      }
      if (standardHex) {
        headers['webhook-id'] = delivery
        headers['webhook-timestamp'] = String(seconds)
        const bytes = standardHex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)))
        headers['webhook-signature'] = `v1,${btoa(bytes)}`
      }
      return { url, method: 'POST', headers, body }
    },
  }
}
