import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../src/database/connect.ts'
import { accountTables } from '../src/features/cells/account-tables.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { insertMember } from '../src/features/members/member-store.ts'
import { insertVerifiedUser } from '../src/features/members/user-store.ts'
import { createCustomer, createKey, priceRecord, storePrices } from '../test/support/actors.ts'
import {
  cellEnvironment,
  cellPlaces,
  hubAndCells,
  insertEndpoint,
  openCellDatabase,
  publishAtHub,
  type CellDatabase,
  type CellName as Name,
} from '../test/support/cells.ts'
import { request } from '../test/support/client.ts'
import { Browser } from '../test/support/dashboard-client.ts'
import { becomeReady, countStatuses, patience, startLoad } from '../test/support/load.ts'
import {
  environment,
  program,
  ratecard,
  startServer,
  type CommandResult,
  type ServerProcess,
} from '../test/support/process.ts'
import { findProxies, startProxy, type ProxyName } from '../test/support/proxy.ts'
import { isSigned, startReceiver, type Receiver } from '../test/support/receiver.ts'
import { createTenant, password, type Tenant } from '../test/support/tenants.ts'
import { startWorker } from '../test/support/worker-process.ts'

// Accounts move between the databases of a hub and its cells, on PostgreSQL servers of their own.

const { marks, names } = hubAndCells
const { proxies, missing } = findProxies()
const reason = missing === '' ? '' : ` (without ${missing}, which is not installed)`

const secretsKey = randomBytes(32).toString('base64')
const secret = 'a secret of sixteen'
const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.push(end)
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const databases = {} as Record<Name, CellDatabase>
const servers = {} as Record<Name, ServerProcess>
const proxyUrls = new Map<ProxyName, string>()
let receiver: Receiver
let folder: string

const hostOf = (name: Name) => `https://${name.toLowerCase()}.prices.example`
const envOf = (name: Name) => ({
  ...cellEnvironment(
    { url: databases[name].url, secretsKey },
    name === 'home' ? null : { mark: name, hubUrl: databases.home.url },
  ),
  CELL_HOSTS: names.map((one) => `${one}=${hostOf(one)}`).join(),
  WEBHOOK_RETRY_SCHEDULE: '0s,200ms,500ms,1s,2s,4s',
  WEBHOOK_TIMEOUT: '15s',
})
const run = (name: Name, ...args: string[]) => ratecard(args, envOf(name))
const urlFile = (name: Name) => join(folder, name)
const moveArgs = (accountId: string, to: Name, ...more: string[]) => [
  ...['cells', 'move', accountId, '--to', to, '--database', urlFile(to), ...more],
]
async function move(accountId: string, from: Name, to: Name, ...more: string[]): Promise<CommandResult> {
  const result = await run(from, ...moveArgs(accountId, to, ...more))
  for (const text of [result.stdout, result.stderr]) expect(text).not.toContain(databases[to].url)
  return result
}
async function mustMove(accountId: string, from: Name, to: Name): Promise<string> {
  const { exitCode, stdout, stderr } = await move(accountId, from, to)
  expect(exitCode, stderr).toBe(0)
  return stdout
}

const ask = (url: string, key: string) => request(url, '/v1/prices?limit=1', { key })
/** Through a proxy, which has answers of its own. */
async function askThrough(url: string, key: string) {
  const answer = await fetch(`${url}/v1/prices?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const body: unknown = await answer.json()
  return { status: answer.status, headers: answer.headers, body }
}
/** As a client that tries again after the seconds that it was told. */
async function askPatiently(url: string, key: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, headers } = await askThrough(url, key)
    if (status !== 503 || attempt === 10) return status
    await pause(1_000 * Number(headers.get('retry-after')))
  }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const statusAt = async (name: Name, key: string) => (await ask(servers[name].url, key)).status

/** All rows of an account. */
async function rowsOf(db: Db, accountId: string): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const { name, belongs } of accountTables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} t where ${belongs(accountId)} order by 1`.execute(
      db,
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}
async function unitsAt(name: Name, keyId: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where key_id = ${keyId}`.execute(
    databases[name].db,
  )
  return rows[0]!.units
}

/** A tenant with one of everything, a key that is known, a pack, and an endpoint whose secret is. */
async function createMover(name: Name): Promise<Tenant & { key: string; keyId: string; path: string }> {
  const { db } = databases[name]
  const tenant = await createTenant(db, servers[name].url, `${receiver.url}/unused`)
  const accountId = tenant.ids.account
  await insertPack(db, accountId, { units: 500 })
  const { key, id: keyId } = await createKey(db, accountId)
  const path = `/hook/${accountId}`
  await insertEndpoint(db, accountId, { url: receiver.url + path, secret, secretsKey })
  return { ...tenant, key, keyId, path }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-move-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  receiver = await startReceiver()
  atEnd(() => receiver.close())
  await Promise.all(
    names.map(async (name) => {
      databases[name] = await openCellDatabase(atEnd)
      await writeFile(urlFile(name), `${databases[name].url}\n`)
      const migrated = await ratecard(['migrate'], {
        ...envOfHome(name),
        DATABASE_OWNER_URL: databases[name].ownerUrl,
      })
      expect(migrated.exitCode, migrated.stderr).toBe(0)
    }),
  )
  await storePrices(databases.home.db, [priceRecord({ resource_id: 'acme:alpha' })])
  await publishAtHub(databases.home.db, 'at the beginning')
  const published = await run('home', 'cells', 'publish', '--role', 'ratecard')
  expect(published.exitCode, published.stderr).toBe(0)
  for (const mark of marks) {
    const joined = await run(mark, 'cells', 'join')
    expect(joined.exitCode, joined.stderr).toBe(0)
  }
  await Promise.all(
    names.map(async (name) => {
      servers[name] = await startServer(envOf(name), ['--no-worker'], atEnd)
    }),
  )
  await becomeReady(Object.values(servers))
  // A cell whose hub is not heard of takes no account.
  await startWorker(envOf('home'), atEnd)
  const { home: _home, ...cells } = servers
  for (const proxy of proxies) {
    const routes = (await run('home', 'cells', 'routes', '--format', proxy, ...cellPlaces(cells))).stdout
    proxyUrls.set(
      proxy,
      await startProxy(proxy, [servers.home], atEnd, { cells: { routes, unmarkedKeys: '' } }),
    )
  }
}, 300_000)
/** Before the hub is known. */
function envOfHome(name: Name) {
  return cellEnvironment({ url: databases[name].url, secretsKey }, null)
}

describe(`An account moves to another cell${reason}`, () => {
  test('with every row that it has and none of others, and its key stays', async () => {
    const mover = await createMover('a1')
    const { ids, key, keyId, userId, email } = mover
    const other = await createMover('a1')
    for (let n = 0; n < 3; n += 1) expect(await statusAt('a1', key)).toBe(200)
    const before = await rowsOf(databases.a1.db, ids.account)
    const ofOther = await rowsOf(databases.a1.db, other.ids.account)
    for (const [table, rows] of Object.entries(before))
      if (!['usage_ledger', 'billing_customers', 'payment_events', 'notices', 'watches'].includes(table))
        expect([table, rows.length > 0 || table.startsWith('delivery_')]).toEqual([table, true])

    await mustMove(ids.account, 'a1', 'B1')
    const after = await rowsOf(databases.B1.db, ids.account)
    expect({ ...after, request_lines: [], request_counts: [] }).toEqual({
      ...before,
      request_lines: [],
      request_counts: [],
    })
    expect(await unitsAt('B1', keyId)).toBe(3)
    expect(Object.values(await rowsOf(databases.a1.db, ids.account)).flat()).toEqual([])
    expect(await rowsOf(databases.a1.db, other.ids.account)).toEqual(ofOther)
    expect(Object.values(await rowsOf(databases.B1.db, other.ids.account)).flat()).toEqual([])

    expect(await statusAt('B1', key)).toBe(200)
    const told = await ask(servers.a1.url, key)
    expect([told.status, told.headers.get('ratecard-cell')]).toEqual([401, 'B1'])
    expect(told.body).toMatchObject({
      error: 'unauthorized',
      message: expect.stringContaining(hostOf('B1')) as string,
    })
    for (const url of proxyUrls.values()) {
      for (let n = 0; n < 3; n += 1) expect(await askPatiently(url, key)).toBe(200)
      expect((await request(url, '/v1/webhooks', { method: 'POST', key, body: {} })).status).toBe(400)
      expect(await askPatiently(url, other.key)).toBe(200)
    }
    expect((await run('B1', 'ledger', 'verify')).exitCode).toBe(0)
    expect((await run('a1', 'ledger', 'verify')).exitCode).toBe(0)

    // The owner has another account here, and is nobody's guest there. Both go by the same password.
    const there = new Browser(servers.B1.url)
    expect((await there.post('/sign-in', { email, password })).status).toBe(200)
    expect(await there.get('/me')).toMatchObject({
      status: 200,
      body: { data: { accounts: [{ id: ids.account }] } },
    })
    expect((await new Browser(servers.a1.url).post('/sign-in', { email, password })).status).toBe(200)
    const { rows: kept } = await sql`select from auth_users where id = ${userId}`.execute(databases.a1.db)
    expect(kept).toHaveLength(1)
  })

  test('and whoever signs in where it was is told where it is, once they have shown who they are', async () => {
    const { db } = databases.a1
    const { accountId, key } = await createCustomer(db, { plan: 'developer' })
    const email = 'grace@customer.example'
    await db.transaction().execute(async (trx) => {
      const userId = await insertVerifiedUser(trx, { name: 'Grace', email, password })
      await insertMember(trx, { accountId, userId, role: 'owner' })
    })
    const before = new Browser(servers.a1.url)
    expect((await before.post('/sign-in', { email, password })).status).toBe(200)
    await mustMove(accountId, 'a1', 'B1')
    expect((await before.get('/me')).status).toBe(401)
    const browser = new Browser(servers.a1.url)
    const wrong = await browser.post('/sign-in', { email, password: 'another password' })
    const unknown = await browser.post('/sign-in', { email: 'nobody@customer.example', password })
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
    expect(await browser.post('/sign-in', { email, password })).toMatchObject({
      status: 403,
      body: { error: 'forbidden', message: expect.stringContaining(hostOf('B1')) as string },
    })
    expect((await browser.get('/me')).status).toBe(401)

    // On to a third one, and back to the first: who asks is led on from cell to cell.
    await mustMove(accountId, 'B1', 'home')
    for (const url of proxyUrls.values()) expect(await askPatiently(url, key)).toBe(200)
    await mustMove(accountId, 'home', 'a1')
    for (const url of proxyUrls.values()) expect(await askPatiently(url, key)).toBe(200)
    expect(await statusAt('a1', key)).toBe(200)
    expect((await browser.post('/sign-in', { email, password })).status).toBe(200)
    const { rows } = await sql`select from moved_keys where account_id = ${accountId}`.execute(db)
    expect(rows).toEqual([])
  })

  test('whose members go on as the users whom they are there, or must do something first', async () => {
    const { db } = databases.a1
    const { ids, key, email, userId } = await createMover('a1')
    const there = await databases.B1.db
      .transaction()
      .execute((trx) => insertVerifiedUser(trx, { name: 'Owner', email, password: 'the password there' }))
    await sql`update auth_users set two_factor_enabled = true where id = ${userId}`.execute(db)
    const refused = await move(ids.account, 'a1', 'B1')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(/has no second factor: its password alone would open this account/)
    expect(await statusAt('a1', key)).toBe(200)
    const { rows: left } = await sql`select from account_moves where account_id = ${ids.account}`.execute(
      databases.B1.db,
    )
    expect(left).toEqual([])

    await sql`update auth_users set two_factor_enabled = false where id = ${userId}`.execute(db)
    await mustMove(ids.account, 'a1', 'B1')
    const { rows: members } = await sql<{ user_id: string; role: string }>`
      select user_id, role from members where account_id = ${ids.account} and role = 'owner'`.execute(
      databases.B1.db,
    )
    expect(members).toEqual([{ user_id: there, role: 'owner' }])
    const browser = new Browser(servers.B1.url)
    expect((await browser.post('/sign-in', { email, password })).status).toBe(401)
    expect((await browser.post('/sign-in', { email, password: 'the password there' })).status).toBe(200)
    expect((await browser.get('/members')).status).toBe(200)
  })

  test('under load: what is answered is charged, no number is shown twice, and each alert comes once', async () => {
    const { ids, key, keyId, path } = await createMover('a1')
    const workers = await Promise.all(
      marks.map((mark) =>
        startWorker({ ...envOf(mark), PUBLIC_URL: `http://${mark.toLowerCase()}.example` }, atEnd),
      ),
    )
    const urls = proxyUrls.size > 0 ? [...proxyUrls.values()] : [servers.a1.url]
    const load = startLoad(6, async (worker) => {
      const answer = await askThrough(urls[worker % urls.length]!, key)
      if (answer.status !== 200) await pause(20)
      return answer
    })
    const titles: string[] = []
    let isOver = false
    const publishing = (async () => {
      while (!isOver) {
        const title = `while it moves ${titles.length}`
        titles.push(title)
        await publishAtHub(databases.home.db, title)
        await pause(150)
      }
    })()
    // There, back, and there again.
    for (const [from, to] of [
      ['a1', 'B1'],
      ['B1', 'a1'],
      ['a1', 'B1'],
    ] as const) {
      await pause(1_000)
      await mustMove(ids.account, from, to)
    }
    await pause(1_500)
    isOver = true
    await publishing
    const answers = (await load.stop()).map(({ answer }) => answer)
    const statuses = countStatuses(answers)
    expect(Object.keys(statuses).sort()).toEqual(['200', '503'])
    expect(await unitsAt('B1', keyId)).toBe(statuses[200])
    const shown = answers.flatMap((answer) =>
      answer?.status === 200 ? answer.headers.get('x-ratelimit-remaining') : [],
    )
    expect(new Set(shown).size).toBe(shown.length)

    const told = () =>
      receiver.received
        .filter((one) => one.path === path)
        .flatMap(({ alert }) => alert.changes.map(({ title }) => title))
        .sort()
    await expect.poll(() => new Set(told()).size, { timeout: 60_000 }).toBe(titles.length)
    expect(told()).toEqual([...titles].sort())
    for (const one of receiver.received) if (one.path === path) expect(isSigned(one, secret)).toBe(true)
    for (const worker of workers) await worker.stop()
    for (const name of marks) expect((await run(name, 'ledger', 'verify')).exitCode).toBe(0)
  })

  test('and where the command is killed, one of the two has it: it goes on, or back', async () => {
    const { ids, key, keyId } = await createMover('a1')
    const accountId = ids.account
    let served = 0
    const serving = async () => {
      const statuses = [await statusAt('a1', key), await statusAt('B1', key)]
      served += statuses.filter((status) => status === 200).length
      return statuses
    }
    const stateAt = async (name: Name) => {
      const { rows } = await sql<{ state: string }>`
        select state from account_moves where account_id = ${accountId}`.execute(databases[name].db)
      return rows[0]?.state ?? 'none'
    }
    const killWhen = async (isThere: () => Promise<boolean>, held: Held[]) => {
      const child = spawn(process.execPath, [program, ...moveArgs(accountId, 'B1')], {
        env: environment(envOf('a1')),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (said += String(text)))
      const closed = once(child, 'close')
      const isOver = async () => child.exitCode !== null || (await isThere())
      await expect.poll(isOver, patience).toBe(true)
      expect(child.exitCode, said).toBeNull()
      child.kill('SIGKILL')
      await closed
      for (const one of held) await one.release()
    }
    const at = (name: Name, state: string) => async () => (await stateAt(name)) === state
    const before = await rowsOf(databases.a1.db, accountId)

    await killWhen(at('B1', 'expected'), [await hold('a1', 'account_moves')])
    expect(await serving()).toEqual([200, 401])
    await killWhen(at('a1', 'quiet'), [await hold('a1', 'kysely_migration_lock')])
    expect(await serving()).toEqual([200, 401])
    expect((await run('a1', 'cells', 'status')).stdout).toContain('take it back with --undo')
    await killWhen(at('a1', 'leaving'), [])
    expect(await serving()).toEqual([503, 401])

    // Back.
    expect((await move(accountId, 'a1', 'B1', '--undo')).exitCode).toBe(0)
    expect(await serving()).toEqual([200, 401])
    expect([await stateAt('a1'), await stateAt('B1')]).toEqual(['none', 'none'])

    const midway = await hold('B1', 'webhooks')
    await killWhen(async () => (await midway.waiting()) > 0, [midway])
    expect(await serving()).toEqual([503, 401])
    await killWhen(at('B1', 'arriving'), [await hold('B1', 'announcements', 'access exclusive')])
    expect(await serving()).toEqual([503, 503])

    // Back once more, from where all rows are in both.
    const { rows: users } = await sql<{ ids: string[] }>`
      select new_users as ids from account_moves where account_id = ${accountId}`.execute(databases.B1.db)
    expect(users[0]?.ids).toHaveLength(2)
    expect((await move(accountId, 'a1', 'B1', '--undo')).exitCode).toBe(0)
    expect(await serving()).toEqual([200, 401])
    expect(Object.values({ ...(await rowsOf(databases.B1.db, accountId)), alerts: [] }).flat()).toEqual([])
    const { rows: gone } = await sql`select from auth_users where id = any(${users[0]!.ids})`.execute(
      databases.B1.db,
    )
    expect(gone).toEqual([])
    const { usage_days: _counters, request_lines: _l, request_counts: _c, ...same } = before
    expect(await rowsOf(databases.a1.db, accountId)).toMatchObject(same)

    await killWhen(at('B1', 'arriving'), [await hold('B1', 'announcements', 'access exclusive')])
    await killWhen(at('a1', 'left'), [await hold('B1', 'alert_fanouts', 'access exclusive')])
    expect(await serving()).toEqual([401, 503])
    expect((await move(accountId, 'a1', 'B1', '--undo')).stderr).toContain('is in the cell "B1" by now')
    expect((await run('a1', 'cells', 'status')).stdout).toContain('for good')
    const clearing = await hold('a1', 'moved_keys')
    await killWhen(at('B1', 'none'), [clearing])
    expect(await serving()).toEqual([401, 200])
    await mustMove(accountId, 'a1', 'B1')
    expect(await serving()).toEqual([401, 200])
    expect(await unitsAt('B1', keyId)).toBe(served)
    expect(Object.values(await rowsOf(databases.a1.db, accountId)).flat()).toEqual([])
    const status = await run('a1', 'cells', 'status')
    expect(status.stdout).toMatch(/Moved to the cell "B1": \d+ accounts, with \d+ keys/)
    expect(status.stdout).not.toContain('run "ratecard cells move" again')
    const again = await move(accountId, 'a1', 'B1')
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('is in the cell "B1"')])
  })
})

interface Held {
  /** How many wait for it. */
  waiting: () => Promise<number>
  release: () => Promise<void>
}

/** Keeps a command from writing into a table. */
async function hold(name: Name, table: string, mode = 'exclusive'): Promise<Held> {
  const client = new pg.Client({ connectionString: databases[name].url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in ${mode} mode`)
  return {
    waiting: async () => {
      const { rows } = await client.query(
        'select from pg_locks where not granted and relation = $1::regclass',
        [table],
      )
      return rows.length
    },
    release: () => client.end(),
  }
}
