import { randomBytes } from 'node:crypto'
import { mkdtemp, chmod, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, createKey, priceRecord, storePrices, type Customer } from '../test/support/actors.ts'
import { request } from '../test/support/client.ts'
import {
  debianPostgres,
  initCluster,
  makeFolder,
  openCluster,
  runAsPostgres,
} from '../test/support/debian-postgres.ts'
import { becomeReady, countStatuses, patience, startLoad, type Load } from '../test/support/load.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { ratecard, startServer } from '../test/support/process.ts'
import { findProgram } from '../test/support/proxy.ts'

// What comes back: from a backup of ours, made under load and restored into another version of PostgreSQL, and to a
// moment, by pgbackrest.

const postgresReason = 'missing' in debianPostgres ? ` (skipped: ${debianPostgres.missing})` : ''
const pgbackrest = findProgram('pgbackrest')
const reason = postgresReason || (pgbackrest === null ? ' (skipped: pgbackrest is not installed)' : '')
const secretsKey = randomBytes(32).toString('base64')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-restore-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const environmentOf = (url: string) => ({ DATABASE_URL: url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' })

async function unitsOf(db: Db, { keyId }: Customer): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where quota_subject = ${keyId}`.execute(
    db,
  )
  return rows[0]!.units
}

/** A server under load, of one key. */
async function serve(
  url: string,
  db: Db,
): Promise<{ load: Load; customer: Customer; stop: () => Promise<void> }> {
  await storePrices(db, [priceRecord({ resource_id: 'acme:alpha' })])
  const customer = await createCustomer(db, { plan: 'scale', packUnits: 10 })
  const server = await startServer(environmentOf(url), ['--no-worker'])
  await becomeReady([server])
  const load = startLoad(4, async () => {
    await setTimeout(5)
    return request(server.url, '/v1/prices', { key: customer.key })
  })
  const stop = async () => {
    const outcomes = await load.stop()
    expect(countStatuses(outcomes.map(({ answer }) => answer))).toEqual({ 200: outcomes.length })
    expect(await server.stop()).toBe(0)
  }
  return { load, customer, stop }
}

const answered = async (load: Load, count: number) => {
  const before = load.outcomes.length
  await expect.poll(() => load.outcomes.length - before, patience).toBeGreaterThan(count)
}

describe.skipIf(postgresReason !== '')(`A backup of the embedded PostgreSQL${postgresReason}`, () => {
  const database = useDatabase()

  test('made under load is one moment, and is restored into another major version', async () => {
    const { load, customer, stop } = await serve(database.url, database.db)
    await answered(load, 50)
    const before = load.outcomes.length
    const made = await ratecard(['backup', '--to', folder, '--json'], environmentOf(database.url))
    const after = load.outcomes.length + 4
    expect(made).toMatchObject({ exitCode: 0 })
    expect(after - before).toBeGreaterThan(20)
    await answered(load, 20)
    await stop()
    const { file, postgres } = JSON.parse(made.stdout) as { file: string; postgres: string }

    const cluster = await initCluster(join(await makeFolder(join(folder, 'other')), 'data'), [])
    await cluster.start()
    onTestFinished(() => cluster.stop())
    const restored = await ratecard(['restore', file, '--json'], environmentOf(cluster.url))
    expect(restored).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(restored.stdout)).toMatchObject({ ledger_differences: 0 })
    const db = connect({ connectionString: cluster.url })
    onTestFinished(() => db.destroy())
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
    expect(Number.parseInt(rows[0]!.server_version)).not.toBe(Number.parseInt(postgres))
    // Of the moment: all that was answered before it, and nothing that was asked for after it.
    const units = await unitsOf(db, customer)
    expect(units).toBeGreaterThanOrEqual(before)
    expect(units).toBeLessThanOrEqual(after)
    expect((await verifyLedger(db)).differences).toEqual([])

    // And back again: nothing of a version is in it.
    const again = await ratecard(['backup', '--to', join(folder, 'again.gz')], environmentOf(cluster.url))
    expect(again).toMatchObject({ exitCode: 0 })
    const dataDir = join(folder, 'embedded')
    const env = { DATA_DIR: dataDir, SECRETS_KEY: secretsKey }
    const back = await ratecard(['restore', join(folder, 'again.gz'), '--json'], env)
    expect(back).toMatchObject({ exitCode: 0 })
    const tables = (text: string) => (JSON.parse(text) as { tables: Record<string, number> }).tables
    expect(tables(back.stdout)).toEqual(tables(restored.stdout))
    const verified = await ratecard(['ledger', 'verify', '--json'], env)
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true })
  })
})

describe.skipIf(reason !== '')(`pgbackrest${reason}`, () => {
  test('restores to a moment: what was counted by then, and nothing after', async () => {
    const own = await makeFolder(join(folder, 'drill'))
    const config = join(own, 'pgbackrest.conf')
    const backrest = (...args: string[]) =>
      runAsPostgres(pgbackrest ?? '', [`--config=${config}`, '--stanza=ratecard', ...args])
    const cluster = await initCluster(join(own, 'main'), [
      `unix_socket_directories=${own}`,
      'archive_mode=on',
      `archive_command=${pgbackrest} --config=${config} --stanza=ratecard archive-push %p`,
    ])
    await makeFolder(join(own, 'repository'))
    await writeFile(
      config,
      `[ratecard]
pg1-path=${cluster.data}
pg1-port=${cluster.port}
pg1-socket-path=${own}
pg1-user=ratecard
pg1-database=postgres
[global]
repo1-path=${join(own, 'repository')}
log-path=${own}
lock-path=${join(own, 'lock')}
log-level-console=warn
start-fast=y
`,
      { mode: 0o644 },
    )
    await cluster.start()
    const db = connect({ connectionString: cluster.url })
    await migrate(db)
    await backrest('stanza-create')
    const { load, customer, stop } = await serve(cluster.url, db)
    await answered(load, 20)
    await backrest('--type=full', 'backup')
    // pgbackrest writes the end of a backup down in whole seconds, and restores to a moment after it.
    await setTimeout(2_000)
    await answered(load, 20)
    const before = load.outcomes.length
    const { rows: clock } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
    const after = load.outcomes.length + 4
    // Everything from here on is undone.
    await answered(load, 20)
    const { id: late } = await createKey(db, customer.accountId)
    await stop()
    const end = await unitsOf(db, customer)
    const { rows: last } = await sql<{
      file: string
    }>`select pg_walfile_name(pg_switch_wal()) as file`.execute(db)
    const archived = async () =>
      (
        await sql<{ done: boolean }>`
          select coalesce(last_archived_wal >= ${last[0]!.file}, false) as done from pg_stat_archiver`.execute(
          db,
        )
      ).rows[0]?.done
    await expect.poll(archived, patience).toBe(true)
    await db.destroy()
    await cluster.stop()

    const copy = await openCluster(join(own, 'restored'), false, ['archive_mode=off'])
    await backrest(
      ...[`--pg1-path=${copy.data}`, '--type=time', `--target=${clock[0]!.now}`, '--target-action=promote'],
      'restore',
    )
    await copy.start()
    onTestFinished(() => copy.stop())
    const restored = connect({ connectionString: copy.url })
    onTestFinished(() => restored.destroy())
    const recovering = async () =>
      (await sql<{ still: boolean }>`select pg_is_in_recovery() as still`.execute(restored)).rows[0]?.still
    await expect.poll(recovering, patience).toBe(false)
    const units = await unitsOf(restored, customer)
    expect(units).toBeGreaterThanOrEqual(before)
    expect(units).toBeLessThanOrEqual(after)
    expect(units).toBeLessThan(end)
    expect(await restored.selectFrom('api_keys').where('id', '=', late).selectAll().execute()).toEqual([])
    const verified = await ratecard(['ledger', 'verify', '--json'], environmentOf(copy.url))
    expect(verified).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true })
    // What was served after that moment is given back, and the same numbers are counted again.
    const server = await startServer(environmentOf(copy.url), ['--no-worker'])
    await becomeReady([server])
    const answer = await request(server.url, '/v1/prices', { key: customer.key })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(100_000 - units - 1))
    expect(await server.stop()).toBe(0)
  })
})
