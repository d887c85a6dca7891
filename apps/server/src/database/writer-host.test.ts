import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { patience } from '../../test/support/load.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import { openProxy } from '../../test/support/tcp-proxy.ts'
import { connect, isDatabaseUnavailable, type Db } from './connect.ts'

const database = useDatabase()

/** As libpq writes it: user, hosts, database. */
function join(...urls: string[]): string {
  const [first = '', ...others] = urls.map((url) => new URL(url))
  const list = [first, ...others].map((url) => (url as URL).host).join(',')
  return (first as URL).href.replace((first as URL).host, list)
}

async function reach(db: Db): Promise<unknown> {
  const asked = sql<{ one: number }>`select 1 as one`.execute(db)
  return asked.then(({ rows }) => rows[0]?.one, isDatabaseUnavailable)
}

test('of several hosts one is found that is there, and found again when it goes', async () => {
  const [one, other] = [await openProxy(database.url), await openProxy(database.url)]
  await one.refuse()
  const db = connect({ connectionString: join(one.url, other.url), connectionsMax: 1 })
  onTestFinished(() => db.destroy())
  expect(await reach(db)).toBe(1)
  await one.pass()
  await other.refuse()
  // The statement after the loss fails, as it does with one host.
  await expect.poll(() => reach(db), patience).toBe(1)
  await one.refuse()
  await expect.poll(() => reach(db), patience).toBe(true)
  await other.pass()
  await expect.poll(() => reach(db), patience).toBe(1)
})

test('a host that takes writes from now on is found while another one is silent', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const admin = connect({ connectionString: inject('postgresUrl') })
  onTestFinished(() => admin.destroy())
  const silent = await openProxy(database.url)
  silent.blackHole()
  const db = connect({ connectionString: join(silent.url, database.url), connectionsMax: 1 })
  onTestFinished(() => db.destroy())
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(admin)
  const reached = reach(db)
  // It has said that it only reads.
  await setTimeout(200)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = off`.execute(admin)
  expect(await reached).toBe(1)
})

test('a host that takes no writes is none of them', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const admin = connect({ connectionString: inject('postgresUrl') })
  onTestFinished(() => admin.destroy())
  const proxy = await openProxy(database.url)
  const db = connect({ connectionString: join(proxy.url, database.url), connectionsMax: 1 })
  onTestFinished(() => db.destroy())
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(admin)
  expect(await reach(db)).toBe(true)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = off`.execute(admin)
  expect(await reach(db)).toBe(1)
})
