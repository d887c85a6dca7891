import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { ratecardWebhook } from '../src/fetch.ts'
import { alert, delivery, now, secret } from './builds.ts'
import { commonCases, signed } from './receivers.ts'

const url = 'https://receiver.example/webhooks/ratecard'
const request = (init: RequestInit = {}) => {
  const { method, headers, body } = signed()
  return new Request(url, { method, headers, body, ...init })
}

test.each(commonCases)('answers as every receiver does: %s', async (_, init, status, error) => {
  const receive = ratecardWebhook({ secret, onError: () => {} }, () => expect.unreachable())
  const response = await receive(request(init()))
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error, status })
  expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
})

test('the handler gets the event, the request and what the platform adds, as on Workers', async () => {
  const receive = ratecardWebhook({ secret, now }, (event, incoming, env: { NAME: string }) => {
    expect(event).toEqual(alert)
    return Response.json({ url: incoming.url, name: env.NAME }, { status: 202 })
  })
  const { body, headers } = delivery()
  const response = await receive(request({ body, headers }), { NAME: 'worker' })
  expect(response.status).toBe(202)
  expect(await response.json()).toEqual({ url, name: 'worker' })
})

test('without an answer of the handler it is 204', async () => {
  const POST = ratecardWebhook({ secret }, async () => {})
  const response = await POST(request())
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
})

test('works in Hono, whose error handler gets what the handler throws', async () => {
  const app = new Hono()
  const good = ratecardWebhook({ secret }, () => {})
  const bad = ratecardWebhook({ secret }, () => Promise.reject(new Error('mine')))
  app.all('/webhooks/ratecard', (c) => good(c.req.raw))
  app.post('/bad', (c) => bad(c.req.raw))
  app.onError((error, c) => c.text(error.message, 500))
  expect((await app.request(request())).status).toBe(204)
  expect((await app.request(request({ body: signed().body + ' ' }))).status).toBe(401)
  const failed = await app.request('/bad', signed())
  expect([failed.status, await failed.text()]).toEqual([500, 'mine'])
})

test('behind a middleware that read the body it says so at once', async () => {
  const app = new Hono()
  const receive = ratecardWebhook({ secret, onError: () => {} }, () => expect.unreachable())
  app.use(async (c, next) => {
    await c.req.json()
    await next()
  })
  app.post('/webhooks/ratecard', (c) => receive(c.req.raw))
  const response = await app.request(request())
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: 'body_parsed' })
})

test('a body that stops arriving is given up', async () => {
  const receive = ratecardWebhook({ secret, bodyTimeoutMs: 20, onError: () => {} }, () =>
    expect.unreachable(),
  )
  const endless = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) })
  const response = await receive(request({ body: endless, duplex: 'half' }))
  expect(response.status).toBe(408)
})

test('the hint of a mismatch is for onError, not for the caller', async () => {
  const errors: unknown[] = []
  const receive = ratecardWebhook({ secret, onError: (error) => errors.push(error) }, () =>
    expect.unreachable(),
  )
  const { headers, body } = signed()
  const response = await receive(request({ headers, body: body + '\n' }))
  expect(await response.text()).not.toContain('line feed')
  expect(errors).toMatchObject([
    { code: 'signature_mismatch', hint: expect.stringContaining('line feed') as string },
  ])
})
