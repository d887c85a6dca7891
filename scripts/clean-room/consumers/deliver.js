import assert from 'node:assert/strict'
import process from 'node:process'
import { createTestRequest } from '@ratecard/webhooks'

// Posts a signed delivery to the address of the first argument, then one that somebody has changed.

const delivery = await createTestRequest({
  secret: process.env.RATECARD_WEBHOOK_SECRET,
  url: process.argv[2],
})
const answer = await fetch(delivery.url, delivery)
assert(answer.ok, `A signed delivery is answered with ${answer.status} ${await answer.text()}`)
const refusal = await fetch(delivery.url, { ...delivery, body: `${delivery.body} ` })
assert.equal(refusal.status, 401, `A forgery is answered with ${refusal.status}`)
