import assert from 'node:assert/strict'
import process from 'node:process'
import { createTestRequest } from '@ratecard/webhooks'

// Calls the examples that a platform would serve.

const secret = process.env.RATECARD_WEBHOOK_SECRET
const delivery = await createTestRequest({ secret, url: 'https://hooks.acme.example/webhooks/ratecard' })
const forgery = { ...delivery, body: `${delivery.body} ` }
const [{ default: app }, { POST }, { handler }] = await Promise.all([
  import('./webhooks/hono.mts'),
  import('./webhooks/next-route.mts'),
  import('./webhooks/lambda.mts'),
])

for (const serve of [app.fetch, POST]) {
  assert.equal((await serve(new Request(delivery.url, delivery))).status, 204)
  assert.equal((await serve(new Request(delivery.url, forgery))).status, 401)
}
const invoke = ({ headers, body }) =>
  handler({
    version: '2.0',
    requestContext: { http: { method: 'POST' } },
    headers,
    body,
    isBase64Encoded: false,
  })
assert.equal((await invoke(delivery)).statusCode, 204)
assert.equal((await invoke(forgery)).statusCode, 401)
console.log('ok')
