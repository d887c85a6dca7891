import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { createCustomer, priceRecord, storePrices } from '../test/support/actors.ts'
import { request } from '../test/support/client.ts'
import { debianPostgres, startReplication } from '../test/support/debian-postgres.ts'
import { becomeReady, countStatuses, patience, startLoad } from '../test/support/load.ts'
import { startServer } from '../test/support/process.ts'

const reason = 'missing' in debianPostgres ? ` (skipped: ${debianPostgres.missing})` : ''

describe.skipIf(reason !== '')(`Two hosts in DATABASE_URL${reason}`, () => {
  test('a server finds the one that takes writes, and the other one when that is promoted', async () => {
    const replication = await startReplication()
    onTestFinished(() => replication.end())
    const primary = connect({ connectionString: replication.primary.url })
    await migrate(primary)
    await storePrices(primary, [priceRecord({ resource_id: 'acme:alpha' })])
    const { key } = await createCustomer(primary, { plan: 'developer' })
    const [standbyHost, primaryHost] = [replication.replica, replication.primary].map(
      ({ url }) => new URL(url).host,
    )
    // The standby first: it answers, and is not taken.
    const url = `postgres://ratecard@${standbyHost},${primaryHost}/postgres?target_session_attrs=read-write`
    const secretsKey = randomBytes(32).toString('base64')
    const server = await startServer({ DATABASE_URL: url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' })
    await becomeReady([server])
    const load = startLoad(4, () => request(server.url, '/v1/prices', { key }))
    const served = () => load.outcomes.filter(({ answer }) => answer?.status === 200).length
    await expect.poll(served, patience).toBeGreaterThan(20)

    const standby = connect({ connectionString: replication.replica.url })
    onTestFinished(() => standby.destroy())
    // The key is there.
    const keys = () => sql`select from api_keys`.execute(standby).then(({ rows }) => rows.length)
    await expect.poll(keys, patience).toBe(1)
    await primary.destroy()
    await replication.primary.stop()
    await expect
      .poll(() => countStatuses(load.outcomes.map(({ answer }) => answer))[503] ?? 0, patience)
      .toBeGreaterThan(0)
    await sql`select pg_promote()`.execute(standby)
    const before = served()
    await expect.poll(served, patience).toBeGreaterThan(before + 20)
    const outcomes = await load.stop()
    const { 200: _ok, 503: _away, ...others } = countStatuses(outcomes.map(({ answer }) => answer))
    expect(others).toEqual({})
    await becomeReady([server])
    expect(server.child.exitCode).toBeNull()
  })
})
