import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { parseChanges } from '../src/features/changes/change-input.ts'
import { publishWithAlerts } from '../src/features/webhooks/publish-alerts.ts'
import { insertResend } from '../src/features/webhooks/resend-store.ts'
import { updateWebhook } from '../src/features/webhooks/webhook-store.ts'
import { publicUrl, soon } from './support/alert-fixtures.ts'
import { create, dataOf, deliveriesOf, useDashboardWebhooks } from './support/dashboard-webhooks.ts'
import { changeFile } from './support/fixtures.ts'
import { isSigned, type Received } from './support/receiver.ts'
import { request } from './support/client.ts'
import { insertApiKey } from '../src/features/accounts/api-key-store.ts'

// Subscriptions that are told of some changes, from the dashboard to a real endpoint, with several workers.

const { database, alerting, api, customer, endpoint, auditOf } = useDashboardWebhooks()

const idsOf = ({ alert }: Received) => alert.changes.map(({ id }) => id)
const changesText = ({ body }: Received) => /"changes":(.*)\}$/s.exec(body.toString())?.[1]
const alertCount = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from alerts`.execute(
    database.db,
  )
  return rows[0]!.count
}

describe('a filtered subscription', () => {
  test('is told of what fits, in one delivery a run, and of nothing where nothing fits', async () => {
    const second = await alerting.startWorker()
    onTestFinished(() => second.stop())
    const { browser } = await customer('scale')
    const [vendors, products] = [
      ['acme', 'beta', 'gamma'],
      ['acme/one', 'beta/two', 'gamma/three', 'acme/four'],
    ]
    const filters: Schemas['WebhookFilter'][] = [
      {},
      ...vendors.map((vendor) => ({ vendors: [vendor] })),
      ...products.map((product) => ({ products: [product] })),
      ...[1, 2, 3, 4, 5].map((min_severity) => ({ min_severity })),
      { vendors: ['acme', 'beta'], products: ['acme/one', 'gamma/three'], min_severity: 3 },
      { vendors: ['unheard-of'] },
    ]
    const hooks: (ReturnType<typeof endpoint> & { filter: Schemas['WebhookFilter'] })[] = []
    for (const filter of filters) {
      const at = endpoint()
      await create(browser, { url: at.url, filter })
      hooks.push({ filter, ...at })
    }
    const changes = fc
      .sample(
        fc.record({
          vendor: fc.constantFrom(...vendors),
          product: fc.constantFrom(...products),
          severity: fc.integer({ min: 1, max: 5 }),
        }),
        { numRuns: 230, seed: 16 },
      )
      .map((values) => changeFile(values))
    const before = await alertCount()
    const { ids, deliveries } = await alerting.publish(...changes)
    const expected = hooks.map(({ filter: { vendors = [], products = [], min_severity = 1 } }) =>
      ids.filter((_, place) => {
        const { vendor, product, severity } = changes[place] as {
          vendor: string
          product: string
          severity: number
        }
        return (
          (vendors.length === 0 || vendors.includes(vendor)) &&
          (products.length === 0 || products.includes(product)) &&
          severity >= min_severity
        )
      }),
    )
    const parts = expected.map((of) => Math.ceil(of.length / 100))
    expect(deliveries).toBe(parts.reduce((sum, part) => sum + part))
    // The first and the one from severity 1 are told of the same: they share what is kept.
    expect(await alertCount()).toBe(before + deliveries - parts[0]!)
    await expect
      .poll(() => hooks.reduce((sum, { received }) => sum + received().length, 0), soon)
      .toBe(deliveries)
    for (const [place, { received }] of hooks.entries()) {
      const got = received().flatMap(idsOf)
      expect(got.toSorted()).toEqual(expected[place]!.toSorted())
      for (const item of received()) expect(idsOf(item)).toEqual(ids.filter((id) => idsOf(item).includes(id)))
    }
    const union = (from: number, to: number) =>
      new Set(hooks.slice(from, to).flatMap(({ received }) => received().flatMap(idsOf)))
    for (const [from, to] of [
      [1, 4],
      [4, 8],
      [8, 13],
    ])
      expect(union(from!, to!)).toEqual(new Set(ids))
    expect(hooks.at(-1)!.received()).toEqual([])
  })

  test('gets the same changes in every attempt, whatever becomes of its filter and of our address', async () => {
    const { browser, accountId } = await customer()
    let status = 500
    const { url, received } = endpoint((res) => res.writeHead(status).end())
    const { record, secret } = await create(browser, { url, filter: { min_severity: 4 } })
    const { ids } = await alerting.publish(
      changeFile({ severity: 2 }),
      changeFile({ severity: 5 }),
      changeFile({ severity: 4, title: 'Ünïcode “quoted” 0.10' }),
    )
    await browser.send('PATCH', `/webhooks/${record.id}`, { filter: { min_severity: 1 } })
    const [failed] = await alerting.settled(record.id)
    status = 200
    const elsewhere = await alerting.startWorker({ PUBLIC_URL: 'https://elsewhere.example' })
    onTestFinished(() => elsewhere.stop())
    const { id: again } = dataOf<Schemas['Delivery']>(await browser.post(`/deliveries/${failed!.id}/resend`))
    await alerting.settled(record.id, 2)
    expect(received()).toHaveLength(4)
    expect(new Set(received().map(changesText)).size).toBe(1)
    expect(idsOf(received()[0]!)).toEqual(ids.slice(1))
    expect(received()[3]!.alert.changes[0]!.url).toBe(`${publicUrl}/changes/${ids[1]}`)
    expect(received().every((item) => isSigned(item, secret))).toBe(true)
    const told = (await deliveriesOf(browser)).data
    expect(told).toMatchObject([
      { id: again, resent_from: failed!.id, resent_as: null },
      { id: failed!.id, resent_from: null, resent_as: again, advice: null, change_ids: ids.slice(1) },
    ])
    expect(told[0]!.titles[1]).toBe('Ünïcode “quoted” 0.10')
    expect(await auditOf(accountId)).toContainEqual({
      action: 'webhook.updated',
      subject_id: record.id,
      details: { filter: 'none' },
    })
  })

  test('is filtered as it stands when changes are published', async () => {
    const { browser } = await customer()
    const { url, received } = endpoint()
    const { id } = (await create(browser, { url })).record
    const filter = (values: Schemas['WebhookFilter']) =>
      browser.send('PATCH', `/webhooks/${id}`, { filter: values })
    expect((await filter({ vendors: ['beta', 'acme', 'beta'] })).status).toBe(400)
    const set = await filter({ vendors: ['beta', 'acme'], min_severity: 2 })
    const expected = { vendors: ['acme', 'beta'], products: [], min_severity: 2 }
    expect(dataOf<Schemas['Webhook']>(set).filter).toEqual(expected)
    await alerting.publish(changeFile({ vendor: 'gamma', severity: 5 }))
    await alerting.publish(changeFile({ vendor: 'beta', severity: 2 }))
    // What is left out is left out of the whole filter.
    await filter({ vendors: ['gamma'] })
    await alerting.publish(changeFile({ vendor: 'gamma', severity: 1 }))
    await alerting.settled(id, 2)
    expect(received().map(({ alert }) => alert.changes.map(({ vendor }) => vendor))).toEqual([
      ['beta'],
      ['gamma'],
    ])
  })

  test('is for the public API one like others', async () => {
    const { browser, accountId } = await customer()
    await create(browser, { url: endpoint().url, name: 'Mine', filter: { vendors: ['acme'] } })
    const { key } = await database.db.transaction().execute((trx) => insertApiKey(trx, accountId, 'test', 10))
    const { body } = await request(api.url, '/v1/webhooks', { key })
    expect(Object.keys((body as { data: object[] }).data[0]!).sort()).toEqual(
      [
        'id',
        'url',
        'events',
        'active',
        'has_secret',
        'last_status',
        'last_error',
        'created_at',
        'updated_at',
      ].sort(),
    )
  })
})

test('ten thousand subscriptions with few filters share what is kept for them', async () => {
  const { accountId } = await customer('scale')
  await sql`
    insert into webhooks (id, account_id, url, events, active, secret_ciphertext, secret_key_id, min_severity)
    select 'wh_many_' || n, ${accountId}, 'https://hooks.example/' || n, '{change.alert}', true, '\\x00', 'k', 1 + n % 5
    from generate_series(1, 10000) n`.execute(database.db)
  const before = await alertCount()
  const rolledBack = new Error('rolled back: nothing is sent')
  const { queue, check } = alerting
  const inputs = parseChanges([1, 2, 3, 4, 5].map((severity) => changeFile({ severity })))
  const trial = database.db.transaction().execute(async (trx) => {
    const { deliveries } = await publishWithAlerts(trx, inputs, { alerts: { queue, publicUrl, check } })
    const { rows } = await sql`select count(*)::int as count from alerts`.execute(trx)
    expect([deliveries, rows]).toEqual([10_000, [{ count: before + 5 }]])
    throw rolledBack
  })
  await expect(trial).rejects.toBe(rolledBack)
})

describe('the preview of a filter', () => {
  test('counts what it would have let through, and names what can be named', async () => {
    const { browser } = await customer()
    const preview = async (filter: Schemas['WebhookFilter']) =>
      dataOf<Schemas['FilterPreview']>(await browser.post('/webhook-filter', filter))
    const vendor = 'preview-vendor'
    const { all } = await preview({})
    const { ids } = await alerting.publish(
      changeFile({ vendor, product: 'preview/one', severity: 1 }),
      changeFile({ vendor, product: 'preview/two', severity: 5 }),
      changeFile({ vendor, severity: 5, category: 'incident' }),
      changeFile({ vendor, severity: 5 }),
    )
    await sql`update changes set created_at = ratecard_now() - interval '91 days' where id = ${ids[3]}`.execute(
      database.db,
    )
    expect(await preview({})).toEqual({ days: 90, matching: all + 2, all: all + 2 })
    expect(await preview({ vendors: [vendor] })).toMatchObject({ matching: 2 })
    expect(await preview({ vendors: [vendor], min_severity: 2 })).toMatchObject({ matching: 1 })
    expect(await preview({ products: ['preview/one'], min_severity: 2 })).toMatchObject({ matching: 0 })
    expect(await preview({ vendors: ['nobody has heard of it'] })).toMatchObject({
      matching: 0,
      all: all + 2,
    })
    const names = dataOf<Schemas['FilterNames']>(await browser.get('/webhook-filter-names'))
    expect(names.vendors).toContain(vendor)
    expect(names.products).toContain('preview/two')
    expect(names.products).toEqual(names.products.toSorted())
  })

  test.each([
    { vendors: Array.from({ length: 21 }, (_, n) => `v${n}`) },
    { vendors: [''] },
    { products: ['a\u0000b'] },
    { min_severity: 0 },
    { min_severity: '3' },
    { vendor: ['openai'] },
  ])('is refused where the filter is wrong, as the filter is: %j', async (filter) => {
    const { browser } = await customer()
    expect((await browser.post('/webhook-filter', filter)).status).toBe(400)
    expect((await browser.post('/webhooks', { url: endpoint().url, filter })).status).toBe(400)
  })
})

test('a subscription that is changed while alerts of it are resent keeps what each was told', async () => {
  const { browser, accountId } = await customer()
  const { url, received } = endpoint((res) => res.writeHead(410).end())
  const { id } = (await create(browser, { url })).record
  await alerting.publish(changeFile({ vendor: 'acme' }))
  const [gone] = await alerting.settled(id)
  await database.db.transaction().execute(async (trx) => {
    await updateWebhook(trx, accountId, id, { active: true, vendors: ['beta'] })
    const { id: deliveryId, webhookId } = await insertResend(trx, gone!.id, accountId)
    await alerting.queue.enqueue(trx, 'deliver', [{ data: { deliveryId, attempt: 1 }, group: webhookId }])
  })
  await alerting.settled(id, 2)
  expect(received().map(changesText)).toEqual([changesText(received()[0]!), changesText(received()[0]!)])
})
