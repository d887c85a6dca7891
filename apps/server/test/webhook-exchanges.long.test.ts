import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { deleteAged } from '../src/database/aged-rows.ts'
import {
  deleteExcessExchanges,
  exchanges,
  exchangeDays,
  exchangesPerAccountMax,
} from '../src/features/webhooks/exchange-store.ts'
import { resealSecrets } from '../src/features/webhooks/reseal-secrets.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { soon } from './support/alert-fixtures.ts'
import type { Browser } from './support/dashboard-client.ts'
import { answer, create, dataOf, deliveriesOf, useDashboardWebhooks } from './support/dashboard-webhooks.ts'
import { isSigned, type Behaviour } from './support/receiver.ts'
import { verdictsOf, allAccept } from './support/standard-webhooks.ts'

// What each attempt sent and got, what is sent again, and secrets that change while alerts are on their way.

const { database, alerting, api, customer, endpoint, auditOf } = useDashboardWebhooks()

const exchangeOf = async (browser: Browser, id: string, attempt: number) =>
  dataOf<Schemas['Exchange'] | null>(await browser.get(`/deliveries/${id}/exchange?attempt=${attempt}`))

async function published(behave: Behaviour) {
  const { browser, accountId } = await customer()
  const at = endpoint(behave)
  const { record, secret } = await create(browser, { url: at.url })
  await alerting.publish()
  const [delivery] = await alerting.settled(record.id)
  return { browser, accountId, ...at, id: record.id, secret, delivery: delivery! }
}

describe('an attempt', () => {
  test('keeps the request as it arrived, and the beginning of the answer', async () => {
    let count = 0
    const { browser, received, delivery, url, secret } = await published((res) => {
      count += 1
      if (count === 1) res.writeHead(503, { 'retry-after': '1', 'set-cookie': 'a=b' }).end('Not now.')
      else if (count === 2) res.destroy()
      else res.writeHead(200, { 'content-type': 'text/plain', 'x-request-id': 'req-3' }).end()
    })
    expect(delivery.state).toBe('delivered')
    for (const [place, item] of received().entries()) {
      const exchange = await exchangeOf(browser, delivery.id, place + 1)
      expect(exchange).toMatchObject({ url, body: item.body.toString() })
      const { host, connection, ...sent } = item.headers
      expect([host, connection]).toEqual([new URL(url).host, 'keep-alive'])
      expect(exchange!.request_headers).toEqual(sent)
      expect(JSON.stringify(exchange)).not.toContain(secret)
    }
    const answers = await Promise.all([1, 2, 3].map((attempt) => exchangeOf(browser, delivery.id, attempt)))
    expect(answers.map((exchange) => exchange!.answer)).toMatchObject([
      { headers: { 'retry-after': '1' }, body: 'Not now.', is_cut: false },
      null,
      { headers: { 'content-type': 'text/plain', 'x-request-id': 'req-3' }, body: '', is_cut: false },
    ] as never)
    expect(JSON.stringify(answers)).not.toContain('a=b')
    expect(await exchangeOf(browser, delivery.id, 4)).toBeNull()
    const latest = dataOf(await browser.get(`/deliveries/${delivery.id}/exchange`))
    expect(latest).toEqual(await exchangeOf(browser, delivery.id, 3))
    expect((await browser.get(`/deliveries/${delivery.id}/exchange?attempt=0`)).status).toBe(400)

    const { browser: stranger } = await customer()
    expect((await stranger.get(`/deliveries/${delivery.id}/exchange?attempt=1`)).status).toBe(404)
  })

  test('with a hostile answer keeps little of it, and nothing that acts', async () => {
    const evil = `<script>alert(1)</script>\u0000\u001b[2J\u202e\r\n${'x'.repeat(2_000_000)}`
    const { browser, delivery } = await published((res) => {
      res.writeHead(200, { server: `evil\u0085\u009b${'s'.repeat(9_000)}`, 'content-type': 'text/html' })
      res.end(evil)
    })
    const { answer: kept } = (await exchangeOf(browser, delivery.id, 1))!
    expect(kept!.body).toMatch(/^<script>alert\(1\)<\/script>\[2J\nx+$/)
    expect(kept!.body.length).toBeLessThanOrEqual(1_024)
    expect(kept!.is_cut).toBe(true)
    expect(kept!.headers.server).toMatch(/^evils{196}$/)
    const { rows } = await sql<{ bytes: number }>`
      select pg_column_size(e.*) as bytes from delivery_exchanges e where delivery_id = ${delivery.id}`.execute(
      database.db,
    )
    expect(rows[0]!.bytes).toBeLessThan(4_096)
  })

  test('of a test is shown with it', async () => {
    const { browser } = await customer()
    const { url, received } = endpoint((res) => res.writeHead(410).end('gone for good'))
    const { record } = await create(browser, { url })
    const sent = dataOf<Schemas['Attempt']>(await browser.post(`/webhooks/${record.id}/test`))
    // A test switches nothing off, and does not say so.
    expect(sent.error).not.toContain('is switched off')
    expect(sent.exchange).toMatchObject({
      url,
      body: received()[0]!.body.toString(),
      answer: { body: 'gone for good' },
    })
    expect(sent.exchange!.request_headers['x-svc-test']).toBe('true')
    const after = dataOf<Schemas['Webhook']>(await browser.get(`/webhooks/${record.id}`))
    expect(after).toMatchObject({ active: true, last_error: null })
  })

  test('is forgotten after some days, and beyond the share of its account; its outcome is not', async () => {
    const first = await published(answer(200))
    const other = await published(answer(200))
    const age = (id: string, days: number) =>
      sql`update delivery_exchanges set started_at = ratecard_now() - make_interval(days => ${days})
        where delivery_id = ${id}`.execute(database.db)
    await age(first.delivery.id, exchangeDays - 1)
    await age(other.delivery.id, exchangeDays + 1)
    expect(await deleteAged(database.db, exchanges, exchangeDays)).toBe(1)
    expect(await exchangeOf(other.browser, other.delivery.id, 1)).toBeNull()
    expect(await exchangeOf(first.browser, first.delivery.id, 1)).not.toBeNull()
    // As many newer ones as an account may have.
    await sql`
      with attempts as (
        insert into delivery_attempts (delivery_id, attempt, started_at, duration_ms)
        select ${first.delivery.id}, n + 1, ratecard_now(), 1 from generate_series(1, ${exchangesPerAccountMax}::int) n
        returning *
      ) insert into delivery_exchanges (delivery_id, attempt, account_id, started_at, url, request_headers, body_hash)
        select delivery_id, attempt, ${first.accountId}, started_at, 'https://x.example', '{}', '\\x00' from attempts`.execute(
      database.db,
    )
    // The first account was told of both alerts.
    expect(await deleteExcessExchanges(database.db)).toBe(2)
    expect(await exchangeOf(first.browser, first.delivery.id, 1)).toBeNull()
    // What cannot be written again byte for byte is not shown as if it were.
    expect(await exchangeOf(first.browser, first.delivery.id, 2)).toMatchObject({ body: null })
    expect((await deliveriesOf(other.browser)).data[0]!.log).toMatchObject([{ attempt: 1, status: 200 }])
  })
})

describe('what failed', () => {
  const resendFailed = (browser: Browser, id: string, body: object = {}) =>
    browser.post(`/webhooks/${id}/resend-failed`, body)
  const failedCount = async (browser: Browser, id: string) =>
    dataOf<Schemas['Webhook']>(await browser.get(`/webhooks/${id}`)).failed_count

  test('is sent again together: each alert once, also when two press at the same moment', async () => {
    const { browser, accountId } = await customer()
    let status = 500
    const { url, received } = endpoint((res) => res.writeHead(status).end())
    const { id } = (await create(browser, { url, name: 'Flaky' })).record
    for (let count = 0; count < 3; count += 1) await alerting.publish()
    const failed = await alerting.settled(id, 3)
    expect(await failedCount(browser, id)).toBe(3)
    await sql`update deliveries set created_at = ratecard_now() - interval '3 hours' where id = ${failed[0]!.id}`.execute(
      database.db,
    )
    status = 200
    const since = new Date(Date.now() - 3_600_000).toISOString().replace('Z', '000Z')
    const answers = await Promise.all([
      resendFailed(browser, id, { since }),
      resendFailed(browser, id, { since }),
    ])
    expect(answers.map((sent) => dataOf<Schemas['Resent']>(sent).resent).sort()).toEqual([0, 2])
    await alerting.settled(id, 5)
    expect(await failedCount(browser, id)).toBe(1)
    expect(dataOf(await resendFailed(browser, id))).toEqual({ resent: 1, left: 0 })
    await alerting.settled(id, 6)
    expect(dataOf(await resendFailed(browser, id))).toEqual({ resent: 0, left: 0 })
    expect(await failedCount(browser, id)).toBe(0)
    expect(new Set(received().map(({ headers }) => headers['x-svc-delivery'])).size).toBe(6)
    expect((await auditOf(accountId)).filter(({ action }) => action === 'deliveries.resent')).toMatchObject([
      { subject_id: id, details: { deliveries: '2' } },
      { subject_id: id, details: { deliveries: '1' } },
    ])
    // The overview lists nothing that arrived after all.
    expect(dataOf<Schemas['Overview']>(await browser.get('/overview')).failures).toEqual([])

    const { browser: stranger } = await customer()
    expect((await resendFailed(stranger, id)).status).toBe(404)
  })

  test('is sent again a hundred at a time, the oldest first, and not without end', async () => {
    const { browser, accountId } = await customer()
    const { id } = (await create(browser, { url: endpoint(answer(500)).url, name: 'Down' })).record
    await sql`
      with told as (
        insert into alerts (id, event, change_ids, public_url)
        select 'alert_bulk_' || n, 'change.alert', '{chg_gone}', 'https://x.example' from generate_series(1, 130) n
        returning id
      ) insert into deliveries (id, alert_id, webhook_id, account_id, state, created_at, finished_at)
        select 'dlv_' || id, id, ${id}, ${accountId}, 'exhausted',
          ratecard_now() - interval '1 day' + substr(id, 12)::int * interval '1 second', ratecard_now()
        from told`.execute(database.db)
    expect(await failedCount(browser, id)).toBe(130)
    expect(dataOf(await resendFailed(browser, id))).toEqual({ resent: 100, left: 30 })
    const { rows } = await sql<{ last: number }>`
      select max(substr(resent_from, 16)::int) as last from deliveries where webhook_id = ${id}`.execute(
      database.db,
    )
    expect(rows[0]!.last).toBe(100)
    await browser.send('DELETE', `/webhooks/${id}`)
    expect((await resendFailed(browser, id)).status).toBe(404)
  })

  test('is told on the overview by its name and its title', async () => {
    const { browser } = await customer()
    const { id } = (await create(browser, { url: endpoint(answer(500)).url, name: 'Desk' })).record
    await alerting.publish()
    await alerting.settled(id)
    const { failures } = dataOf<Schemas['Overview']>(await browser.get('/overview'))
    expect(failures).toMatchObject([{ name: 'Desk', title: 'Alpha is cheaper', change_count: 1 }])
  })
})

describe('a new secret with an overlap', () => {
  async function rotating() {
    const { browser, accountId } = await customer()
    const { url, received } = endpoint()
    const { record, secret: old } = await create(browser, { url })
    const path = `/webhooks/${record.id}`
    await browser.send('PATCH', path, { standard_headers: true })
    const rotate = async (body: object) =>
      dataOf<Schemas['NewWebhook']>(await browser.post(`${path}/secret`, body))
    const made = await rotate({ overlap_seconds: 86_400 })
    const webhook = async () => dataOf<Schemas['Webhook']>(await browser.get(path))
    const arrives = async () => {
      const count = received().length
      await alerting.publish()
      await expect.poll(() => received().length, soon).toBe(count + 1)
      return received().at(-1)!
    }
    const patch = (body: object) => browser.send('PATCH', path, body)
    return {
      browser,
      accountId,
      id: record.id,
      old,
      next: made.secret,
      made,
      webhook,
      arrives,
      rotate,
      patch,
    }
  }

  test('signs from its time on; until then the old one does, and the standard header has both', async () => {
    const { id, old, next, made, webhook, arrives, accountId } = await rotating()
    const from = Date.parse(made.record.next_secret_at!)
    expect(Math.abs(from - Date.now() - 86_400_000)).toBeLessThan(60_000)
    const before = await arrives()
    expect([isSigned(before, old), isSigned(before, next)]).toEqual([true, false])
    expect(verdictsOf(before, old)).toEqual(allAccept)
    expect(verdictsOf(before, next)).toEqual(allAccept)

    // Its time comes: nothing has to be done, and no restart.
    await sql`update webhooks set next_secret_at = ratecard_now() where id = ${id}`.execute(database.db)
    const after = await arrives()
    expect([isSigned(after, old), isSigned(after, next)]).toEqual([false, true])
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1)
    expect((await webhook()).next_secret_at).toBeNull()
    const log = JSON.stringify(await auditOf(accountId)) + api.log.join('')
    expect([log.includes(old), log.includes(next)]).toEqual([false, false])
  })

  test('can be used at once, forgotten, or replaced by another', async () => {
    const { old, next, webhook, arrives, rotate, patch } = await rotating()
    expect((await patch({ next_secret: 'never' })).status).toBe(200)
    expect((await webhook()).next_secret_at).toBeNull()
    expect(isSigned(await arrives(), old)).toBe(true)

    const second = (await rotate({ overlap_seconds: 3_600 })).secret
    await patch({ next_secret: 'now' })
    expect(isSigned(await arrives(), second)).toBe(true)
    // The one that has come takes its place when the next begins to wait.
    const third = (await rotate({ overlap_seconds: 3_600 })).secret
    expect(isSigned(await arrives(), second)).toBe(true)
    const fourth = (await rotate({})).secret
    const last = await arrives()
    expect([old, next, second, third, fourth].map((secret) => isSigned(last, secret))).toEqual([
      ...[false, false, false, false],
      true,
    ])
    expect((await webhook()).next_secret_at).toBeNull()
    expect((await patch({ next_secret: 'now' })).status).toBe(200)
    expect(isSigned(await arrives(), fourth)).toBe(true)
  })

  test('goes under the new key of the secrets with the old one', async () => {
    const { id, accountId, old, next } = await rotating()
    const box = createSecretBox([generateSecretsKey()])
    const both = {
      ...box,
      open: (...of: Parameters<typeof box.open>) =>
        of[0].keyId === box.sealingKeyId ? box.open(...of) : alerting.secrets.open(...of),
    }
    await resealSecrets(database.db, both, () => undefined)
    const row = await database.db
      .selectFrom('webhooks')
      .select(['secret_ciphertext', 'secret_key_id', 'next_secret_ciphertext', 'next_secret_key_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const owner = { webhookId: id, accountId }
    expect(box.open({ ciphertext: row.secret_ciphertext, keyId: row.secret_key_id }, owner)).toBe(old)
    expect(box.open({ ciphertext: row.next_secret_ciphertext!, keyId: row.next_secret_key_id! }, owner)).toBe(
      next,
    )
  })
})

describe('a name', () => {
  test('is kept as it is written, may be taken away, and turns no text round', async () => {
    const { browser, accountId } = await customer()
    const { record } = await create(browser, { url: endpoint().url, name: ' Übersicht “prod” ' })
    expect(record.name).toBe('Übersicht “prod”')
    const rename = async (name: unknown) => browser.send('PATCH', `/webhooks/${record.id}`, { name })
    expect(dataOf<Schemas['Webhook']>(await rename('Other')).name).toBe('Other')
    expect(dataOf<Schemas['Webhook']>(await rename('   ')).name).toBeNull()
    for (const bad of ['x'.repeat(101), 'a\u0000b', 'a\u202eb', 7])
      expect((await rename(bad)).status, String(bad)).toBe(400)
    expect((await auditOf(accountId)).map(({ details }) => details)).toMatchObject([
      {},
      { name: 'Other' },
      { name: 'none' },
    ])
  })
})
