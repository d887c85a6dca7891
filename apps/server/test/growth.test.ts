import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteAged } from '../src/database/aged-rows.ts'
import { idleRuns } from '../src/ingest/run/old-runs.ts'
import { readRefusals } from '../src/ingest/review/refusals.ts'
import { deleteOldUsage, endedKeys, readOldestUsageSeconds } from '../src/features/metering/old-usage.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'

// What is forgotten of usage and of runs, and what must be kept.

const database = useDatabase()
const days = 400
beforeEach(() =>
  sql`truncate usage_days, usage_ledger, api_keys, packs, feed_runs cascade`.execute(database.db),
)

/** A counter's day, so long ago: what the plan paid for its first key, and for others of it. */
async function use(
  subject: string,
  daysAgo: number,
  units: number,
  others: Record<string, number> = {},
): Promise<void> {
  const day = sql`(ratecard_now() at time zone 'utc')::date - ${daysAgo}::int`
  const more = Object.values(others).reduce((sum, n) => sum + n, 0)
  await sql`insert into usage_days (quota_subject, day, plan_used, key_id, prices, last_used_at)
    values (${subject}, ${day}, ${units + more}, ${subject}, ${units}, ratecard_now())`.execute(database.db)
  for (const [key, n] of Object.entries(others))
    await sql`insert into usage_ledger values (${subject}, ${day}, ${key}, 'prices', '', ${n}, ratecard_now())`.execute(
      database.db,
    )
}

const endKey = (id: string, daysAgo: number) =>
  sql`update api_keys set revoked_at = ratecard_now() - make_interval(days => ${daysAgo}) where id = ${id}`.execute(
    database.db,
  )

async function daysOf(subject: string): Promise<number[]> {
  const { rows } = await sql<{ ago: number }>`
    select (ratecard_now() at time zone 'utc')::date - day as ago from usage_days where quota_subject = ${subject}
    order by day`.execute(database.db)
  return rows.map(({ ago }) => ago)
}

async function addKey(id: string, accountId: string, subject = id): Promise<void> {
  await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, quota_subject)
    values (${id}, ${accountId}, 'n', sha256(convert_to(${id}, 'UTF8')), 'p', 'l', ${subject})`.execute(
    database.db,
  )
}

test('a counter is forgotten with all that the plan paid on its day, and the ledger adds up', async () => {
  const { keyId, accountId } = await createCustomer(database.db)
  await addKey('key_other', accountId, keyId)
  await use(keyId, 500, 3, { key_other: 2 })
  await use(keyId, 401, 1)
  await use(keyId, 400, 1, { key_other: 1 })
  await use(keyId, 0, 4)
  expect(await readOldestUsageSeconds(database.db, days)).toBeGreaterThan(500 * 86_400)
  expect(await deleteOldUsage(database.db, days)).toBe(2)
  expect(await daysOf(keyId)).toEqual([400, 0])
  expect((await verifyLedger(database.db)).differences).toEqual([])
  expect(await deleteOldUsage(database.db, days)).toBe(0)
})

test('the last day of a key that works stays, so that nobody is told it was never used; that of one that ended goes', async () => {
  const idle = await createCustomer(database.db)
  const gone = await createCustomer(database.db)
  await addKey('key_second', idle.accountId, idle.keyId)
  for (const { keyId } of [idle, gone]) for (const ago of [600, 500]) await use(keyId, ago, 1)
  await use(idle.keyId, 550, 1, { key_second: 1 })
  await endKey(gone.keyId, 401)
  expect(await deleteOldUsage(database.db, days)).toBe(3)
  // 550 is the last of the second key.
  expect(await daysOf(idle.keyId)).toEqual([550, 500])
  expect(await daysOf(gone.keyId)).toEqual([])
  expect(await readOldestUsageSeconds(database.db, days)).toBeNull()
  expect((await verifyLedger(database.db)).differences).toEqual([])
})

test('what packs paid is kept for good, and so is the key that it was paid for', async () => {
  const { keyId, accountId } = await createCustomer(database.db)
  await use(keyId, 900, 100)
  await sql`insert into packs (id, account_id, units, remaining, purchased_at, expires_at)
    values ('pack_old', ${accountId}, 50, 43, ratecard_now() - interval '901 days', ratecard_now() - interval '871 days')`.execute(
    database.db,
  )
  await sql`insert into usage_ledger values (${keyId}, (ratecard_now() at time zone 'utc')::date - 900, ${keyId}, 'prices',
    'pack_old', 7, ratecard_now())`.execute(database.db)
  await endKey(keyId, 890)
  expect(await deleteOldUsage(database.db, days)).toBe(1)
  expect(await deleteAged(database.db, endedKeys, days)).toBe(0)
  expect(await verifyLedger(database.db)).toMatchObject({ counters: 0, packs: 1, differences: [] })
})

test('keys that ended long ago go when nothing of theirs is kept, and no other uses their counter', async () => {
  const { keyId, accountId } = await createCustomer(database.db)
  for (const id of ['key_old', 'key_young', 'key_used', 'key_works']) await addKey(id, accountId)
  await addKey('key_heir', accountId, keyId)
  await use('key_used', 10, 1)
  for (const id of [keyId, 'key_old', 'key_used']) await endKey(id, 401)
  await endKey('key_young', 399)
  expect(await deleteAged(database.db, endedKeys, days)).toBe(1)
  const { rows } = await sql<{ id: string }>`select id from api_keys order by id`.execute(database.db)
  expect(rows.map(({ id }) => id).sort()).toEqual(
    [keyId, 'key_heir', 'key_used', 'key_works', 'key_young'].sort(),
  )
})

test('what another session holds is passed over, and a row that is in use is not waited for', async () => {
  const { keyId } = await createCustomer(database.db)
  for (const ago of [700, 600, 1]) await use(keyId, ago, 1)
  await database.db.transaction().execute(async (trx) => {
    await sql`select from usage_days where day = (ratecard_now() at time zone 'utc')::date - 700 for update`.execute(
      trx,
    )
    expect(await deleteOldUsage(database.db, days)).toBe(1)
  })
  expect(await daysOf(keyId)).toEqual([700, 1])
})

test('what a source was taken in by last, and what was refused since, stays: it says for how long', async () => {
  const insert = (id: string, outcome: string, daysAgo: number) =>
    sql`insert into feed_runs (id, source, observed_at, version, outcome, rows, rejected, created_at)
      values (${id}, 's', ratecard_now() - make_interval(days => ${daysAgo}), 'v', ${outcome}, 1, 0,
        ratecard_now() - make_interval(days => ${daysAgo}))`.execute(database.db)
  await insert('run_1_refused', 'refused', 500)
  await insert('run_2_applied', 'applied', 490)
  await insert('run_3_refused', 'refused', 480)
  await insert('run_4_unreachable', 'unreachable', 470)
  await insert('run_5_refused', 'refused', 1)
  await sql`insert into feed_sources (source, last_run) values ('s', 'run_5_refused')`.execute(database.db)
  expect(await deleteAged(database.db, idleRuns, days)).toBe(1)
  expect(await readRefusals(database.db)).toMatchObject([{ runs: 3, outcome: 'refused', version: 'v' }])
  await insert('run_6_applied', 'applied', 0)
  expect(await deleteAged(database.db, idleRuns, days)).toBe(3)
})

test('runs that found nothing new go; the last of a source, and those that something refers to, stay', async () => {
  const insert = (id: string, daysAgo: number, changed = 0) =>
    sql`insert into feed_runs (id, source, observed_at, version, outcome, rows, rejected, changed, created_at)
      values (${id}, 's', ratecard_now(), 'v', 'applied', 1, 0, ${changed}, ratecard_now() - make_interval(days => ${daysAgo}))`.execute(
      database.db,
    )
  await insert('run_idle', 401)
  await insert('run_changed', 401, 1)
  await insert('run_claimed', 401)
  await insert('run_last', 401)
  await insert('run_young', 399)
  await sql`insert into claim_versions values ('s', 'k', ratecard_now(), 'run_claimed', null)`.execute(
    database.db,
  )
  await sql`insert into feed_sources (source, last_run) values ('s', 'run_last')`.execute(database.db)
  expect(await deleteAged(database.db, idleRuns, days)).toBe(1)
  const { rows } = await sql<{ id: string }>`select id from feed_runs order by id`.execute(database.db)
  expect(rows.map(({ id }) => id)).toEqual(['run_changed', 'run_claimed', 'run_last', 'run_young'])
})
