import { alertText, buildAlerts, listEvents } from '@ratecard/contract/alert'
import { fakeId } from './api-key.ts'
import type { FakeClock } from './clock.ts'
import type { Engine } from './engine.ts'
import { isObject } from './refusal.ts'
import type { Change } from './rows.ts'
import type { WebRequest, WebResponse } from './web-types.ts'

/** Takes a delivery to an endpoint: a handler of yours, or `fetch`. */
export type FakeEndpoint = (request: WebRequest) => WebResponse | Promise<WebResponse>

/** An alert at one endpoint. */
export interface FakeDelivery {
  webhookId: string
  /** The status that the endpoint answered with. */
  status: number
}

/** Sends alerts as the service does, each once. */
export function createAlerts({ webhooks, accounts }: Engine, clock: FakeClock, baseUrl: string) {
  let count = 0

  async function signed(url: string, secret: string, body: string): Promise<Request> {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Ratecard-Webhooks/1.0.0',
      'x-svc-delivery': fakeId('dlv', (count += 1)),
      'x-svc-attempt': '1',
      'x-svc-signature': `sha256=${await hmacHex(body, secret)}`,
    }
    return new Request(url, { method: 'POST', headers, body })
  }

  return async (endpoint: FakeEndpoint, changes: readonly Change[]): Promise<FakeDelivery[]> => {
    if (typeof endpoint !== 'function' || !changes.every(isObject)) {
      throw new TypeError(
        'Give an endpoint and changes: fake.deliverAlerts(handler, ...fake.putChanges({ … })).',
      )
    }
    const deliveries: FakeDelivery[] = []
    for (const alert of buildAlerts(changes, baseUrl)) {
      for (const { account, webhook, secret } of webhooks.rows) {
        if (!webhook.active || !accounts.isPaid(account)) continue
        if (!listEvents(webhook.events).includes(alert.event)) continue
        // The time of the machine: receivers compare it with theirs.
        const body = alertText(alert.event, JSON.stringify(alert.changes), new Date())
        const { status } = await endpoint(await signed(webhook.url, secret, body))
        webhooks.record(webhook.id, classifyOutcome(status), clock)
        deliveries.push({ webhookId: webhook.id, status })
      }
    }
    return deliveries
  }
}

async function hmacHex(body: string, secret: string): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(body)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function classifyOutcome(status: number) {
  if (status >= 200 && status <= 299) return { last_status: status, last_error: null }
  const isRedirect = status >= 300 && status <= 399
  const last_error = `${isRedirect ? 'redirect' : `http_${status}`}: The endpoint answered ${status}.`
  return { last_status: status, last_error, ...(status === 410 && { active: false }) }
}
