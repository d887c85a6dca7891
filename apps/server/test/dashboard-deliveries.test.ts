import { describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { soon } from './support/alert-fixtures.ts'
import { create, dataOf, deliveriesOf, secret, useDashboardWebhooks } from './support/dashboard-webhooks.ts'

const { alerting, customer, endpoint, auditOf } = useDashboardWebhooks()

describe('deliveries', () => {
  test('are told with every attempt and what to do, and can be sent again', async () => {
    const { browser, accountId } = await customer()
    let status = 503
    const { url, received } = endpoint((res) => res.writeHead(status).end())
    const { id } = (await create(browser, { url, secret })).record
    await alerting.publish()
    const exhausted = async () => (await deliveriesOf(browser)).data.map(({ state }) => state)
    await expect.poll(exhausted, soon).toEqual(['exhausted'])
    const [delivery] = (await deliveriesOf(browser)).data
    expect(delivery).toMatchObject({
      webhook_id: id,
      attempts: 3,
      advice: 'Given up after 3 attempts. Mend the endpoint, then send it again.',
      change_ids: [expect.stringMatching(/^chg_/)],
      next_attempt_at: null,
      log: [1, 2, 3].map((attempt) => ({
        attempt,
        status: 503,
        error_class: 'http_503',
        error: 'The endpoint answered 503. It must answer 200 to 299 for a received alert.',
      })),
    })
    expect(dataOf(await browser.get(`/deliveries/${delivery?.id}`))).toEqual(delivery)
    const failing = dataOf<Schemas['Webhook']>(await browser.get(`/webhooks/${id}`))
    expect(failing).toMatchObject({ last_status: 503, last_success_at: null })
    expect(failing.failing_since).not.toBeNull()

    status = 200
    const again = await browser.post(`/deliveries/${delivery?.id}/resend`)
    expect(again).toMatchObject({
      status: 201,
      body: { data: { webhook_id: id, state: 'pending', advice: null, attempts: 0, log: [] } },
    })
    const { id: newId } = dataOf<Schemas['Delivery']>(again)
    await expect
      .poll(async () => dataOf<Schemas['Delivery']>(await browser.get(`/deliveries/${newId}`)), soon)
      .toMatchObject({ state: 'delivered', advice: null, log: [{ attempt: 1, status: 200, error: null }] })
    expect(received()).toHaveLength(4)
    expect(
      received()
        .at(-1)
        ?.alert.changes.map((change) => change.id),
    ).toEqual(delivery?.change_ids)
    expect((await deliveriesOf(browser, '?state=delivered')).data.map((row) => row.id)).toEqual([newId])
    expect(dataOf(await browser.get(`/webhooks/${id}`))).toMatchObject({
      last_status: 200,
      failing_since: null,
    })
    expect(await auditOf(accountId)).toContainEqual({
      action: 'delivery.resent',
      subject_id: delivery?.id,
      details: { new_delivery: newId, webhook: id },
    })

    // A sent delivery outlives the subscription; sending it again does not.
    await browser.send('DELETE', `/webhooks/${id}`)
    expect((await deliveriesOf(browser, `?webhook_id=${id}`)).data).toHaveLength(2)
    expect(await browser.post(`/deliveries/${newId}/resend`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
  })

  test('of what is switched off say so', async () => {
    const { browser } = await customer()
    const held = Promise.withResolvers<void>()
    const { url } = endpoint((res) => void held.promise.then(() => res.writeHead(500).end()))
    const { id } = (await create(browser, { url })).record
    await alerting.publish()
    await browser.send('PATCH', `/webhooks/${id}`, { active: false })
    held.resolve()
    const latest = async () => (await deliveriesOf(browser, `?webhook_id=${id}`)).data[0]
    await expect.poll(latest, soon).toMatchObject({
      state: 'inactive',
      advice: 'The subscription was switched off when it was due. Switch it on, then send it again.',
    })
  })

  test('come in pages, each once', async () => {
    const { browser } = await customer()
    const { id } = (await create(browser, { url: endpoint().url })).record
    for (let count = 0; count < 5; count += 1) await alerting.publish()
    await expect.poll(async () => (await deliveriesOf(browser, '?state=delivered')).data.length, soon).toBe(5)
    const all = (await deliveriesOf(browser)).data.map((row) => row.id)
    const paged: string[] = []
    let query: string | null = `?webhook_id=${id}&limit=2`
    while (query !== null) {
      const page: Schemas['DeliveryList'] = await deliveriesOf(browser, query)
      expect(page.data.length).toBeLessThanOrEqual(2)
      paged.push(...page.data.map((row) => row.id))
      const next = page.pagination?.next_cursor
      query = next === undefined ? null : `?webhook_id=${id}&limit=2&cursor=${next}`
    }
    expect(paged).toEqual(all)
    expect((await browser.get('/deliveries?cursor=nonsense')).status).toBe(400)
  })
})

test('another account’s webhooks and deliveries are not there, and stay as they are', async () => {
  const owner = await customer()
  const { url, received } = endpoint()
  const { id } = (await create(owner.browser, { url })).record
  await alerting.publish()
  await expect
    .poll(async () => (await deliveriesOf(owner.browser, '?state=delivered')).data.length, soon)
    .toBe(1)
  const [delivery] = (await deliveriesOf(owner.browser)).data
  const before = await owner.browser.get('/webhooks')

  const { browser: stranger, accountId } = await customer()
  const attempts = await Promise.all([
    stranger.get(`/webhooks/${id}`),
    stranger.send('PATCH', `/webhooks/${id}`, { active: false }),
    stranger.send('DELETE', `/webhooks/${id}`),
    stranger.post(`/webhooks/${id}/secret`, {}),
    stranger.post(`/webhooks/${id}/test`),
    stranger.get(`/deliveries?webhook_id=${id}`),
    stranger.get(`/deliveries/${delivery?.id}`),
    stranger.post(`/deliveries/${delivery?.id}/resend`),
  ])
  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 404))
  expect(await stranger.get('/webhooks')).toMatchObject({ body: { data: [] } })
  expect(await deliveriesOf(stranger)).toEqual({ data: [] })
  expect((await owner.browser.get('/webhooks')).body).toEqual(before.body)
  expect((await deliveriesOf(owner.browser)).data).toEqual([delivery])
  expect(received()).toHaveLength(1)
  expect(await auditOf(accountId)).toEqual([])
})
