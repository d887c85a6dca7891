import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestRequest } from '@ratecard/webhooks'
import { ratecardWebhook } from '@ratecard/webhooks/fetch'

// Deliveries as Ratecard sends them, for your tests: node --test test-your-endpoint.mts

const secret = 'a secret for tests only'
const titles: string[] = []
const endpoint = ratecardWebhook({ secret }, (event) => {
  titles.push(...event.changes.map(({ title }) => title))
})

test('a signed delivery is taken', async () => {
  const delivery = await createTestRequest({ secret, changes: [{ title: 'Half the price' }] })
  const answer = await endpoint(new Request(delivery.url, delivery))
  assert.equal(answer.status, 204)
  assert.deepEqual(titles, ['Half the price'])
})

test('one that somebody changed is refused', async () => {
  const delivery = await createTestRequest({ secret })
  const answer = await endpoint(new Request(delivery.url, { ...delivery, body: `${delivery.body} ` }))
  assert.equal(answer.status, 401)
})

test('one that is an hour old is refused', async () => {
  const delivery = await createTestRequest({ secret, timestamp: Date.now() - 3_600_000 })
  const answer = await endpoint(new Request(delivery.url, delivery))
  assert.equal(answer.status, 400)
})
