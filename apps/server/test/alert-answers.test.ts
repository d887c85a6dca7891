import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { asOperator } from '../src/features/audit/audit-store.ts'
import { enableWebhook } from '../src/features/webhooks/actions.ts'
import { insertResend } from '../src/features/webhooks/resend-store.ts'
import { publicUrl, secret, soon, useAlerting, type Subscribed } from './support/alert-fixtures.ts'
import { createCustomer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'
import type { Worker } from '../src/process/worker.ts'
import { isSigned, type Behaviour } from './support/receiver.ts'
import { changeFile } from './support/fixtures.ts'

// The answers of an endpoint, and their effects on the delivery and on the subscription.

const database = useDatabase()
const alerting = useAlerting(database)
let worker: Worker
beforeAll(async () => {
  worker = await alerting.startWorker()
})

const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (res) =>
    res.writeHead(status, headers).end()

describe('success is a status from 200 to 299', () => {
  test.each([200, 201, 202, 204, 299])('%i is delivered with one attempt', async (status) => {
    const webhook = await alerting.subscribe({ behave: answer(status) })
    await alerting.publish()
    const [delivery] = await alerting.settled(webhook.id)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, next_attempt_at: null })
    expect(delivery?.log).toMatchObject([{ attempt: 1, status, error_class: null, error: null }])
    expect(await alerting.webhook(webhook)).toMatchObject({
      active: true,
      last_status: status,
      last_error: null,
    })
    expect(webhook.received()).toHaveLength(1)
  })
})

describe('redirects are never followed', () => {
  test('301, 302, 303, 307 and 308 are retried to the end of the schedule, and the target gets nothing', async () => {
    const statuses = [301, 302, 303, 307, 308]
    const target = `${alerting.receiver.url}/target`
    const webhooks = await Promise.all(
      statuses.map((status) => alerting.subscribe({ behave: answer(status, { location: target }) })),
    )
    await alerting.publish()
    for (const [index, webhook] of webhooks.entries()) {
      const [delivery] = await alerting.settled(webhook.id)
      expect(delivery).toMatchObject({ state: 'exhausted', attempts: 3, next_attempt_at: null })
      expect(delivery?.log.map((attempt) => attempt.error_class)).toEqual([
        'redirect',
        'redirect',
        'redirect',
      ])
      const { last_status, last_error, active } = await alerting.webhook(webhook)
      expect({ last_status, active }).toEqual({ last_status: statuses[index], active: true })
      expect(last_error).toMatch(/^redirect: .*register the final address/)
      expect(last_error).not.toContain('target')
    }
    expect(alerting.receiver.received.filter(({ path }) => path === '/target')).toEqual([])
  })
})

describe('everything else is retried by the schedule until it ends', () => {
  const statuses = [400, 401, 403, 404, 409, 422, 500, 502, 503, 504]
  test(`${statuses.join(', ')}: three attempts, then exhausted, and the error names the status`, async () => {
    const webhooks = await Promise.all(
      statuses.map((status) => alerting.subscribe({ behave: answer(status) })),
    )
    await alerting.publish()
    for (const [index, webhook] of webhooks.entries()) {
      const status = statuses[index] ?? 0
      const [delivery] = await alerting.settled(webhook.id)
      expect(delivery).toMatchObject({ state: 'exhausted', attempts: 3 })
      expect(delivery?.log).toMatchObject(
        [1, 2, 3].map((attempt) => ({ attempt, status, error_class: `http_${status}` })),
      )
      const { last_status, last_error, active } = await alerting.webhook(webhook)
      expect({ last_status, active }).toEqual({ last_status: status, active: true })
      // A class, then a sentence.
      expect(last_error).toMatch(new RegExp(`^http_${status}: [A-Z].{10,200}\\.$`))
      expect(webhook.received()).toHaveLength(3)
    }
  })

  test('attempts of one delivery have one id and count up; each is dated and signed anew', async () => {
    const webhook = await alerting.subscribe({ behave: answer(500) })
    const publishedMs = Date.now()
    const { ids } = await alerting.publish(changeFile({ title: 'Ünïcode → 2.50 € 😀' }))
    const [delivery] = await alerting.settled(webhook.id)
    const received = webhook.received()
    expect(received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2', '3'])
    expect(new Set(received.map(({ headers }) => headers['x-svc-delivery']))).toEqual(new Set([delivery?.id]))
    expect(new Set(received.map(({ alert }) => alert.timestamp)).size).toBe(3)
    expect(new Set(received.map(({ headers }) => headers['x-svc-signature'])).size).toBe(3)
    for (const [index, item] of received.entries()) {
      expect(isSigned(item, secret)).toBe(true)
      // Of this attempt: after the one before arrived.
      const datedMs = Date.parse(item.alert.timestamp)
      expect(datedMs).toBeLessThanOrEqual(item.atMs)
      expect(datedMs).toBeGreaterThanOrEqual(received[index - 1]?.atMs ?? publishedMs)
      expect(item.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(item.body.byteLength),
      })
      expect(item.headers['user-agent']).toMatch(/^Ratecard-Webhooks\/\d/)
      expect(item.headers).not.toHaveProperty('content-encoding')
      expect(item.headers).not.toHaveProperty('x-svc-test')
      expect(alerting.check('change.alert', item.alert)).toBeNull()
      expect(item.alert.changes).toMatchObject([{ id: ids[0], url: `${publicUrl}/changes/${ids[0]}` }])
    }
  })

  test('a success after failures is delivered, and the last error is null again', async () => {
    const seen: number[] = []
    const webhook = await alerting.subscribe({
      behave: (res) => {
        seen.push(0)
        res.writeHead(seen.length < 3 ? 500 : 204).end()
      },
    })
    await alerting.publish()
    const [delivery] = await alerting.settled(webhook.id)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 3 })
    expect(delivery?.log.map(({ status }) => status)).toEqual([500, 500, 204])
    expect(await alerting.webhook(webhook)).toMatchObject({ last_status: 204, last_error: null })
  })
})

describe('429', () => {
  const second = 1_000
  const hour = 3_600 * second
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * second).toUTCString()
  // The second attempt of the schedule comes after 100 ms, with a fifth more or less.
  const ownDelay = [0.08 * second, 0.13 * second] as const
  const anHour = [hour - second, hour + second] as const
  test.each([
    ['without Retry-After', undefined, ownDelay],
    ['with seconds', '120', [119 * second, 121 * second]],
    ['with zero seconds', '0', ownDelay],
    ['with a date', () => inSeconds(300), [290 * second, 301 * second]],
    ['with a date gone by', 'Wed, 21 Oct 2015 07:28:00 GMT', ownDelay],
    ['with a negative number', '-100', ownDelay],
    ['with a fraction', '1.5', ownDelay],
    ['with ten digits', '9999999999', anHour],
    ['with the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', anHour],
    ['with text', 'soon', ownDelay],
    ['with nothing in it', '', ownDelay],
    ['with a year only', '2030', [2_029 * second, 2_031 * second]],
  ])('%s is tried again within bounds', async (_name, retryAfter, [min, max]) => {
    const webhook = await alerting.subscribe({
      behave: (res, ...rest) => {
        const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter
        answer(429, value === undefined ? {} : { 'retry-after': value })(res, ...rest)
      },
    })
    await alerting.publish()
    // As it was recorded after the first attempt.
    const secondDelay = async () => {
      const { rows } = await sql<{ delay_ms: number }>`
        select extract(epoch from j.start_after - j.created_on)::float8 * 1000 as delay_ms
        from pgboss.job j join deliveries d on j.data->>'deliveryId' = d.id
        where d.webhook_id = ${webhook.id} and (j.data->>'attempt')::int = 2`.execute(database.db)
      return rows[0]?.delay_ms
    }
    await expect.poll(secondDelay, soon).toBeDefined()
    const delayMs = await secondDelay()
    expect(delayMs).toBeGreaterThanOrEqual(min)
    expect(delayMs).toBeLessThanOrEqual(max + 1)
  })
})

describe('410', () => {
  test('switches off at once: one attempt, what is queued is not sent, and it counts to no limit', async () => {
    const { accountId } = await createCustomer(database.db, { plan: 'developer' })
    const webhook = await alerting.subscribe({ accountId, behave: answer(410) })
    await alerting.publish()
    const [gone] = await alerting.settled(webhook.id)
    expect(gone).toMatchObject({ state: 'exhausted', attempts: 1, next_attempt_at: null })
    const { active, last_status, last_error } = await alerting.webhook(webhook)
    expect({ active, last_status }).toEqual({ active: false, last_status: 410 })
    expect(last_error).toMatch(/^http_410: .*switched off/)

    // A new publication has no delivery for it, and one that is queued already ends without an attempt.
    await alerting.publish()
    await database.db.transaction().execute(async (trx) => {
      const { id } = await insertResend(trx, gone?.id ?? '')
      await alerting.queue.enqueue(trx, 'deliver', [
        { data: { deliveryId: id, attempt: 1 }, group: webhook.id },
      ])
    })
    const deliveries = await alerting.settled(webhook.id, 2)
    expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['exhausted', 1],
      ['inactive', 0],
    ])
    expect(webhook.received()).toHaveLength(1)
    await expect(enable(webhook, 0)).rejects.toThrow('0 active webhooks and its plan allows 0')
  })
})

const enable = ({ id, accountId }: Subscribed, activeWebhooksMax: number) =>
  database.db
    .transaction()
    .execute((trx) => enableWebhook(trx, asOperator(accountId), { activeWebhooksMax }, id))

describe('a subscription that fails for long', () => {
  // One attempt exhausts a delivery.
  beforeAll(async () => {
    await worker.stop()
    worker = await alerting.startWorker({ WEBHOOK_RETRY_SCHEDULE: '0s' })
  })
  const daysAgo = (webhook: Subscribed, days: number) =>
    sql`update webhooks set failing_since = ratecard_now() - make_interval(days => ${days}) where id = ${webhook.id}`.execute(
      database.db,
    )

  test('is switched off after five days and three exhausted deliveries, not before both', async () => {
    const webhook = await alerting.subscribe({ behave: answer(500) })
    await daysAgo(webhook, 6)
    for (const [count, active] of [
      [1, true],
      [2, true],
      [3, false],
    ] as const) {
      await alerting.publish()
      await alerting.settled(webhook.id, count)
      expect((await alerting.webhook(webhook)).active, `after ${count}`).toBe(active)
    }
    await alerting.publish()
    expect(await alerting.deliveries(webhook.id)).toHaveLength(3)

    await expect(enable(webhook, 0)).rejects.toThrow('plan allows 0')
    expect((await alerting.webhook(webhook)).active).toBe(false)
    await enable(webhook, 1)
    expect((await alerting.webhook(webhook)).active).toBe(true)
    // With a clean slate: the next exhausted delivery is the first.
    await alerting.publish()
    await alerting.settled(webhook.id, 4)
    expect((await alerting.webhook(webhook)).active).toBe(true)
  })

  test('stays on within five days, however many deliveries are given up', async () => {
    const webhook = await alerting.subscribe({ behave: answer(500) })
    await daysAgo(webhook, 4)
    for (let count = 0; count < 4; count += 1) await alerting.publish()
    await alerting.settled(webhook.id, 4)
    expect((await alerting.webhook(webhook)).active).toBe(true)
  })

  test('begins to count anew with each success', async () => {
    let status = 500
    const webhook = await alerting.subscribe({ behave: (res) => res.writeHead(status).end() })
    await daysAgo(webhook, 30)
    for (let count = 0; count < 2; count += 1) await alerting.publish()
    await alerting.settled(webhook.id, 2)
    status = 200
    await alerting.publish()
    await alerting.settled(webhook.id, 3)
    status = 500
    await alerting.publish()
    await alerting.settled(webhook.id, 4)
    expect((await alerting.webhook(webhook)).active).toBe(true)
  })
})
