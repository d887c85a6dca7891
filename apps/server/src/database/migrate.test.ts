import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openHidingProxy } from '../../test/support/hiding-proxy.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from '../../test/support/postgres.ts'
import { installQueue } from '../queue/queue-schema.ts'
import { connect, type Db } from './connect.ts'
import { executedMigrations } from './compare-migrations.ts'
import { migrate } from './migrate.ts'
import { parseKind, type MigrationFile } from './migrations.ts'

const ranOn = async (db: Db) => (await executedMigrations(db)).map(({ name }) => name)

async function useFresh(): Promise<string> {
  const name = `ratecard_test_migrate_${randomBytes(4).toString('hex')}`
  await createDatabase(inject('postgresUrl'), name)
  onTestFinished(() => dropDatabase(inject('postgresUrl'), name))
  return urlOfDatabase(inject('postgresUrl'), name)
}

test('of several that migrate at once behind a pooler one does, and no lock stays in a session', async () => {
  const url = await openHidingProxy(await useFresh())
  const dbs = [1, 2, 3].map(() => connect({ connectionString: url, connectionsMax: 1 }))
  onTestFinished(async () => void (await Promise.all(dbs.map((db) => db.destroy()))))
  const done = await Promise.all(dbs.map((db) => migrate(db)))
  const [migrated = [], ...others] = done.sort((a, b) => b.length - a.length)
  expect(migrated.length).toBeGreaterThan(5)
  expect(others).toEqual([[], []])
  await Promise.all(dbs.map(installQueue))

  // The sessions are open yet.
  const { rows } = await sql<{ sessions: number; locks: number }>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as sessions,
      (select count(*)::int from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())) as locks`.execute(
    dbs[0]!,
  )
  expect(rows).toEqual([{ sessions: 3, locks: 0 }])
})

describe('a migration that', () => {
  const file = (name: string, text: string): MigrationFile => ({ name, kind: parseKind(name), text })
  const table = file(
    '0001_table',
    'create table things as select n, null::int as twice from generate_series(1, 25) n',
  )
  const fill = file(
    '0002_fill.batches',
    'update things set twice = n * 2 where n in (select n from things where twice is null order by n limit 10 for update)',
  )
  const index = file(
    '0003_index.concurrently',
    `-- For those who look for it.
    create unique index concurrently if not exists things_twice on things (twice)`,
  )

  async function useConnection(connectionsMax = 2) {
    const db = connect({ connectionString: await useFresh(), connectionsMax })
    onTestFinished(() => db.destroy())
    return db
  }

  test('fills in batches commits each, goes on after an interruption, and ends when no row is left', async () => {
    const db = await useConnection()
    await migrate(db, { migrations: [table] })
    await sql`alter table things add constraint stop check (n <> 15 or twice is null)`.execute(db)
    const migrations = [table, fill, index]
    await expect(migrate(db, { migrations })).rejects.toThrow('violates check constraint')
    const filled = async () =>
      (await sql<{ n: number }>`select count(twice)::int as n from things`.execute(db)).rows[0]?.n
    expect(await filled()).toBe(10)
    expect(await ranOn(db)).toEqual(['0001_table'])
    await sql`alter table things drop constraint stop`.execute(db)
    expect(await migrate(db, { migrations })).toEqual(['0002_fill.batches', '0003_index.concurrently'])
    expect(await filled()).toBe(25)
    expect(await migrate(db, { migrations })).toEqual([])
  })

  test('builds an index that was left half built begins again', async () => {
    const db = await useConnection()
    await migrate(db, { migrations: [table] })
    await sql`update things set twice = 1`.execute(db)
    await expect(migrate(db, { migrations: [table, index] })).rejects.toThrow('could not create unique index')
    const valid = () =>
      sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('things_twice')`.execute(db)
    expect((await valid()).rows).toEqual([{ valid: false }])
    await sql`update things set twice = n`.execute(db)
    expect(await migrate(db, { migrations: [table, index] })).toEqual(['0003_index.concurrently'])
    expect((await valid()).rows).toEqual([{ valid: true }])
  })

  test('is asked for up to a name runs, and those after it do not', async () => {
    const db = await useConnection()
    const migrations = [table, fill, index]
    expect(await migrate(db, { migrations, to: '0002_fill.batches' })).toEqual([
      '0001_table',
      '0002_fill.batches',
    ])
    expect(await ranOn(db)).toEqual(['0001_table', '0002_fill.batches'])
  })
})
