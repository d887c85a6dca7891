import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { asOperator } from '../src/features/audit/audit-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { changeSettings } from '../src/features/notices/settings-store.ts'
import { updateWebhook, createWebhook } from '../src/features/webhooks/actions.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createCustomer, createKey, type Customer } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { spend } from './support/fixtures.ts'
import { createPerson, useNotices } from './support/notices.ts'
import { useDatabase } from './support/postgres.ts'

// People are told what happens to their accounts: once, whatever restarts and however many workers there are.

const database = useDatabase()
const clock = useDatabaseClock(database)
const { look, nextMail, told } = useNotices(database)

let customer: Customer
let owner: string

beforeEach(async () => {
  await clock.stand('2026-03-02T09:00:00Z')
  customer = await createCustomer(database.db)
  owner = await createPerson(database.db, customer.accountId)
})

/** Lets the key have used so many units of today. */
async function use(units: number): Promise<void> {
  await sql`delete from usage_days where quota_subject = ${customer.keyId}`.execute(database.db)
  await sql`delete from usage_ledger where quota_subject = ${customer.keyId}`.execute(database.db)
  await spend(database.db, customer, units)
}

describe('a daily quota', () => {
  test('is told at 80 % and when it is used up, each once, by one of several workers', async () => {
    await use(79)
    await look()
    expect(await told(owner)).toEqual([])
    await use(80)
    await Promise.all([look(), look(), look()])
    await look()
    expect(await told(owner)).toEqual(['quota_80 waiting'])
    await use(99)
    await look()
    await use(100)
    await look()
    await look()
    expect(await told(owner)).toEqual(['quota_80 waiting', 'quota_used_up waiting'])
    // The next day is another period.
    await clock.stand('2026-03-03T09:00:00Z')
    await look()
    expect(await told(owner)).toHaveLength(2)
    await use(80)
    await look()
    expect(await told(owner)).toHaveLength(3)
  })

  test('that is used up between two looks is told as used up alone, with what happens next', async () => {
    await use(100)
    await look()
    expect(await told(owner)).toEqual(['quota_used_up waiting'])
    const { mail } = (await nextMail(owner))!
    expect(mail.subject).toMatch(/^Key ….{4} has used up today's requests$/)
    expect(mail.text).toContain('Further requests are answered with 429 until midnight UTC.')
    expect(mail.link).toBe('https://prices.example/dashboard/billing')
    expect(await told(owner)).toEqual(['quota_used_up mailed'])
    expect(await nextMail(owner)).toBeNull()
  })

  test('says when packs pay, and follows the plan', async () => {
    await insertPack(database.db, customer.accountId, { units: 50_000 })
    await use(100)
    await look()
    const { mail } = (await nextMail(owner))!
    expect(mail.subject).toMatch(/packs pay now$/)
    expect(mail.text).toContain('50,000 requests are left in them')

    const paying = await createCustomer(database.db, { plan: 'developer' })
    const other = await createPerson(database.db, paying.accountId)
    await spend(database.db, paying, 7_999)
    await look()
    expect(await told(other)).toEqual([])
    await sql`update usage_days set plan_used = 8000 where quota_subject = ${paying.keyId}`.execute(
      database.db,
    )
    await look()
    expect(await told(other)).toEqual(['quota_80 waiting'])
  })

  test('is told owners with a verified address, and no other account', async () => {
    const member = await createPerson(database.db, customer.accountId, { role: 'member' })
    const unverified = await createPerson(database.db, customer.accountId, { isVerified: false })
    const stranger = await createPerson(database.db, (await createCustomer(database.db)).accountId)
    await use(80)
    await look()
    expect(await told(owner)).toHaveLength(1)
    for (const userId of [member, unverified, stranger]) expect(await told(userId)).toEqual([])
  })

  test('of revoked keys alone is told nobody', async () => {
    await use(80)
    await sql`update api_keys set revoked_at = ratecard_now() where id = ${customer.keyId}`.execute(
      database.db,
    )
    await look()
    expect(await told(owner)).toEqual([])
  })
})

describe('packs', () => {
  test('are told when a tenth is left, when nothing is, and anew with another pack', async () => {
    const { id } = await insertPack(database.db, customer.accountId, { units: 1_000 })
    const leave = (units: number) =>
      sql`update packs set remaining = ${units}::int where id = ${id}`.execute(database.db)
    await leave(101)
    await look()
    expect(await told(owner)).toEqual([])
    await leave(100)
    await look()
    await look()
    expect(await told(owner)).toEqual(['packs_low waiting'])
    await leave(0)
    await look()
    expect(await told(owner)).toEqual(['packs_low waiting', 'packs_used_up waiting'])
    await clock.stand('2026-03-02T10:00:00Z')
    const another = await insertPack(database.db, customer.accountId, { units: 500 })
    await look()
    expect(await told(owner)).toHaveLength(2)
    await sql`update packs set remaining = 10 where id = ${another.id}`.execute(database.db)
    await look()
    expect(await told(owner)).toHaveLength(3)
  })

  test('that end in a week are told once for each day on which some end, with what is left', async () => {
    for (const units of [1_000, 500]) await insertPack(database.db, customer.accountId, { units })
    await look()
    await clock.stand('2026-03-25T08:59:00Z')
    await look()
    expect(await told(owner)).toEqual([])
    await clock.stand('2026-03-25T09:01:00Z')
    await look()
    await clock.stand('2026-03-26T09:01:00Z')
    await look()
    expect(await told(owner)).toEqual(['packs_ending waiting'])
    const { mail } = (await nextMail(owner))!
    expect(mail.subject).toBe('2 packs end on 2026-04-01 with 1,500 requests left')
    expect(mail.text).toContain('2026-04-01 09:00 UTC')
  })
})

describe('keys', () => {
  test('that expire in a week are told once, unless they are revoked before', async () => {
    const expire = (keyId: string, instant: string) =>
      sql`update api_keys set expires_at = ${instant}::timestamptz where id = ${keyId}`.execute(database.db)
    const revoked = (await createKey(database.db, customer.accountId)).id
    await expire(customer.keyId, '2026-03-12T09:00:00Z')
    await expire(revoked, '2026-03-12T09:00:00Z')
    await sql`update api_keys set revoked_at = ratecard_now() where id = ${revoked}`.execute(database.db)
    await clock.stand('2026-03-05T08:59:00Z')
    await look()
    expect(await told(owner)).toEqual([])
    await clock.stand('2026-03-05T09:00:00Z')
    await look()
    await look()
    expect(await told(owner)).toEqual(['key_expiring waiting'])
    const { mail } = (await nextMail(owner))!
    expect(mail.subject).toMatch(/^Key ….{4} expires in a week$/)
    expect(mail.text).toContain('stops working on 2026-03-12 09:00 UTC')
  })
})

describe('webhooks', () => {
  const box = createSecretBox([generateSecretsKey()])
  const terms = { operations: new Set(['createWebhook'] as const), activeWebhooksMax: 5 }
  const by = () => asOperator(customer.accountId)
  const create = (url = 'https://hooks.acme.example/secret-path?token=1') =>
    database.db
      .transaction()
      .execute((trx) =>
        createWebhook(
          trx,
          by(),
          terms as never,
          { url, events: ['change.alert'], secret: 'a secret of 32 characters, at least' } as never,
          box,
        ),
      )

  test('that said that they are gone are told, those that somebody switched off are not', async () => {
    const gone = await create()
    const byHand = await create()
    await clock.stand('2026-03-02T09:30:00Z')
    await sql`update webhooks set last_error = 'http_410: The endpoint answered 410.', last_status = 410`.execute(
      database.db,
    )
    await sql`update webhooks set active = false, updated_at = ratecard_now() where id = ${gone.id}`.execute(
      database.db,
    )
    await database.db.transaction().execute((trx) =>
      updateWebhook(trx, by(), terms, byHand.id, { active: false }),
    ) // prettier-ignore
    await look()
    await look()
    expect(await told(owner)).toEqual(['webhook_off waiting'])
    const { mail } = (await nextMail(owner))!
    expect(mail.subject).toBe('A webhook was switched off')
    expect(mail.link).toBe(`https://prices.example/dashboard/webhooks/${gone.id}`)
    expect(mail.text).toContain('hooks.acme.example')
    expect(JSON.stringify(mail)).not.toContain('secret-path')

    // On again, and off again: another beginning.
    await clock.stand('2026-03-02T11:00:00Z')
    await database.db.transaction().execute((trx) =>
      updateWebhook(trx, by(), terms, gone.id, { active: true }),
    ) // prettier-ignore
    await look()
    await sql`update webhooks set active = false, updated_at = ratecard_now() where id = ${gone.id}`.execute(
      database.db,
    )
    await look()
    expect(await told(owner)).toEqual(['webhook_off mailed', 'webhook_off waiting'])
  })

  test('are told when a delivery has failed for a day, once until one arrives', async () => {
    const { id } = await create('https://hooks.acme.example/')
    await sql`update webhooks set last_error = 'timeout: No answer in 15 s.' where id = ${id}`.execute(
      database.db,
    )
    await clock.stand('2026-03-02T10:00:00Z')
    await sql`insert into alerts (id, event, change_ids, public_url) values ('alert_1', 'change.alert', '{chg_1}', 'https://prices.example')`.execute(
      database.db,
    )
    await sql`insert into deliveries (id, alert_id, webhook_id, account_id, attempts)
      values ('dlv_1', 'alert_1', ${id}, ${customer.accountId}, 3)`.execute(database.db)
    await clock.stand('2026-03-03T09:59:00Z')
    await look()
    expect(await told(owner)).toEqual([])
    await clock.stand('2026-03-03T10:00:00Z')
    await look()
    await clock.stand('2026-03-04T10:00:00Z')
    await look()
    expect(await told(owner)).toEqual(['webhook_failing waiting'])
    expect((await nextMail(owner))!.mail.text).toContain('nothing since 2026-03-02 10:00 UTC')
  })
})

describe('mails', () => {
  const queueUp = (count: number) =>
    sql`insert into notices (user_id, account_id, event, period, facts, outcome)
      select ${owner}, ${customer.accountId}, 'packs_low', n::text, '{"units":100,"remaining":5}', 'waiting'
      from generate_series(1, ${count}::int) n`.execute(database.db)

  test('of one kind are switched off, also those that wait, and shown all the same', async () => {
    await queueUp(1)
    await changeSettings(database.db, owner, { off: ['packs'] })
    await use(80)
    expect(await nextMail(owner)).toBeNull()
    await changeSettings(database.db, owner, { off: ['quota'], on: ['packs'] })
    await look()
    expect(await told(owner)).toEqual(['packs_low off', 'quota_80 off'])
  })

  test('are ten a day, then one with all that waits, then none until the next day', async () => {
    await queueUp(25)
    for (let sent = 0; sent < 10; sent += 1) expect((await nextMail(owner))?.outcome).toBe('mailed')
    expect(await nextMail(owner)).toBeNull()
    await clock.stand('2026-03-02T10:00:00Z')
    const collected = await nextMail(owner)
    expect(collected).toMatchObject({
      outcome: 'collected',
      mail: { subject: '15 notices of your accounts' },
    })
    expect(collected!.mail.unsubscribeUrl).toContain('/unsubscribe/all.')
    await sql`update notices set period = 'x' || period`.execute(database.db)
    await queueUp(2)
    await clock.stand('2026-03-03T08:00:00Z')
    expect(await nextMail(owner)).toBeNull()
    await clock.stand('2026-03-03T09:01:00Z')
    expect((await nextMail(owner))?.outcome).toBe('mailed')
  })

  test('to who is no owner any more, or has left, are not sent', async () => {
    await createPerson(database.db, customer.accountId)
    await queueUp(1)
    await sql`update members set role = 'member' where user_id = ${owner}`.execute(database.db)
    expect(await nextMail(owner)).toBeNull()
    expect(await told(owner)).toEqual(['packs_low off'])
    await sql`delete from members where user_id = ${owner}`.execute(database.db)
    expect(await told(owner)).toEqual([])
  })

  test('without a mail server are written down, and are not sent when there is one', async () => {
    await use(80)
    await look({ canMail: false })
    await look()
    expect(await told(owner)).toEqual(['quota_80 not_mailed'])
    expect(await nextMail(owner)).toBeNull()
  })

  test('quote what customers chose, as text and as HTML', async () => {
    await sql`update api_keys set name = '<b>https://evil.example</b>' where id = ${customer.keyId}`.execute(
      database.db,
    )
    await use(80)
    await look()
    const { mail } = (await nextMail(owner))!
    for (const text of [mail.text, mail.html ?? '']) {
      expect(text).not.toContain('evil.example')
      expect(text).not.toContain('<b>')
    }
  })

  test('of a person with very much to tell are bounded rows', async () => {
    await sql`insert into packs (id, account_id, purchased_at, expires_at, units, remaining)
      select 'pack_' || n, ${customer.accountId}, ratecard_now() - interval '30 days',
        ratecard_now() + make_interval(hours => n), 10, 5
      from generate_series(1, 160) n`.execute(database.db)
    await queueUp(198)
    await look()
    expect(await told(owner)).toHaveLength(200)
  })
})
