import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import type { Trx } from '../src/database/connect.ts'
import { finishAttempts, type AttemptEnd } from '../src/features/webhooks/attempt-store.ts'
import { insertAlerts, readTargets } from '../src/features/webhooks/delivery-store.ts'
import { insertResend } from '../src/features/webhooks/resend-store.ts'
import { deleteWebhook } from '../src/features/webhooks/webhook-store.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { AlertBodies } from '../src/jobs/alert-bodies.ts'
import type { Worker } from '../src/process/worker.ts'
import { publicUrl, secret, soon, useAlerting, type Subscribed } from './support/alert-fixtures.ts'
import { createCustomer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'
import { isSigned } from './support/receiver.ts'
import { changeFile, publish as publishSilently } from './support/fixtures.ts'

// The receivers of an alert, and changes between publishing and an attempt.

const database = useDatabase()
const alerting = useAlerting(database)
const rule = { afterDays: 5, exhaustedMin: 3 }

/** Stores an alert of these changes to all subscriptions, whatever their filter. */
async function tellAll(trx: Trx, changeIds: string[]) {
  const groups = await readTargets(trx, 'change.alert')
  const alerts = groups.map(({ targets }) => ({ changeIds, targets }))
  return insertAlerts(trx, alerts, { event: 'change.alert', publicUrl })
}

const lapse = (accountId: string) =>
  sql`update subscriptions set ends_at = ratecard_now() where account_id = ${accountId}`.execute(database.db)
const remove = ({ id, accountId }: Subscribed) =>
  database.db.transaction().execute((trx) => deleteWebhook(trx, accountId, id))

describe('with a worker', () => {
  let worker: Worker
  beforeAll(async () => {
    worker = await alerting.startWorker()
  })
  afterAll(() => worker.stop())

  describe('between two attempts', () => {
    test('a plan that ends: the delivery ends as not_entitled and does not resume', async () => {
      const webhook: Subscribed = await alerting.subscribe({
        behave: (res) => void lapse(webhook.accountId).then(() => res.writeHead(500).end()),
      })
      await alerting.publish()
      const [delivery] = await alerting.settled(webhook.id)
      expect(delivery).toMatchObject({ state: 'not_entitled', attempts: 1, next_attempt_at: null })
      await putSubscription(database.db, webhook.accountId, 'scale', {})
      const other = await alerting.subscribe()
      await alerting.publish()
      await alerting.settled(other.id)
      expect((await alerting.deliveries(webhook.id))[0]).toMatchObject({ state: 'not_entitled', attempts: 1 })
      // It reveals nothing about the endpoint.
      expect(await alerting.webhook(webhook)).toMatchObject({ active: true })
      expect(webhook.received().map(({ headers }) => headers['x-svc-delivery'])).not.toHaveLength(0)
      expect(
        webhook.received().filter(({ headers }) => headers['x-svc-delivery'] === delivery?.id),
      ).toHaveLength(1)
    })

    test('a subscription that is deleted: cancelled, and nothing more is sent', async () => {
      const webhook: Subscribed = await alerting.subscribe({
        behave: (res) => void remove(webhook).then(() => res.writeHead(500).end()),
      })
      const other = await alerting.subscribe({ behave: (res) => res.writeHead(500).end() })
      await alerting.publish()
      await alerting.settled(other.id)
      const [delivery] = await alerting.settled(webhook.id)
      expect(delivery).toMatchObject({ state: 'cancelled', attempts: 0, next_attempt_at: null, log: [] })
      expect(webhook.received()).toHaveLength(1)
    })

    test('a new URL and a new secret: the next attempt has them', async () => {
      const newSecret = 'another secret of theirs'
      const target = await alerting.subscribe({
        accountId: (await createCustomer(database.db)).accountId,
      })
      const webhook: Subscribed = await alerting.subscribe({
        behave: (res) => {
          const { ciphertext, keyId } = alerting.secrets.seal(newSecret, {
            webhookId: webhook.id,
            accountId: webhook.accountId,
          })
          void sql`update webhooks set url = ${target.url}, secret_ciphertext = ${ciphertext}, secret_key_id = ${keyId}
            where id = ${webhook.id}`
            .execute(database.db)
            .then(() => res.writeHead(500).end())
        },
      })
      await alerting.publish()
      const [delivery] = await alerting.settled(webhook.id)
      expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 })
      const [first] = webhook.received()
      const [second] = target.received()
      expect([webhook.received().length, target.received().length]).toEqual([1, 1])
      expect(first && isSigned(first, secret)).toBe(true)
      expect(second && isSigned(second, newSecret)).toBe(true)
      expect(second?.headers).toMatchObject({ 'x-svc-attempt': '2', 'x-svc-delivery': delivery?.id })
    })
  })

  describe('while an attempt waits behind another to the same endpoint', () => {
    const twoAlerts = () => Array.from({ length: 150 }, () => changeFile())

    test('a deletion or the end of the plan holds for the one that waits', async () => {
      const end = async (webhook: Subscribed, how: (webhook: Subscribed) => Promise<unknown>) => {
        if (webhook.received().length === 1) await how(webhook)
      }
      const deleted: Subscribed = await alerting.subscribe({
        behave: (res) => void end(deleted, remove).then(() => res.end()),
      })
      const lapsed: Subscribed = await alerting.subscribe({
        behave: (res) => void end(lapsed, ({ accountId }) => lapse(accountId)).then(() => res.end()),
      })
      await alerting.publish(...twoAlerts())
      const states = async ({ id }: Subscribed) =>
        (await alerting.settled(id, 2)).map(({ state }) => state).sort()
      expect(await states(lapsed)).toEqual(['delivered', 'not_entitled'])
      expect(await states(deleted)).toEqual(['cancelled', 'cancelled'])
      expect([deleted.received().length, lapsed.received().length]).toEqual([1, 1])
    })
  })

  describe('who is alerted', () => {
    test('subscriptions to * and to change.alert, each once; not the inactive, later or unpaid', async () => {
      const named = await alerting.subscribe({ events: ['change.alert'] })
      const all = await alerting.subscribe({ events: ['*'] })
      const both = await alerting.subscribe({ events: ['*', 'change.alert'] })
      const inactive = await alerting.subscribe()
      await sql`update webhooks set active = false where id = ${inactive.id}`.execute(database.db)
      const free = await alerting.subscribe({ accountId: (await createCustomer(database.db)).accountId })
      const lapsed = await alerting.subscribe()
      await lapse(lapsed.accountId)
      const { deliveries } = await alerting.publish()
      const later = await alerting.subscribe()
      expect(deliveries).toBe(3)
      for (const { id } of [named, all, both])
        expect(await alerting.settled(id)).toMatchObject([{ state: 'delivered' }])
      for (const webhook of [inactive, free, lapsed, later]) {
        expect(await alerting.deliveries(webhook.id)).toEqual([])
        expect(webhook.received()).toEqual([])
      }
      expect([named, all, both].map((webhook) => webhook.received().length)).toEqual([1, 1, 1])
    })

    test('a subscription made inactive after publishing: the delivery ends without an attempt', async () => {
      const webhook = await alerting.subscribe()
      await database.db.transaction().execute(async (trx) => {
        const [delivery] = await tellAll(trx, await publishSilently(database.db, changeFile()))
        await sql`update webhooks set active = false where id = ${webhook.id}`.execute(trx)
        const data = { deliveryId: delivery?.id ?? '', attempt: 1 }
        await alerting.queue.enqueue(trx, 'deliver', [{ data, group: webhook.id }])
      })
      expect(await alerting.settled(webhook.id)).toMatchObject([{ state: 'inactive', attempts: 0, log: [] }])
      expect(webhook.received()).toEqual([])
    })
  })

  describe('of what', () => {
    test('incidents, corrections and metadata never, whatever stands beside them', async () => {
      const webhook = await alerting.subscribe()
      const silent = ['incident', 'correction', 'metadata'].map((category) =>
        changeFile({ category, severity: 5 }),
      )
      expect(await alerting.publish(...silent)).toMatchObject({ deliveries: 0 })
      const { ids } = await alerting.publish(...silent, changeFile({ severity: 1 }), ...silent)
      await alerting.settled(webhook.id)
      expect(webhook.received().map(({ alert }) => alert.changes.map(({ id }) => id))).toEqual([[ids[3]]])
    })

    test('227 changes come as 100, 100 and 27, in the order of the feed', async () => {
      const webhook = await alerting.subscribe()
      const { ids, deliveries } = await alerting.publish(...Array.from({ length: 227 }, () => changeFile()))
      expect(deliveries).toBe(3)
      const sent = await alerting.settled(webhook.id, 3)
      const parts = [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]
      // In any order of the deliveries, each has its part in the order of the list.
      const byFirst = (one: string[], other: string[]) =>
        ids.indexOf(one[0] ?? '') - ids.indexOf(other[0] ?? '')
      expect(sent.map(({ changes }) => changes).sort(byFirst)).toEqual(parts)
      const received = webhook.received().map(({ alert }) => alert.changes.map(({ id }) => id))
      expect(received.sort(byFirst)).toEqual(parts)
    })
  })
})

describe('an attempt counts once', () => {
  const exchange = { url: publicUrl, requestHeaders: {}, bodyHash: '00', answer: null }
  const endOf = (deliveryId: string, webhook: Subscribed, values: Partial<AttemptEnd> = {}): AttemptEnd => ({
    deliveryId,
    webhookId: webhook.id,
    attempt: 1,
    startedAtMs: Date.now(),
    result: { status: 200, errorClass: null, error: null, durationMs: 5, retryAfter: null, exchange },
    state: 'delivered',
    nextDelayMs: null,
    ...values,
  })
  const timeout: Partial<AttemptEnd> = {
    result: {
      status: null,
      errorClass: 'timeout',
      error: 'Late.',
      durationMs: 5,
      retryAfter: null,
      exchange,
    },
    state: 'pending',
    nextDelayMs: 1_000,
  }
  const finish = (...ends: AttemptEnd[]) =>
    database.db.transaction().execute((trx) => finishAttempts(trx, ends, rule))
  async function queued() {
    const webhook = await alerting.subscribe()
    const ids = await publishSilently(database.db, changeFile())
    const created = await database.db.transaction().execute((trx) => tellAll(trx, ids))
    return { webhook, id: created.find(({ webhookId }) => webhookId === webhook.id)?.id ?? '' }
  }

  test('a second end of the same attempt changes nothing', async () => {
    const { webhook, id } = await queued()
    expect(await finish(endOf(id, webhook))).toEqual(new Set([id]))
    expect(await finish(endOf(id, webhook, timeout))).toEqual(new Set())
    expect(await alerting.deliveries(webhook.id)).toMatchObject([
      { state: 'delivered', attempts: 1, log: [{ attempt: 1, status: 200 }] },
    ])
    expect(await alerting.webhook(webhook)).toMatchObject({ last_status: 200, last_error: null })
  })

  test('a stale end does not overwrite the attempt that came after it', async () => {
    const { webhook, id } = await queued()
    await finish(endOf(id, webhook, timeout))
    await finish(endOf(id, webhook, { ...timeout, attempt: 2 }))
    expect(await finish(endOf(id, webhook))).toEqual(new Set())
    expect(await alerting.deliveries(webhook.id)).toMatchObject([{ state: 'pending', attempts: 2 }])
  })

  test('two ends of one attempt that are written together are one', async () => {
    const { webhook, id } = await queued()
    const startedAtMs = Date.now()
    const late = endOf(id, webhook, { ...timeout, startedAtMs: startedAtMs + 100 })
    expect(await finish(late, endOf(id, webhook, { startedAtMs }))).toEqual(new Set([id]))
    expect(await alerting.deliveries(webhook.id)).toMatchObject([
      { state: 'delivered', attempts: 1, log: [{ attempt: 1, status: 200 }] },
    ])
  })

  test('at the same moment in two workers too', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { webhook, id } = await queued()
      const recorded = await Promise.all([finish(endOf(id, webhook)), finish(endOf(id, webhook, timeout))])
      expect(recorded.map((set) => set.size).sort()).toEqual([0, 1])
      expect((await alerting.deliveries(webhook.id))[0]?.log).toHaveLength(1)
    }
  })

  test('the attempt that began last tells the standing, not the one that ended last', async () => {
    const { webhook, id } = await queued()
    const second = await database.db.transaction().execute((trx) => insertResend(trx, id))
    const startedAtMs = Date.now()
    await finish(endOf(second.id, webhook, { startedAtMs: startedAtMs + 500 }))
    await finish(endOf(id, webhook, { ...timeout, startedAtMs }))
    expect(await alerting.webhook(webhook)).toMatchObject({ last_status: 200, last_error: null })
  })

  test('an attempt without an answer leaves the subscription on, and says so', async () => {
    const { webhook, id } = await queued()
    expect(await finish(endOf(id, webhook, timeout))).toEqual(new Set([id]))
    expect(await alerting.webhook(webhook)).toMatchObject({
      active: true,
      last_status: null,
      last_error: 'timeout: Late.',
    })
  })
})

describe('workers', () => {
  test('two at once send each delivery once, and a backlog of many alerts without a fault', async () => {
    const webhooks = await Promise.all(Array.from({ length: 12 }, () => alerting.subscribe()))
    for (let count = 0; count < 20; count += 1) await alerting.publish()
    const workers = [await alerting.startWorker(), await alerting.startWorker()]
    for (const { id } of webhooks) await alerting.settled(id, 20)
    await Promise.all(workers.map((worker) => worker.stop()))
    for (const webhook of webhooks) {
      const ids = webhook.received().map(({ headers }) => headers['x-svc-delivery'])
      expect(ids).toHaveLength(20)
      expect(new Set(ids).size).toBe(20)
    }
    expect(workers.flatMap(({ log }) => log).filter((line) => line.includes('"level":50'))).toEqual([])
  })

  test('have the content of as many alerts as they are to send, however many are known', async () => {
    const [id = ''] = await publishSilently(database.db, changeFile())
    const bodies = new AlertBodies(database.db)
    const alertsFrom = (start: number) =>
      Array.from({ length: 250 }, (_, index) => {
        return { alert_id: `alert_${start + index}`, change_ids: [id], public_url: publicUrl }
      })
    await bodies.load(alertsFrom(0))
    // Half of them known and about to be forgotten.
    const loaded = await bodies.load(alertsFrom(125))
    expect(loaded.size).toBe(250)
    for (const changesJson of loaded.values()) expect(JSON.parse(changesJson)).toMatchObject([{ id }])
  })

  test('that stop let what is in flight end, record it, and leave the rest to others', async () => {
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => (answer = resolve))
    const slow = await alerting.subscribe({ behave: (res) => void asked.then(() => res.end()) })
    const worker = await alerting.startWorker({ WEBHOOK_TIMEOUT: '5s' })
    await alerting.publish(...Array.from({ length: 150 }, () => changeFile()))
    await expect.poll(() => slow.received().length, soon).toBe(1)
    const stopped = worker.stop()
    const later = await alerting.subscribe()
    await alerting.publish()
    answer()
    await stopped
    const states = async () => (await alerting.deliveries(slow.id)).map(({ state }) => state).sort()
    expect(await states()).toEqual(['delivered', 'pending', 'pending'])
    expect(later.received()).toEqual([])
    const next = await alerting.startWorker()
    onTestFinished(() => next.stop())
    // At once, not when a time-out shows that its worker is gone.
    await expect.poll(states, { timeout: 5_000, interval: 20 }).toEqual(Array(3).fill('delivered'))
    expect(slow.received()).toHaveLength(3)
    await alerting.settled(later.id)
    expect(later.received()).toHaveLength(1)
  })
})
