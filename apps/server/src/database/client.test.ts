import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHidingProxy } from '../../test/support/hiding-proxy.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import { alwaysByIndex, Client } from './client.ts'
import { budgets } from '../platform/budgets.ts'
import { connect, timeouts, type Db } from './connect.ts'
import { openSession } from './session.ts'
import { readSessions } from './sessions.ts'

const database = useDatabase()

const statementTimeoutMs = 1_234

function open(
  connectionString: string,
  db = connect({ connectionString, connectionsMax: 1, statementTimeoutMs }),
): Db {
  onTestFinished(() => db.destroy())
  return db
}

async function settingsOf(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
      current_setting('jit') as jit`.execute(db)
  return rows[0]!
}

const ours = { statement: '1234ms', lock: '1s', idle: '3s', zone: 'UTC', jit: 'off' }

/** What the session itself has, outside of any statement of ours. Without values, so it is sent as it is. */
async function leftBehind(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    select current_setting('statement_timeout') as timeout, current_setting('timezone') as zone,
      (select count(*)::int from pg_prepared_statements) as names`)
  return rows[0]
}

describe('a connection to the database itself', () => {
  test('makes its settings once, for all its statements and transactions', async () => {
    const db = open(database.url)
    expect(await settingsOf(db)).toEqual(ours)
    expect(await db.transaction().execute(settingsOf)).toEqual(ours)
    expect(await readSessions(database.url)).toEqual({ kind: 'own', missing: [] })
  })

  test('sends no setting in its start-up: a pooler would refuse it', () => {
    const client = new Client({ connectionString: database.url, settings: alwaysByIndex })
    const startup = (client as unknown as { getStartupConf: () => object }).getStartupConf()
    expect(Object.keys(startup).sort()).toEqual(['database', 'user'])
  })

  test('keeps what the URL says of a session, beside ours', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c work_mem=5MB -c jit=on')
    const db = open(url.href)
    expect(await settingsOf(db)).toEqual(ours)
    expect((await sql<{ work_mem: string }>`show work_mem`.execute(db)).rows).toEqual([{ work_mem: '5MB' }])
  })
})

describe('a connection whose session may be shared', () => {
  test('has the same settings in statements and in transactions of each kind, and leaves none behind', async () => {
    const url = await openHidingProxy(database.url)
    const db = open(url)
    expect(await settingsOf(db)).toEqual(ours)
    expect(await db.transaction().execute(settingsOf)).toEqual(ours)
    const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    expect(await reading.execute(settingsOf)).toEqual(ours)

    const settings = { statement_timeout: '1234', timezone: 'Asia/Kolkata' }
    const client: pg.Client = new Client({ connectionString: url, settings })
    await client.connect()
    onTestFinished(() => client.end())
    const before = await leftBehind(client)
    expect(before).toMatchObject({ timeout: '0', names: 0 })
    const { rows } = await client.query({
      name: 'zone',
      text: `select current_setting('timezone') as zone, $1::int as one`,
      values: [1],
    })
    expect(rows).toEqual([{ zone: 'Asia/Kolkata', one: 1 }])
    await client.query('begin', [])
    await client.query('rollback', [])
    expect(await leftBehind(client)).toEqual(before)
  })

  test('has them in each of several statements that are sent at once', async () => {
    const connectionString = await openHidingProxy(database.url)
    const client: pg.Client = new Client({ connectionString, settings: { timezone: 'Asia/Kolkata' } })
    await client.connect()
    onTestFinished(() => client.end())
    const readZone = async (sleepSeconds: number) => {
      const text = `select current_setting('timezone') as zone, pg_sleep($1)`
      const { rows } = await client.query<{ zone: string }>(text, [sleepSeconds])
      return rows[0]?.zone
    }
    const first = readZone(0.3)
    // It has begun its transaction, and PostgreSQL has not answered it.
    await expect.poll(() => client.getTransactionStatus(), { interval: 5 }).toBe('T')
    expect(await Promise.all([first, readZone(0), readZone(0)])).toEqual(Array(3).fill('Asia/Kolkata'))
    await client.query('begin', [])
    expect(await readZone(0)).toBe('Asia/Kolkata')
    expect(client.getTransactionStatus()).toBe('T')
    await client.query('rollback', [])
  })

  test('ends a statement that runs too long, and goes on', async () => {
    const url = await openHidingProxy(database.url)
    const db = open(url, connect({ connectionString: url, connectionsMax: 1, statementTimeoutMs: 100 }))
    for (let n = 0; n < 2; n += 1) {
      const error: unknown = await sql`select pg_sleep(30)`.execute(db).catch((reason: unknown) => reason)
      expect((error as { code?: string }).code).toBe('57014')
    }
    const { rows } = await sql`select ${7}::int as seven, now()::text as "now"`.execute(db)
    expect(rows).toEqual([{ seven: 7, now: expect.stringMatching(/\+00$/) as string }])
  })

  test('tells the answers of one statement from those of the next, rows, counts and errors', async () => {
    const db = open(await openHidingProxy(database.url))
    await sql`create table counted (n bigint primary key)`.execute(database.db)
    onTestFinished(async () => void (await sql`drop table counted`.execute(database.db)))
    const inserted = await sql`insert into counted select generate_series(1, 3)`.execute(db)
    expect(inserted.numAffectedRows).toBe(3n)
    // The types of the pool: a count is a number.
    expect((await sql`select count(*) as n from counted where n > ${1}`.execute(db)).rows).toEqual([{ n: 2 }])
    expect((await sql`select n from counted where false`.execute(db)).rows).toEqual([])
    const error: unknown = await sql`insert into counted values (${1})`
      .execute(db)
      .catch((reason: unknown) => reason)
    expect((error as { code?: string }).code).toBe('23505')
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })

  test('counts by the functions of the meter, with its planner and its time-outs', async () => {
    await sql`
      create function told(a text) returns text language sql volatile as $$
        select concat_ws(' ', a, current_setting('lock_timeout'), current_setting('statement_timeout'),
          current_setting('plan_cache_mode'), current_setting('enable_seqscan'),
          (select count(*) from pg_prepared_statements))
      $$`.execute(database.db)
    onTestFinished(async () => void (await sql`drop function told`.execute(database.db)))
    for (const [url, names] of [
      [database.url, 1],
      [await openHidingProxy(database.url), 0],
    ] as const) {
      const session = await openSession(url, 100)
      onTestFinished(() => session.close())
      expect(await session.call('told', ['it'], '1 + 1')).toEqual({
        result: `it 100ms 1500ms force_generic_plan off ${names}`,
        beside: '2',
      })
    }
  })

  test('sends no settings that the role has: those of the guide are all', async () => {
    const url = await openHidingProxy(database.url)
    const readMissing = async () => (await readSessions(url, timeouts(budgets.statementMs))).missing.sort()
    const guide = await readFile(new URL('../../../../docs/failover.md', import.meta.url), 'utf8')
    const lines = [...guide.matchAll(/^alter role ratecard_server set ([a-z_]+) = ([^;]+);$/gm)]
    const before = await readMissing()
    expect(before).toEqual(expect.arrayContaining(['jit', 'lock_timeout', 'statement_timeout', 'timezone']))
    // Of the database, because the role of this one is every other test's as well.
    const name = new URL(database.url).pathname.slice(1)
    for (const [, setting = '', value = ''] of lines)
      await sql`alter database ${sql.id(name)} set ${sql.raw(setting)} = ${sql.raw(value)}`.execute(
        database.db,
      )
    expect(await readMissing()).toEqual([])
    // Who needs others has them all the same.
    const work = open(url, connect({ connectionString: url, connectionsMax: 1 }))
    expect(await settingsOf(work)).toMatchObject({ statement: '0', lock: '0', idle: '0' })
  })

  test('of a pooler that gives each client a session is told as hidden', async () => {
    // That two clients never met proves nothing.
    expect((await readSessions(await openHidingProxy(database.url))).kind).toBe('hidden')
  })
})
