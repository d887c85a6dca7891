import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAlertQueue } from '../src/alert-queue.ts'
import { deleteExpired } from '../src/features/members/expired-rows.ts'
import { tellPeople } from '../src/jobs/notices.ts'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLogger } from '../src/platform/logger.ts'
import type { Queue } from '../src/queue/queue.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { openMailbox } from './support/mailbox.ts'
import { useDatabase } from './support/postgres.ts'

// Changes by mail without an account, from the field on a page to the link that ends them. The mail server is a real one.

const { url: smtpUrl, mails, close: closeMailbox } = await openMailbox()

const database = useDatabase()
const clock = useDatabaseClock(database)
const api = useApi(database, {
  env: { PUBLIC_URL: 'https://prices.example', SMTP_URL: smtpUrl, TRUSTED_PROXIES: '127.0.0.0/8' },
}) // prettier-ignore
const mute = useApi(database)

let queue: Queue
const logger = createLogger('silent')

beforeAll(async () => {
  const connection = { connectionString: database.url, embedded: null, revive: () => Promise.resolve(), close: () => Promise.resolve() } // prettier-ignore
  queue = await openAlertQueue(readConfig({}), connection, logger, { supervise: false })
  await storePrices(database.db, [
    priceRecord({ resource_id: 'acme:alpha', product_id: 'acme/alpha' }),
    priceRecord({ resource_id: 'host:alpha-fp8', product_id: 'acme/alpha-fp8' }),
    priceRecord({ resource_id: 'zeta:one', product_id: 'zeta/one', vendor: 'zeta' }),
  ])
})
afterAll(async () => {
  await queue.stop()
  await closeMailbox()
})
beforeEach(async () => {
  await clock.stand('2026-05-01T12:00:00Z')
  await sql`truncate followers, attempts, notice_progress, changes cascade`.execute(database.db)
  await look()
  mails.length = 0
})

/** A look of a worker, and its sending. */
async function look() {
  await tellPeople({ db: database.db, queue, canMail: true, clock: systemClock, logger })
  await api.sendMails()
}

async function post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await fetch(api.url + path, { method: 'POST', body, headers: { ...type, ...headers } })
  return { status: response.status, text: await response.text() }
}
const ask = (fields: Record<string, string>, headers = {}) =>
  post('/follow', { kind: 'all', name: '', ...fields }, headers)
const linkIn = (text: string, kind: string): string =>
  new RegExp(`https://prices\\.example(/${kind}/\\S+?)[\\s>]`).exec(text)?.[1] ?? ''

async function followed(fields: Record<string, string>): Promise<void> {
  await ask(fields)
  await api.sendMails()
  const { status } = await post(linkIn(mails.at(-1)!.text, 'follow'))
  expect(status).toBe(200)
}

/** Publishes at the time of the test. */
async function announce(...changes: Record<string, unknown>[]) {
  const ids = await publish(database.db, ...changes)
  await sql`update changes set created_at = ratecard_now() where id = any(${ids}::text[])`.execute(
    database.db,
  )
}
const follows = async () =>
  (
    await database.db
      .selectFrom('followers')
      .select(['email', 'kind', 'name', 'confirmed_at'])
      .orderBy('email')
      .execute()
  ).map(({ confirmed_at, ...row }) => ({ ...row, isConfirmed: confirmed_at !== null }))

describe('the field', () => {
  test('stands on the pages of changes, a model and a maker, where mail is sent', async () => {
    const pages = ['/changes', '/models/acme/alpha', '/vendors/acme']
    for (const path of pages) {
      expect(String((await api.request(path)).body)).toContain('action="/follow"')
      expect(String((await mute.request(path)).body)).not.toContain('action="/follow"')
    }
  })

  test('brings one mail to the address, whose link confirms by a button and not by being opened', async () => {
    const { status, text } = await ask({ email: ' Ann@Example.com ', kind: 'product', name: 'acme/alpha' })
    expect(status).toBe(200)
    expect(text).toContain('Check your inbox')
    await api.sendMails()
    expect(mails.map(({ to }) => to)).toEqual(['ann@example.com'])
    const path = linkIn(mails[0]!.text, 'follow')
    expect(String((await api.request(path)).body)).toContain('when prices of Alpha change')
    expect(await follows()).toMatchObject([{ email: 'ann@example.com', isConfirmed: false }])
    expect((await post(path)).text).toContain('You follow Alpha')
    expect(await follows()).toMatchObject([{ kind: 'product', name: 'acme/alpha', isConfirmed: true }])
    expect((await post(path)).status).toBe(404)
    // The token itself is nowhere.
    const { rows } = await sql<{ row: string }>`select f::text as row from followers f`.execute(database.db)
    expect(rows[0]!.row).not.toContain(path.split('/').at(-1))
  })

  test('answers the same for an address that follows it already, which is mailed nothing', async () => {
    await followed({ email: 'ann@example.com' })
    mails.length = 0
    const again = await ask({ email: 'ann@example.com' })
    const other = await ask({ email: 'bob@example.com' })
    expect(again.text.replaceAll('ann@', 'bob@')).toBe(other.text)
    await api.sendMails()
    expect(mails.map(({ to }) => to)).toEqual(['bob@example.com'])
  })

  test.each([
    ['no address', { email: 'ann' }],
    ['two addresses', { email: 'ann@example.com,bob@example.com' }],
    ['a header', { email: 'ann@example.com\r\nBcc: bob@example.com' }],
    ['a name of their own', { email: 'ann@example.com', kind: 'product', name: 'buy/now-at-evil.example' }],
    ['another kind', { email: 'ann@example.com', kind: 'everything' }],
  ])('refuses %s', async (_what, fields) => {
    expect((await ask(fields)).status).toBe(400)
    expect(await follows()).toEqual([])
  })

  test('refuses forms of other sites, large bodies, and a server that sends no mail', async () => {
    expect((await ask({ email: 'ann@example.com' }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await ask({ email: 'a'.repeat(10_000) })).status).toBe(413)
    const response = await fetch(`${mute.url}/follow`, { method: 'POST', body: new URLSearchParams({ email: 'ann@example.com', kind: 'all' }) }) // prettier-ignore
    expect(response.status).toBe(403)
    expect(await follows()).toEqual([])
  })

  test('lets a network ask ten times an hour, and mails a mailbox three times a day', async () => {
    const from = (network: number) => ({ 'X-Forwarded-For': `10.${network}.0.1` })
    for (let n = 0; n < 10; n++) expect((await ask({ email: `a${n}@example.com` }, from(1))).status).toBe(200)
    const refused = await ask({ email: 'b@example.com' }, from(1))
    expect(refused.status).toBe(429)
    mails.length = 0
    for (let n = 0; n < 5; n++) {
      await ask({ email: 'victim@example.com' }, from(2 + n))
      await api.sendMails()
    }
    expect(mails.filter(({ to }) => to === 'victim@example.com')).toHaveLength(3)
  })

  test('notes no more than thirty of an address', async () => {
    await sql`insert into followers (id, email, kind, name, expires_at)
      select 'fol_' || n, 'ann@example.com', 'vendor', 'v' || n, ratecard_now() + interval '1 day'
      from generate_series(1, 30) n`.execute(database.db)
    await ask({ email: 'ann@example.com' })
    expect(await follows()).toHaveLength(30)
  })
})

test('what is not confirmed within three days can not be, and is deleted; what is stays', async () => {
  await ask({ email: 'late@example.com' })
  await api.sendMails()
  const path = linkIn(mails[0]!.text, 'follow')
  await followed({ email: 'ann@example.com' })
  await clock.stand('2026-05-04T11:59:00Z')
  expect((await api.request(path)).status).toBe(200)
  await deleteExpired(database.db, 'followers')
  expect(await follows()).toHaveLength(2)
  await clock.stand('2026-05-04T12:01:00Z')
  expect((await post(path)).status).toBe(404)
  await deleteExpired(database.db, 'followers')
  expect(await follows()).toMatchObject([{ email: 'ann@example.com', isConfirmed: true }])
})

describe('the mail of a day', () => {
  test('tells each once what was published the day before of what they follow, over restarts and with two servers', async () => {
    await followed({ email: 'all@example.com' })
    await followed({ email: 'alpha@example.com', kind: 'product', name: 'acme/alpha' })
    await followed({ email: 'zeta@example.com', kind: 'vendor', name: 'zeta' })
    await clock.stand('2026-05-02T10:00:00Z')
    await announce(
      changeFile({ title: 'Alpha is 20 % cheaper on Acme ($1 → $0.80 in)', severity: 4 }),
      changeFile({ title: 'Corrected: Alpha', category: 'correction' }),
      changeFile({ title: 'The fp8 variant is cheaper', product: 'acme/alpha-fp8' }),
      changeFile({ title: 'One retires', vendor: 'zeta', product: 'zeta/one', category: 'deprecation' }),
    )
    mails.length = 0
    await clock.stand('2026-05-03T05:59:00Z')
    await look()
    expect(mails).toEqual([])
    await clock.stand('2026-05-03T06:01:00Z')
    await Promise.all([look(), look()])
    await look()
    const told = Object.fromEntries(mails.map(({ to, text }) => [to, text]))
    expect(mails).toHaveLength(3)
    expect(told['all@example.com']).toMatch(/Subject: =\?UTF-8\?Q\?3_AI_price_changes/)
    expect(told['all@example.com']).toContain('One retires')
    expect(told['alpha@example.com']).toContain('The fp8 variant is cheaper')
    expect(told['alpha@example.com']).not.toContain('One retires')
    expect(told['zeta@example.com']).toContain('Subject: One retires')
    for (const text of Object.values(told)) expect(text).not.toContain('Corrected')
    await clock.stand('2026-05-04T06:01:00Z')
    await look()
    expect(mails).toHaveLength(3)
  })

  test('ends by the button of the mail program, and by a page that works without a script', async () => {
    await followed({ email: 'ann@example.com' })
    await followed({ email: 'ann@example.com', kind: 'vendor', name: 'acme' })
    await clock.stand('2026-05-02T10:00:00Z')
    await announce(changeFile({ title: 'Alpha is cheaper' }))
    mails.length = 0
    await clock.stand('2026-05-03T06:01:00Z')
    await look()
    const [mail] = mails
    expect(mail!.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const path = linkIn(mail!.text, 'unsubscribe')
    expect(mail!.text.match(/- Alpha is cheaper/g)).toHaveLength(1)
    expect(String((await api.request(path)).body)).toContain('No more mails about price changes?')
    expect(await follows()).toHaveLength(2)
    expect((await post(path, { 'List-Unsubscribe': 'One-Click' })).text).toContain('You are unsubscribed')
    expect(await follows()).toEqual([])
    expect((await post(path)).status).toBe(200)
    expect((await post(path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(404)
  })

  test('is not sent to who has left after it was queued', async () => {
    await followed({ email: 'ann@example.com' })
    await clock.stand('2026-05-02T10:00:00Z')
    await announce(changeFile({ title: 'Alpha is cheaper' }))
    await clock.stand('2026-05-03T06:01:00Z')
    mails.length = 0
    await tellPeople({ db: database.db, queue, canMail: true, clock: systemClock, logger })
    await sql`delete from followers`.execute(database.db)
    await api.sendMails()
    expect(mails).toEqual([])
  })
})
