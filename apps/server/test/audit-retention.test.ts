import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { deleteAged } from '../src/database/aged-rows.ts'
import { deleteExcessEntries, ownEntries } from '../src/features/audit/old-entries.ts'
import { createCustomer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'

// The audit log deletes entries of users and keys, by age and by number, and nothing else.

const database = useDatabase()
const actors = ['user', 'key', 'operator', 'provider', 'system'] as const
beforeEach(() => sql`delete from audit_entries`.execute(database.db))

type Actor = (typeof actors)[number]
const newAccount = async () => (await createCustomer(database.db)).accountId

/** Entries of an account, a minute apart; the newest is so many days old. */
async function note(accountId: string, actor: Actor, { count = 1, daysAgo = 0 }): Promise<void> {
  await sql`insert into audit_entries (id, account_id, at, actor, action)
    select ${accountId} || ${actor} || ${daysAgo}::int || '-' || n, ${accountId},
      ratecard_now() - make_interval(days => ${daysAgo}, mins => n), ${actor}, 'webhook.tested'
    from generate_series(1, ${count}::int) n`.execute(database.db)
}

/** How many entries of each actor the account has. */
async function left(accountId: string): Promise<Partial<Record<Actor, number>>> {
  const { rows } = await sql<{ actor: Actor; count: number }>`
    select actor, count(*)::int as count from audit_entries where account_id = ${accountId} group by actor`.execute(
    database.db,
  )
  return Object.fromEntries(rows.map(({ actor, count }) => [actor, count]))
}

test('after 400 days what users and keys did, and never what others did', async () => {
  const accountId = await newAccount()
  for (const actor of actors) {
    await note(accountId, actor, { daysAgo: 401 })
    await note(accountId, actor, { daysAgo: 399 })
  }
  expect(await deleteAged(database.db, ownEntries, 400)).toBe(2)
  expect(await left(accountId)).toEqual({ user: 1, key: 1, operator: 2, provider: 2, system: 2 })
  expect(await deleteAged(database.db, ownEntries, 400)).toBe(0)
})

test('beyond a number what users and keys did before, the newest staying, each account for itself', async () => {
  const [busy, calm] = [await newAccount(), await newAccount()]
  const entriesMax = { user: 5, key: 3 }
  for (const actor of actors) await note(busy, actor, { count: 9 })
  await note(calm, 'user', { count: 5 })
  await note(calm, 'key', { count: 3 })
  expect(await deleteExcessEntries(database.db, entriesMax)).toBe(4 + 6)
  expect(await left(busy)).toEqual({ user: 5, key: 3, operator: 9, provider: 9, system: 9 })
  expect(await left(calm)).toEqual({ user: 5, key: 3 })
  const { rows } = await sql<{ id: string }>`select id from audit_entries
    where account_id = ${busy} and actor = 'key' order by at desc`.execute(database.db)
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3].map((index) => `${busy}key0-${index}`))
  expect(await deleteExcessEntries(database.db, entriesMax)).toBe(0)
})

test('an account that was quiet for two days is looked at again with its next entry', async () => {
  const accountId = await newAccount()
  const entriesMax = { user: 5, key: 3 }
  await note(accountId, 'user', { count: 9, daysAgo: 3 })
  expect(await deleteExcessEntries(database.db, entriesMax)).toBe(0)
  await note(accountId, 'user', {})
  expect(await deleteExcessEntries(database.db, entriesMax)).toBe(5)
  expect(await left(accountId)).toEqual({ user: 5 })
})
