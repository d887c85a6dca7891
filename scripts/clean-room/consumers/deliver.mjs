import assert from 'node:assert/strict'
import process from 'node:process'
import { createTestRequest } from '@ratecard/webhooks'

// Posts a signed delivery to the address of the first argument, then forged ones. The second argument is what a GET must be
// answered with, the third what the same delivery must be answered with when it comes again.

const [url, getStatus, againStatus] = process.argv.slice(2)
const secret = process.env.RATECARD_WEBHOOK_SECRET
const send = async (init) => (await fetch(url, init)).status

const delivery = await createTestRequest({ secret, url, standardWebhooks: true })
const { method, headers, body } = delivery
const answer = await fetch(url, delivery)
assert(answer.ok, `A signed delivery is answered with ${answer.status} ${await answer.text()}`)
if (againStatus) assert.equal(await send(delivery), Number(againStatus), 'the same delivery again')

const typed = { 'content-type': headers['content-type'] }
const other = await createTestRequest({ secret: `not ${secret}`, url, standardWebhooks: true })
assert.equal(await send({ ...delivery, body: `${body} ` }), 401, 'a body that somebody changed')
assert.equal(await send(other), 401, 'a body that somebody else signed')
assert.equal(await send({ method, headers: typed, body }), 401, 'a body that nobody signed')
assert.equal(
  await send({ ...delivery, headers: { ...headers, 'x-svc-signature': 'x', 'webhook-signature': 'x' } }),
  401,
  'a signature that is none',
)
if (getStatus) assert.equal(await send({ method: 'GET' }), Number(getStatus), 'a GET')
