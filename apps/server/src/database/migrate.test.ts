import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openHidingProxy } from '../../test/support/hiding-proxy.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from '../../test/support/postgres.ts'
import { installQueue } from '../queue/queue-schema.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

test('of several that migrate at once behind a pooler one does, and no lock stays in a session', async () => {
  const name = `ratecard_test_migrate_${randomBytes(4).toString('hex')}`
  await createDatabase(inject('postgresUrl'), name)
  onTestFinished(() => dropDatabase(inject('postgresUrl'), name))
  const url = await openHidingProxy(urlOfDatabase(inject('postgresUrl'), name))
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
