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

  test('a server leaves a primary that lost its standby, lives on, and never ends a commit', async () => {
    const replication = await startReplication()
    onTestFinished(() => replication.end())
    const [old, standby] = [replication.primary, replication.replica].map(({ url }) =>
      connect({ connectionString: url, connectionsMax: 1 }),
    )
    onTestFinished(async () => void (await Promise.all([old!.destroy(), standby!.destroy()])))
    await migrate(old!)
    await storePrices(old!, [priceRecord({ resource_id: 'acme:alpha' })])
    const { key, keyId } = await createCustomer(old!, { plan: 'developer' })
    const hosts = [replication.primary, replication.replica].map(({ url }) => new URL(url).host)
    const url = `postgres://ratecard@${hosts.join(',')}/postgres`
    const secretsKey = randomBytes(32).toString('base64')
    const server = await startServer({ DATABASE_URL: url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' })
    await becomeReady([server])
    const load = startLoad(4, () => request(server.url, '/v1/prices', { key }))
    const served = () => load.outcomes.filter(({ answer }) => answer?.status === 200).length
    await expect.poll(served, patience).toBeGreaterThan(20)

    // Synchronous from here on: as under Patroni, the new primary has all that was answered.
    const setStandby = async (name: string) => {
      await sql`alter system set synchronous_standby_names = ${sql.lit(name)}`.execute(old!)
      await sql`select pg_reload_conf()`.execute(old!)
    }
    await setStandby('*')
    let before = served()
    await expect.poll(served, patience).toBeGreaterThan(before + 20)
    await sql`select pg_promote()`.execute(standby!)
    before = served()
    await expect.poll(served, patience).toBeGreaterThan(before + 20)
    const answers = (await load.stop()).flatMap(({ answer }) => (answer?.status === 200 ? [answer] : []))
    const charged = () =>
      sql<{ units: number }>`
        select sum(units)::int as units from usage_entries where key_id = ${keyId}`
        .execute(standby!)
        .then(({ rows }) => rows[0]?.units)
    await expect.poll(charged, patience).toBe(answers.length)
    const numbers = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))
    expect(new Set(numbers).size).toBe(answers.length)
    // What waits there for its standby would hold up the end.
    await setStandby('')
  })
})
