import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { request } from '../test/support/client.ts'
import { Browser } from '../test/support/dashboard-client.ts'
import { becomeReady } from '../test/support/load.ts'
import { readMigrations } from '../src/database/migrations.ts'
import { readStatements } from '../src/database/schema-text.ts'
import { changeFile } from '../test/support/fixtures.ts'
import { urlOfDatabase } from '../test/support/postgres.ts'
import { ratecard, startServer } from '../test/support/process.ts'
import { environmentOf, loadState, runAlone, useEmpty, useFile } from '../test/support/state-scene.ts'
import { isSigned, startReceiver, type Receiver } from '../test/support/receiver.ts'
import { backupOf, ownPrices, states, type State } from './states.ts'

// Databases as servers of earlier commits have left them, taken over by this one: in place, and by a backup.

async function readTemplate(): Promise<string[]> {
  const db = connect({ connectionString: urlOfDatabase(inject('postgresUrl'), inject('templateDatabase')) })
  try {
    return await readStatements(db)
  } finally {
    await db.destroy()
  }
}

type Rows = Record<string, Record<string, unknown>[]>

/** All rows by table, in an order that does not depend on new columns. */
async function readRows(db: Db): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'`.execute(db)
  const all: Rows = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(name)} t`.execute(db)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

/** Rows that are not as they were, by the columns that they had. */
function lostIn(before: Rows, after: Rows): Record<string, number> {
  const lost = Object.entries(before).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).sort()
    const textOf = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => row[column]))
    const kept = new Set((after[table] ?? []).map(textOf))
    return [table, rows.filter((row) => !kept.has(textOf(row))).length] as const
  })
  return Object.fromEntries(lost.filter(([, count]) => count > 0))
}

/** By state, what is not taken along (docs/upgrading.md): sessions, what only a running process needs, and what sources had said. */
const left: Record<string, Record<string, number>> = {
  '04eb1420': {
    ...{ auth_sessions: 1, auth_rate_limits: 3, feed_records: 12, feed_sources: 1, feed_versions: 2 },
    meter_lanes: 1,
  },
  b07c1cb8: { auth_sessions: 1, list_versions: 2, meter_batchers: 1 },
}

/** As if the state had been left a moment ago: what waits for long is given up. */
async function makeRecent(db: Db, receiver: Receiver): Promise<void> {
  await sql`update deliveries set created_at = now(), next_attempt_at = now() where state = 'pending'`.execute(
    db,
  )
  await sql`
    update pgboss.job set created_on = now(), start_after = now(), keep_until = now() + interval '1 day'
    where name = 'deliver'`.execute(db)
  await sql`
    update webhooks set failing_since = now(), url = ${receiver.url} || substring(url from '/[a-z]+$')`.execute(
    db,
  )
}

/** The installation goes on where it was: keys, usage, packs, webhooks with their secrets, people, prices. */
async function goesOn({ url, db }: { url: string; db: Db }, state: State): Promise<void> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  await makeRecent(db, receiver)
  const env = environmentOf(url, state)
  const before = await readRows(db)
  const server = await startServer(env, ['--no-migrate'])
  await becomeReady([server])
  const ask = (key: string, path: string) => request(server.url, path, { key })
  const { keys, webhooks, person } = state

  expect((await ask(keys.revoked, '/v1/prices')).status).toBe(401)
  const { rows: today } = await sql<{ used: number }>`
    select coalesce(sum(d.plan_used), 0)::int as used from usage_days d join api_keys k on k.id = d.quota_subject
    where d.day = (now() at time zone 'utc')::date and right(${keys.free}, 4) = k.last_four`.execute(db)
  const units = 100 - today[0]!.used + 7
  for (let n = 0; n < units; n += 1) expect((await ask(keys.free, '/v1/prices?limit=1')).status).toBe(200)
  expect((await ask(keys.free, '/v1/prices?limit=1')).status).toBe(429)
  const changes = await ask(keys.paying, '/v1/changes')
  expect(changes.body).toMatchObject({ data: [{ title: 'A change before' }] })

  // The alert that waited, and one of now, each with the secret that its endpoint knows.
  const [, ill] = webhooks
  await receiver.waitFor(1, { wanted: ({ path }) => path === ill!.path })
  const news = await useFile('changes.json', JSON.stringify([changeFile({ title: 'A change after' })]))
  expect(await ratecard(['changes', 'publish', news], env)).toMatchObject({ exitCode: 0 })
  await receiver.waitFor(3)
  for (const { path, secret } of webhooks) {
    const received = receiver.received.filter((one) => one.path === path)
    expect(received.every((one) => isSigned(one, secret))).toBe(true)
    expect(received.at(-1)?.alert.changes[0]?.title).toBe('A change after')
  }
  const waited = receiver.received.find(({ path }) => path === ill!.path)
  expect(waited?.alert.changes[0]?.title).toBe('A change before')

  expect((await new Browser(server.url).post('/sign-in', person)).status).toBe(200)
  // The source says the same again: nothing is served otherwise.
  const file = await useFile('prices.csv', ownPrices)
  expect(await ratecard(['feed', 'run', 'own-csv', '--file', file], env)).toMatchObject({ exitCode: 0 })
  const { prices, price_versions } = await readRows(db)
  expect(
    lostIn(
      { prices: before.prices!, price_versions: before.price_versions! },
      { prices: prices!, price_versions: price_versions! },
    ),
  ).toEqual({})
  expect(prices).toHaveLength(12)
  expect((await verifyLedger(db)).differences).toEqual([])
  expect(await server.stop()).toBe(0)
}

describe.each(states.map((state) => [state.commit.slice(0, 8), state] as const))('%s', (name, state) => {
  test('in place', async () => {
    const database = await loadState(state)
    const { db, url } = database
    // Its number is not given again. A dump forgets that, and a database that lives does not.
    await sql`alter table usage_days add column gone integer`.execute(db)
    await sql`alter table usage_days drop column gone`.execute(db)
    const before = await readRows(db)
    const env = { ...environmentOf(url, state), PUBLIC_URL: 'https://prices.customer.example' }
    expect(await ratecard(['migrate'], env)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(lostIn(before, await readRows(db))).toEqual(left[name] ?? {})
    const { alerts } = await readRows(db)
    if (!('public_url' in before.alerts![0]!)) expect(alerts).toMatchObject([{ public_url: env.PUBLIC_URL }])
    // It is the schema that a new database has, in all.
    expect(await readStatements(db)).toEqual(await readTemplate())
    const status = await ratecard(['migrate', '--status', '--json'], environmentOf(url, state))
    expect(JSON.parse(status.stdout)).toEqual(
      (await readMigrations()).map(
        ({ name: id }) => expect.objectContaining({ id, state: 'run' }) as unknown,
      ),
    )
    await goesOn(database, state)
  })

  test('in place, once two roles have it that one role made', async () => {
    const owner = `owner_${randomBytes(4).toString('hex')}`
    const server = connect({ connectionString: inject('postgresUrl') })
    onTestFinished(async () => {
      await sql`drop role if exists ${sql.id(owner)}, ${sql.id(`${owner}_server`)}`.execute(server)
      await server.destroy()
    })
    const { db, url } = await loadState(state)
    const roles = await readFile(new URL('../src/database/roles.sql', import.meta.url), 'utf8')
    const named = roles.replaceAll('ratecard_owner', owner).replaceAll('ratecard_server', `${owner}_server`)
    await runAlone(
      url,
      `select set_config('ratecard.owner_password', 'x', false), set_config('ratecard.server_password', 'x', false); ${named}`,
    )
    const asRole = (role: string) => Object.assign(new URL(url), { username: role, password: 'x' }).href
    const env = {
      ...environmentOf(asRole(`${owner}_server`), state),
      DATABASE_OWNER_URL: asRole(owner),
    }
    expect(await ratecard(['migrate'], env)).toMatchObject({ exitCode: 0, stderr: '' })
    const { stdout } = await ratecard(['ledger', 'verify', '--json'], {
      ...env,
      DATABASE_OWNER_URL: '',
    })
    expect(JSON.parse(stdout)).toMatchObject({ differences: [] })
    expect(await readStatements(db)).toEqual(await readTemplate())
  })

  test.skipIf(!state.hasBackup)('backup and restore', async () => {
    const database = await useEmpty()
    const env = environmentOf(database.url, state)
    expect(await ratecard(['restore', backupOf(state), '--pending', 'send'], env)).toMatchObject({
      exitCode: 0,
    })
    const before = await readRows((await loadState(state)).db)
    const lost = lostIn(before, await readRows(database.db))
    // The files for other programs are made anew. Earlier states have none.
    const remade = before.export_files?.length ? ['export_files'] : []
    expect(Object.keys(lost).sort()).toEqual(['auth_sessions', ...remade, 'list_versions', 'meter_batchers'])
    await goesOn(database, state)
  })
})

test('prices of 04eb142 under names that no source has any more go by the statements of the guide', async () => {
  const { db, url } = await loadState(states.find(({ commit }) => commit.startsWith('04eb142'))!)
  await sql`
    insert into prices (resource_id, vendor, updated_at, source)
    values ('acme:spelled-otherwise', 'acme', now(), 'own-csv')`.execute(db)
  const env = { DATABASE_URL: url }
  const file = await useFile('prices.csv', ownPrices)
  expect(await ratecard(['feed', 'run', 'own-csv', '--file', file], env)).toMatchObject({ exitCode: 0 })
  const ids = async () => (await readRows(db)).prices!.map((row) => row.resource_id)
  expect(await ids()).toContain('acme:spelled-otherwise')
  const guide = await readFile(new URL('../../../docs/upgrading.md', import.meta.url), 'utf8')
  await runAlone(url, /```sql\n([^`]+)```/.exec(guide)![1]!)
  expect(await ids()).toHaveLength(12)
  expect(await ids()).not.toContain('acme:spelled-otherwise')
})
