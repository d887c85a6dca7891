import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { executedMigrations } from '../src/database/compare-migrations.ts'
import { migrate } from '../src/database/migrate.ts'
import { createCustomer } from '../test/support/actors.ts'
import { rewrite } from '../test/support/backup-scene.ts'
import { becomeReady, patience } from '../test/support/load.ts'
import { ratecard, startServer } from '../test/support/process.ts'
import { environmentOf, loadState, useEmpty, useFile } from '../test/support/state-scene.ts'
import { backupOf, states } from './states.ts'

// Databases that are not what their names of migrations say: each way in says what to do, and nothing is changed.

const stateOf = (name: string) => states.find(({ commit }) => commit.startsWith(name))!
const landed = stateOf('c9eae419')
const ports = { PORT: '0', ADMIN_PORT: '0' }
const other = 'The database was made by another state of Ratecard'

async function fails(args: string[], env: Record<string, string>): Promise<string> {
  const { exitCode, stderr } = await ratecard(args, { ...env, ...ports })
  expect(exitCode).toBe(1)
  expect(stderr).not.toContain('fault of ours')
  return stderr
}

describe('a database from before hashes', () => {
  test.each([
    [
      'a function',
      'function plan_bit',
      'create or replace function plan_bit(p_plan text) returns integer language sql immutable return 0',
    ],
    ['a column', 'table webhooks', 'alter table webhooks drop column name'],
    ['an index', 'index packs_in_order', 'drop index packs_in_order'],
  ])('whose schema differs in %s is refused with its name', async (_what, name, change) => {
    const { db } = await loadState(landed)
    await sql.raw(change).execute(db)
    await expect(migrate(db)).rejects.toThrow(`cannot upgrade: it differs in ${name}. Nothing was changed.`)
    const executed = await executedMigrations(db)
    expect(executed.at(-1)?.name).toBe('0007_metering')
    expect(executed.filter(({ hash }) => hash !== null)).toEqual([])
  })

  test('is looked at by each way in that may change it, and the others say so', async () => {
    const { url, db } = await loadState(landed)
    await sql`drop function recover_batch`.execute(db)
    const env = environmentOf(url, landed)
    for (const args of [['migrate'], ['serve'], ['accounts', 'list']])
      expect(await fails(args, env)).toContain('cannot upgrade: it differs in function recover_batch.')
    for (const args of [['serve', '--no-migrate'], ['backup']])
      expect(await fails(args, env)).toContain('Run "ratecard migrate", which looks whether')
  })

  test('may have more than ours, and settings of its storage', async () => {
    const { db } = await loadState(landed)
    await sql`create index own_index on usage_days (last_used_at)`.execute(db)
    await sql`alter table usage_ledger set (autovacuum_vacuum_scale_factor = 0.1)`.execute(db)
    expect(await migrate(db)).toContain('0008_judgement')
  })
})

test.each(['04eb142', 'b07c1cb8'])(
  'a view of an operator on tables of %s is named, and nothing is lost',
  async (name) => {
    const state = stateOf(name)
    const { db } = await loadState(state)
    await sql`create view own_view as select quota_subject from usage_days`.execute(db)
    await sql`create table own_table as select 1 as n`.execute(db)
    await expect(migrate(db)).rejects.toThrow('own_view')
    await sql`drop view own_view`.execute(db)
    expect(await migrate(db)).toContain('0007_metering')
    expect((await sql`select n from own_table`.execute(db)).rows).toEqual([{ n: 1 }])
  },
)

test('of a database of another state the status says what it is, and each way in what to do', async () => {
  const { url, db } = await useEmpty()
  const env = environmentOf(url, landed)
  expect(await ratecard(['migrate'], env)).toMatchObject({ exitCode: 0 })
  await createCustomer(db)
  const server = await startServer(env, ['--no-worker'])
  await becomeReady([server])
  await sql`update kysely_migration set sha256 = 'x' where name = '0003_feed'`.execute(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9001_future', 'x')`.execute(db)
  const ready = async () => (await fetch(`${server.adminUrl}/ready`)).json()
  await expect.poll(ready, patience).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining(`${other}: its migration 0003_feed`) as string,
  })
  await server.stop()
  for (const args of [['serve', '--no-migrate'], ['backup']])
    expect(await fails(args, env)).toContain(`${other}: its migration 0003_feed`)
  for (const args of [['migrate'], ['serve']])
    expect(await fails(args, env)).toContain('cannot upgrade: it differs in the migration 0003_feed')
  const { stdout } = await ratecard(['migrate', '--status'], env)
  expect(stdout).toMatch(/^0003_feed .*not of this program/m)
  expect(stdout).toMatch(/^9001_future .*not of this program/m)
  await sql`update kysely_migration set sha256 = null where name = '0003_feed'`.execute(db)
  // The same schema, whatever the list says of it.
  expect(await ratecard(['migrate'], env)).toMatchObject({ exitCode: 0 })
  expect((await ratecard(['migrate', '--status'], env)).stdout).toMatch(/^9001_future .*of a newer release/m)
})

test('a backup names the program that made it, and another content of a migration is refused', async () => {
  const { url, db } = await useEmpty()
  const env = environmentOf(url, landed)
  await ratecard(['migrate'], env)
  await createCustomer(db)
  const file = await useFile('made.backup.gz')
  expect(await ratecard(['backup', '--to', file], env)).toMatchObject({ exitCode: 0 })
  const target = environmentOf((await useEmpty()).url, landed)
  const changed = await rewrite(file, await useFile('changed.backup.gz'), (text) =>
    text.replace(/"0003_feed":"[0-9a-f]{64}"/, `"0003_feed":"${'0'.repeat(64)}"`),
  )
  const said = await fails(['restore', changed], target)
  expect(said).toMatch(
    /made by another state of Ratecard \(1\.0\.0, commit [0-9a-f]{8}\): its migration 0003_feed/,
  )
  const old = await rewrite(backupOf(landed), await useFile('old.backup.gz'), (text) =>
    text.replace('"name":"settings","columns":["name"', '"name":"settings","columns":["note","name"'),
  )
  expect(await fails(['restore', old, '--pending', 'cancel'], target)).toMatch(
    /made by another state of Ratecard \(1\.0\.0, of a commit that it does not name, 2026-.*settings\.note/,
  )
  expect(await ratecard(['restore', file], target)).toMatchObject({ exitCode: 0 })
})
