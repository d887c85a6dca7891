import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { WatchedThing } from '../src/catalog/watch-list.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { changeSettings } from '../src/features/notices/settings-store.ts'
import { watch } from '../src/features/watching/watch-store.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { createPerson, useNotices } from './support/notices.ts'
import { useDatabase } from './support/postgres.ts'

// Who watches a product or a vendor hears of its changes: once a day, or at once from a severity on.

const database = useDatabase()
const clock = useDatabaseClock(database)
const { look, nextMail, told } = useNotices(database)

let accountId: string
let userId: string
let day = 0

const star = (thing: WatchedThing, who = { accountId, userId }) =>
  database.db.transaction().execute((trx) => watch(trx, who, thing))
/** Today at this hour; each test has days of its own. */
const at = (time: string, daysAhead = 0) =>
  clock.stand(`2026-${String(4 + Math.floor(day / 20)).padStart(2, '0')}-${String(1 + (day % 20) + daysAhead).padStart(2, '0')}T${time}:00Z`) // prettier-ignore

beforeEach(async () => {
  day += 3
  await at('05:00')
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  accountId = (await createCustomer(database.db)).accountId
  userId = await createPerson(database.db, accountId, { role: 'member' })
  await look()
})

/** Publishes at the time of the test. The list has a clock of its own. */
async function announce(...changes: Record<string, unknown>[]): Promise<string[]> {
  const ids = await publish(database.db, ...changes)
  await sql`update changes set created_at = at, updated_at = at
    from unnest(${ids}::text[]) with ordinality as new (id, place),
      lateral (select ratecard_now() + place * interval '1 microsecond' as at) moment
    where changes.id = new.id`.execute(database.db)
  return ids
}

const diff = {
  diff_before: JSON.stringify({ 'acme:alpha': { input_per_mtok: 0.25 } }),
  diff_after: JSON.stringify({ 'acme:alpha': { input_per_mtok: 0.2 } }),
}

describe('the digest', () => {
  test('waits, in a cell, until the hub has brought the day to its end: what comes late is told with its day', async () => {
    await star({ kind: 'product', name: 'acme/alpha' })
    await at('12:00')
    await announce(changeFile({ title: 'Alpha is cheaper', ...diff }))
    const { db } = database
    await sql`insert into settings (name, value) values ('feed', 'follows')`.execute(db)
    await sql`insert into feed_pulse (at, migration) values (ratecard_now(), '')`.execute(db)
    onTestFinished(async () => {
      await sql`delete from settings where name = 'feed'`.execute(db)
      await sql`delete from feed_pulse`.execute(db)
    })
    await at('07:00', 1)
    await look()
    expect(await told(userId)).toEqual([])
    await sql`update feed_pulse set at = ratecard_now()`.execute(db)
    await look()
    expect(await told(userId)).toEqual(['watched_digest waiting'])
  })

  test('is one mail a day of what was published the day before, once, by one of several workers', async () => {
    await star({ kind: 'product', name: 'acme/alpha' })
    await star({ kind: 'vendor', name: 'acme' })
    await at('12:00')
    await announce(
      changeFile({ title: 'Alpha is cheaper', ...diff }),
      changeFile({ title: 'Alpha falls again', severity: 4 }),
      changeFile({ title: 'Alpha was down', category: 'incident' }),
      changeFile({ title: 'Beta is cheaper', vendor: 'bolt', product: 'bolt/beta' }),
    )
    await look()
    await at('05:59', 1)
    await look()
    expect(await told(userId)).toEqual([])
    await at('06:00', 1)
    await Promise.all([look(), look(), look()])
    await look()
    expect(await told(userId)).toEqual(['watched_digest waiting'])
    const { mail } = (await nextMail(userId))!
    expect(mail.subject).toBe('Watch list: 2 changes')
    // The gravest first. The free plan has no before and after.
    expect(mail.text).toMatch(
      /- Alpha falls again\n {2}severity 4 of 5\n.*\n- Alpha is cheaper\n {2}severity 3 of 5\n/,
    )
    expect(mail.text).not.toMatch(/Alpha was down|Beta/)
    await at('07:00', 2)
    await look()
    expect(await told(userId)).toEqual(['watched_digest mailed'])
  })

  test('has before and after where the plan of the account has them', async () => {
    await putSubscription(database.db, accountId, 'developer', {})
    await star({ kind: 'vendor', name: 'acme' })
    await at('12:00')
    await announce(changeFile(diff))
    await at('06:00', 1)
    await look()
    const { mail } = (await nextMail(userId))!
    expect(mail.subject).toBe('Watch list: Alpha is cheaper')
    expect(mail.text).toContain('severity 3 of 5 · Input 0.25 → 0.2')
    expect(mail.html).toContain('Input 0.25 → 0.2')
  })

  test('tells nothing of what was published before the star, and nothing to who left', async () => {
    await at('12:00')
    await announce(changeFile())
    await at('13:00')
    await star({ kind: 'product', name: 'acme/alpha' })
    await at('06:00', 1)
    await look()
    expect(await told(userId)).toEqual([])
    await announce(changeFile())
    await database.db.deleteFrom('members').where('user_id', '=', userId).execute()
    await at('06:00', 2)
    await look()
    expect(await told(userId)).toEqual([])
    expect(
      await database.db.selectFrom('watches').select('name').where('user_id', '=', userId).execute(),
    ).toEqual([])
  })

  test('names fifty changes and says how many more there are', async () => {
    await star({ kind: 'vendor', name: 'acme' })
    await at('12:00')
    await announce(...Array.from({ length: 60 }, (_, n) => changeFile({ title: `Change ${n}` })))
    await at('06:00', 1)
    await look()
    const { mail } = (await nextMail(userId))!
    expect(mail.subject).toBe('Watch list: 60 changes')
    expect(mail.text.match(/^- Change/gm)).toHaveLength(50)
    expect(mail.text).toContain('And 10 more.')
  })
})

describe('a change', () => {
  test('is told at once from the chosen severity on, and not again in the digest', async () => {
    await star({ kind: 'product', name: 'acme/alpha' })
    await changeSettings(database.db, userId, { at_once_severity: 4 })
    await at('12:00')
    await announce(changeFile({ title: 'Small', severity: 3 }), changeFile({ title: 'Large', severity: 4 }))
    await Promise.all([look(), look()])
    await look()
    expect(await told(userId)).toEqual(['watched_change waiting'])
    expect((await nextMail(userId))!.mail.subject).toBe('Watch list: Large')
    await at('06:00', 1)
    await look()
    expect(await told(userId)).toEqual(['watched_change mailed', 'watched_digest waiting'])
    expect((await nextMail(userId))!.mail.subject).toBe('Watch list: Small')
  })

  test('that is confirmed later, or was there before the first look, is not told anew', async () => {
    await changeSettings(database.db, userId, { at_once_severity: 1 })
    await star({ kind: 'product', name: 'acme/alpha' })
    await at('12:00')
    const [id] = await announce(changeFile())
    await look()
    expect(await told(userId)).toHaveLength(1)
    await at('15:00')
    await announce(changeFile({ vendor: 'bolt', product: 'bolt/beta' }))
    await database.db
      .updateTable('changes')
      .set({ updated_at: '2026-09-01T00:00:00Z', verified: true })
      .where('id', '=', id!)
      .execute()
    await look()
    expect(await told(userId)).toHaveLength(1)
    await database.db.deleteFrom('changes').where('id', '=', id!).execute()
  })

  test('of which nobody wants mails is told in the dashboard alone', async () => {
    await changeSettings(database.db, userId, { at_once_severity: 1, off: ['watched'] })
    await star({ kind: 'product', name: 'acme/alpha' })
    await at('12:00')
    await announce(changeFile())
    await look()
    expect(await told(userId)).toEqual(['watched_change off'])
  })
})
