import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'

// As much of Stripe as the server speaks to: prices, customers, checkouts with a page to pay on, the portal,
// subscriptions, and signed events. Payments are made by `pay`, or by the button of the page.

/** One of Stripe's things, by its fields. */
type StripeObject = { id: string } & Record<string, unknown>

export interface StripeEvent {
  id: string
  livemode?: boolean
  type: string
  data: { object: StripeObject }
}

export interface FakeStripe {
  url: string
  /** The server's environment for selling here. */
  env: Record<string, string>
  /** Requests that came, such as `POST /v1/customers`, with their fields as they are written in a form. */
  requests: { line: string; form: Record<string, string> }[]
  checkouts: Map<string, StripeObject>
  subscriptions: Map<string, StripeObject>
  /** While false, every request is answered with 500. */
  works: boolean
  /** The target of events and of customers who have paid: the server under test. */
  sellFor: (serverUrl: string) => void
  /** Pays a checkout. @returns Stripe's event of it, not delivered yet */
  pay: (checkoutId: string) => StripeEvent[]
  /** The payment that paid for a subscription. */
  paymentOf: (subscriptionId: string) => string
  /** A new event about a thing. */
  event: (type: string, object: StripeObject) => StripeEvent
  /** Alters a subscription. @returns Stripe's event of it */
  alter: (subscriptionId: string, fields: Record<string, unknown>, type?: string) => StripeEvent
  /** Delivers an event. @returns the status of the answer */
  deliver: (event: StripeEvent, options?: { secret?: string; signedAt?: Date }) => Promise<number>
  close: () => Promise<void>
}

const secretKey = 'sk_test_ofTheFake'
const webhookSecret = 'whsec_ofTheFake'
const daySeconds = 86_400

const prices: Record<string, StripeObject> = {
  price_developer: {
    ...{ id: 'price_developer', object: 'price', currency: 'usd', unit_amount: 3_900 },
    recurring: { interval: 'month', interval_count: 1 },
  },
  price_pack: { id: 'price_pack', object: 'price', currency: 'usd', unit_amount: 500, recurring: null },
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const signer = new Stripe(secretKey).webhooks
  const customers = new Map<string, StripeObject>()
  let server = ''
  let made = 0
  const newId = (prefix: string) => `${prefix}_${(made += 1)}`

  const routes: [RegExp, (form: Record<string, string>, id: string) => StripeObject | undefined][] = [
    [/^GET \/v1\/prices\/(\w+)$/, (_form, id) => prices[id]],
    [
      /^POST \/v1\/customers$/,
      (form) => keep(customers, { id: newId('cus'), object: 'customer', name: form.name, email: form.email }),
    ],
    [/^POST \/v1\/checkout\/sessions$/, (form) => keep(fake.checkouts, checkoutOf(newId('cs'), form))],
    [
      /^POST \/v1\/billing_portal\/sessions$/,
      () => ({ id: newId('bps'), object: 'billing_portal.session', url: `${fake.url}/portal` }),
    ],
    [
      /^GET \/v1\/subscriptions$/,
      (form) => ({
        ...{ id: 'list', object: 'list', has_more: false },
        data: [...fake.subscriptions.values()].filter(({ customer }) => customer === form.customer),
      }),
    ],
    [/^GET \/v1\/subscriptions\/(\w+)$/, (_form, id) => fake.subscriptions.get(id)],
    [
      /^DELETE \/v1\/subscriptions\/(\w+)$/,
      (_form, id) => Object.assign(fake.subscriptions.get(id)!, { status: 'canceled' }),
    ],
    [
      /^GET \/v1\/invoice_payments$/,
      (form) => ({
        ...{ id: 'list', object: 'list', has_more: false },
        data: [...fake.subscriptions.values()]
          .filter(({ id }) => fake.paymentOf(id) === form['payment[payment_intent]'])
          .map((subscription) => ({
            id: 'inpay_1',
            object: 'invoice_payment',
            invoice: invoiceOf(subscription),
          })),
      }),
    ],
  ]

  function invoiceOf({ id, items }: StripeObject): StripeObject {
    const [item] = (items as { data: { current_period_start: number; current_period_end: number }[] }).data
    return {
      ...{ id: `in_${id}`, object: 'invoice' },
      parent: { type: 'subscription_details', subscription_details: { subscription: id } },
      lines: {
        object: 'list',
        data: [{ period: { start: item?.current_period_start, end: item?.current_period_end } }],
      },
    }
  }

  function checkoutOf(id: string, form: Record<string, string>): StripeObject {
    return {
      ...{ id, object: 'checkout.session', status: 'open', payment_status: 'unpaid', payment_intent: null },
      url: `${fake.url}/pay/${id}`,
      mode: form.mode,
      customer: form.customer,
      success_url: form.success_url,
      cancel_url: form.cancel_url,
      metadata: metadataOf(form),
    }
  }

  function subscriptionOf(checkout: StripeObject): StripeObject {
    const now = Math.floor(Date.now() / 1_000)
    return {
      ...{ id: newId('sub'), object: 'subscription', status: 'active', customer: checkout.customer },
      metadata: checkout.metadata,
      start_date: now,
      cancel_at: null,
      cancel_at_period_end: false,
      items: {
        object: 'list',
        data: [{ id: newId('si'), current_period_start: now, current_period_end: now + 30 * daySeconds }],
      },
    }
  }

  const fake: FakeStripe = {
    url: '',
    env: {},
    requests: [],
    checkouts: new Map(),
    subscriptions: new Map(),
    works: true,
    sellFor: (serverUrl) => void (server = serverUrl),
    pay: (checkoutId) => {
      const checkout = fake.checkouts.get(checkoutId)!
      Object.assign(checkout, { status: 'complete', payment_status: 'paid' })
      if (checkout.mode === 'payment') {
        checkout.payment_intent = newId('pi')
        return [fake.event('checkout.session.completed', checkout)]
      }
      const subscription = keep(fake.subscriptions, subscriptionOf(checkout))
      return [
        fake.event('customer.subscription.created', subscription),
        fake.event('checkout.session.completed', checkout),
      ]
    },
    paymentOf: (subscriptionId) => `pi_${subscriptionId}`,
    event: (type, object) => ({
      ...{ id: newId('evt'), object: 'event', api_version: '2026-10-28.endive', livemode: false },
      created: Math.floor(Date.now() / 1_000),
      type,
      data: { object: structuredClone(object) },
    }),
    alter: (subscriptionId, fields, type = 'customer.subscription.updated') =>
      fake.event(type, Object.assign(fake.subscriptions.get(subscriptionId)!, fields)),
    deliver: async (event, { secret = webhookSecret, signedAt = new Date() } = {}) => {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(signedAt.getTime() / 1_000)
      const signature = signer.generateTestHeaderString({ payload, secret, timestamp })
      const response = await fetch(`${server}/dashboard/api/billing/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body: payload,
      })
      await response.arrayBuffer()
      return response.status
    },
    close: async () => {
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', fake.url)
    const checkout = fake.checkouts.get(/^\/pay\/(\w+)$/.exec(url.pathname)?.[1] ?? '')
    const text = await textOf(req)
    if (checkout) return answerPayer(req, res, checkout)
    const line = `${req.method} ${url.pathname}`
    const form = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)])
    fake.requests.push({ line, form })
    if (!fake.works) return sendError(res, 500, 'The fake does not work at the moment.')
    if (req.headers.authorization !== `Bearer ${secretKey}`) return sendError(res, 401, 'Invalid API key.')
    for (const [pattern, make] of routes) {
      const match = pattern.exec(line)
      const object = match && make(form, match[1] ?? '')
      if (object) return sendJson(res, 200, object)
    }
    sendError(res, 404, `The fake knows no ${line}.`)
  }

  /** The payment page, and the action of its button. */
  async function answerPayer(
    req: IncomingMessage,
    res: ServerResponse,
    checkout: StripeObject,
  ): Promise<void> {
    if (req.method === 'POST') {
      for (const event of fake.pay(checkout.id)) await fake.deliver(event)
      res.writeHead(303, { location: String(checkout.success_url) }).end()
      return
    }
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    res.end(
      `<!doctype html><html lang="en"><title>Checkout</title><h1>Checkout</h1><form method="post"><button>Pay</button></form><a href="${String(checkout.cancel_url)}">Back</a></html>`,
    )
  }

  const listener = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  fake.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  fake.env = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_DEVELOPER: 'price_developer',
    STRIPE_PRICE_PACK: 'price_pack',
  }
  return fake
}

function keep(map: Map<string, StripeObject>, object: StripeObject): StripeObject {
  map.set(object.id, object)
  return object
}

function metadataOf(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_ofTheFake' })
  res.end(JSON.stringify(body))
}

function sendError(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { error: { type: 'api_error', message } })
}
