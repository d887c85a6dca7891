import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from '../src/database/connect.ts'
import { generateApiKey, hashApiKey } from '../src/features/accounts/api-key.ts'
import { newId } from '../src/platform/ids.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../test/support/actors.ts'
import {
  cellEnvironment,
  cellPlaces,
  deliveriesOf,
  hubAndCells,
  insertEndpoint,
  openCellDatabase,
  publishAtHub,
  type CellDatabase,
  type CellName as Name,
} from '../test/support/cells.ts'
import { request } from '../test/support/client.ts'
import { becomeReady, countStatuses, patience } from '../test/support/load.ts'
import {
  environment,
  program,
  ratecard,
  startServer,
  type CommandResult,
  type ServerProcess,
} from '../test/support/process.ts'
import { findProxies, startProxy, type ProxyName } from '../test/support/proxy.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'
import { runHere } from '../test/support/run-here.ts'
import { startWorker } from '../test/support/worker-process.ts'

// Three PostgreSQL servers are one installation: a hub, and two cells.

const { marks, names } = hubAndCells
const { proxies, missing } = findProxies()
const reason = missing === '' ? '' : ` (without ${missing}, which is not installed)`

const secretsKey = randomBytes(32).toString('base64')
const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.push(end)

const databases = {} as Record<Name, CellDatabase>
const servers = {} as Record<Name, ServerProcess>
const customers = {} as Record<Name, Customer>
const proxyUrls = new Map<ProxyName, string>()
let receiver: Receiver
/** A key of the time before marks that looks like one of the cell a1. */
let olderKey: string

const envOf = (name: Name) => ({
  ...cellEnvironment(
    { url: databases[name].url, secretsKey },
    name === 'home' ? null : { mark: name, hubUrl: databases.home.url },
  ),
  WEBHOOK_RETRY_SCHEDULE: '0s,100ms,200ms',
})
const workerEnvOf = (name: Name) => ({ ...envOf(name), PUBLIC_URL: `http://${name.toLowerCase()}.example` })
/** One at a time, in this process: each has its output and its environment to itself. */
let last: Promise<unknown> = Promise.resolve()
function runWith(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  const result = last.then(async () => {
    for (const [variable, value] of Object.entries(environment(env))) vi.stubEnv(variable, value)
    return runHere(args).finally(() => vi.unstubAllEnvs())
  })
  last = result.catch(() => undefined)
  return result
}
const run = (name: Name, ...args: string[]) => runWith(envOf(name), ...args)
async function runJson<T>(name: Name, ...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await run(name, ...args, '--json')
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

const generation = (n: number) => priceRecord({ resource_id: 'acme:alpha', region: String(n) })
const storeAtHub = (n: number) => storePrices(databases.home.db, [generation(n)])
const ask = (url: string, key: string) => request(url, '/v1/prices', { key })
async function generationAt(name: Name): Promise<number> {
  const { status, body } = await ask(servers[name].url, customers[name].key)
  if (status !== 200) return Number.NaN
  return Number((body as { data: { region: string }[] }).data[0]?.region)
}
async function subscribe(name: Name): Promise<{ id: string; path: string }> {
  const { accountId } = await createCustomer(databases[name].db, { plan: 'scale' })
  const path = `/hook/${accountId}`
  const to = { url: receiver.url + path, secret: 'a secret of sixteen', secretsKey }
  const webhook = await insertEndpoint(databases[name].db, accountId, to)
  return { id: webhook.id, path }
}

beforeAll(async () => {
  await Promise.all(
    names.map(async (name) => {
      databases[name] = await openCellDatabase(atEnd)
    }),
  )
  receiver = await startReceiver()
  atEnd(() => receiver.close())
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const statusOf = (name: Name) =>
  runJson<{
    role: string
    feed_age_seconds: number | null
    here: object
    hub: object
    subscription: { connected: boolean; tables: number; tables_ready: number }
    slot: { name: string; active: boolean }
    advice: string[]
  }>(name, 'cells', 'status')

describe(`A hub and its cells${reason}`, () => {
  test('are made by commands that say what stands in the way, and go on where they were interrupted', async () => {
    const tablesOf = async (name: Name) =>
      (await sql`select from pg_tables where schemaname = 'public'`.execute(databases[name].db)).rows.length
    await sql`create role without_rights login password 'test'`.execute(databases.a1.db)
    const forbidden = new URL(databases.a1.url)
    ;[forbidden.username, forbidden.password] = ['without_rights', 'test']
    const refused = await runWith({ ...envOf('a1'), DATABASE_URL: forbidden.href }, 'cells', 'join')
    expect(refused.stderr).toContain('may not make subscriptions')
    expect((await run('a1', 'cells', 'join')).stderr).toContain('Run "ratecard migrate" first')
    expect(await tablesOf('a1')).toBe(0)
    for (const mark of marks)
      await runWith({ ...envOf(mark), DATABASE_OWNER_URL: databases[mark].ownerUrl }, 'migrate')
    const early = await run('a1', 'cells', 'join')
    await storePrices(databases.a1.db, [generation(0)])
    const unknownRole = await run('home', 'cells', 'publish', '--role', 'nobody_there')
    expect(early.stderr).toMatch(
      /publishes nothing for cells yet: run "ratecard cells publish"|does not answer/,
    )
    expect(unknownRole.stderr).toContain('create role nobody_there login replication')

    await storeAtHub(1)
    await publishAtHub(databases.home.db, 'before there were cells')
    const published = await run('home', 'cells', 'publish', '--role', 'ratecard')
    expect(published.exitCode, published.stderr).toBe(0)
    expect(published.stderr).toContain('max_slot_wal_keep_size')
    customers.home = await createCustomer(databases.home.db, { plan: 'developer' })

    expect((await run('a1', 'cells', 'join')).stderr).toMatch(/has 1 prices, 0 changes.*--replace/)
    // Interrupted once it has begun.
    const joining = spawn(process.execPath, [program, 'cells', 'join', '--replace'], {
      env: environment(envOf('a1')),
      stdio: 'ignore',
    })
    const isJoining = async () =>
      (await sql`select from settings where name = 'feed'`.execute(databases.a1.db)).rows.length
    await expect.poll(isJoining, { ...patience, interval: 1 }).toBe(1)
    joining.kill('SIGKILL')
    await once(joining, 'close')
    expect((await statusOf('a1')).advice).toEqual([expect.stringContaining('cells join')])

    const first = await run('a1', 'cells', 'join')
    const alike = await runWith({ ...envOf('B1'), CELL_MARK: 'A1' }, 'cells', 'join')
    expect(alike.stderr).toContain('The cell "a1" of this hub differs from "A1" in case alone')
    const joins = [first, await run('B1', 'cells', 'join')]
    for (const { exitCode, stdout, stderr } of joins)
      expect([exitCode, stdout], stderr).toEqual([0, expect.stringContaining('rc_live_')])
    expect(await runJson('a1', 'cells', 'join')).toMatchObject({ mark: 'a1', again: true })
    for (const mark of marks)
      customers[mark] = await createCustomer(databases[mark].db, { plan: 'developer' })
    expect(customers.a1.key).toMatch(/^rc_live_a1/)
    expect(customers.B1.key).toMatch(/^rc_live_B1/)

    const cell = await statusOf('a1')
    expect(cell).toMatchObject({
      role: 'cell',
      subscription: { connected: true },
      slot: { active: true },
      advice: [],
    })
    expect(cell.here).toEqual(cell.hub)
    expect(await runJson('home', 'cells', 'status')).toMatchObject({
      role: 'hub',
      cells: [
        { mark: 'a1', active: true },
        { mark: 'B1', active: true },
      ],
    })
  })

  test('have their feed from the hub alone: a cell refuses what would write it', async () => {
    const imported = await run('a1', 'prices', 'import', '--source', 'genai-prices')
    const published = await run('a1', 'feed', 'redecide')
    const twice = await runWith({ ...envOf('B1'), CELL_MARK: 'b7' }, 'cells', 'join')
    expect([imported.exitCode, published.exitCode, twice.exitCode]).toEqual([1, 1, 1])
    expect(imported.stderr).toContain('This database is a cell')
    expect(published.stderr).toContain('Do this at the hub')
    expect(twice.stderr).toContain('set CELL_MARK=B1')
    const { rows } = await sql`select from prices`.execute(databases.a1.db)
    expect(rows).toHaveLength(1)
  })

  test('know their own keys alone, and proxies lead each key to its own', async () => {
    await Promise.all(
      names.map(async (name) => {
        servers[name] = await startServer(envOf(name), ['--no-worker'], atEnd)
      }),
    )
    await becomeReady(Object.values(servers))
    for (const at of names)
      for (const of of names)
        expect([at, of, (await ask(servers[at].url, customers[of].key)).status]).toEqual([
          at,
          of,
          at === of ? 200 : 401,
        ])
    const wrong = await ratecard(['serve'], { ...envOf('a1'), CELL_MARK: 'B1', PORT: '0', ADMIN_PORT: '0' })
    expect(wrong.stderr).toContain('CELL_MARK is "B1", and this database is "a1"')

    olderKey = generateApiKey('a1')
    const values = { hash: hashApiKey(olderKey), prefix: 'rc_live_', last_four: olderKey.slice(-4) }
    const id = newId('key')
    const { accountId: account_id } = customers.home
    await databases.home.db
      .insertInto('api_keys')
      .values({ id, account_id, name: 'older', quota_subject: id, ...values })
      .execute()
    const hashes = await runJson<string[]>('home', 'cells', 'unmarked-keys')
    expect(hashes).toHaveLength(2)
    const unmarkedKeys = hashes.map((hash) => `${hash}\n`).join('')
    for (const proxy of proxies) {
      const { home: _home, ...cells } = servers
      const routes = (await run('home', 'cells', 'routes', '--format', proxy, ...cellPlaces(cells))).stdout
      proxyUrls.set(
        proxy,
        await startProxy(proxy, [servers.home], atEnd, { cells: { routes, unmarkedKeys } }),
      )
    }
    for (const url of proxyUrls.values()) {
      for (const name of names)
        await expect.poll(async () => (await ask(url, customers[name].key)).status, patience).toBe(200)
      expect((await ask(url, olderKey)).status).toBe(200)
      expect((await ask(url, generateApiKey('a1'))).status).toBe(401)
      expect((await ask(url, generateApiKey('zz'))).status).toBe(401)
      const scheme = await fetch(`${url}/v1/prices`, {
        headers: { authorization: `bEARER  ${customers.B1.key}` },
      })
      expect(scheme.status).toBe(200)
      // A body is passed on, and at home once more when a cell does not know the key.
      for (const key of [customers.a1.key, olderKey])
        expect((await request(url, '/v1/webhooks', { method: 'POST', key, body: {} })).status).toBe(400)
    }
  })

  test('count exactly, by whichever proxy a request comes', async () => {
    const urls = proxyUrls.size > 0 ? [...proxyUrls.values()] : [servers.a1.url]
    const { key } = await createCustomer(databases.a1.db)
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => ask(urls[n % urls.length]!, key)))
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
  })

  test('see an import as a whole, its version with its rows, and serve it soon', async () => {
    const read = async (db: Db) => {
      const { rows } = await sql<{ pair: string }>`
        select abs((select version from list_versions where list = 'prices')) || ' ' || (select region from prices) as pair`.execute(
        db,
      )
      return rows[0]!.pair
    }
    const atHub = new Set([await read(databases.home.db)])
    const seen = new Set<string>()
    let isOver = false
    const watching = marks.map(async (mark) => {
      while (!isOver) seen.add(await read(databases[mark].db))
    })
    onTestFinished(() => {
      isOver = true
    })
    for (let n = 2; n < 30; n += 1) {
      await storeAtHub(n)
      atHub.add(await read(databases.home.db))
    }
    for (const mark of marks) await expect.poll(() => generationAt(mark), patience).toBe(29)
    isOver = true
    await Promise.all(watching)
    expect(seen.size).toBeGreaterThan(2)
    expect([...seen].filter((pair) => !atHub.has(pair))).toEqual([])
  })

  test('tell of each change once, though two workers race and one of them is killed', async () => {
    const subscribed = await subscribe('a1')
    const workers = await Promise.all([1, 2].map(() => startWorker(workerEnvOf('a1'), atEnd)))
    const titles = Array.from({ length: 12 }, (_, n) => `change ${n + 1}`)
    for (const [n, title] of titles.entries()) {
      await publishAtHub(databases.home.db, title)
      if (n === 5) await workers[0]!.kill()
    }
    const delivered = async () =>
      (await deliveriesOf(databases.a1.db, subscribed.id)).filter(({ state }) => state === 'delivered').length
    // What the killed one had fetched is taken up when its time is over: what is proved is that each is made once.
    await expect
      .poll(async () => (await deliveriesOf(databases.a1.db, subscribed.id)).length, patience)
      .toBe(titles.length)
    await expect.poll(delivered, patience).toBeGreaterThan(titles.length / 2)
    expect((await deliveriesOf(databases.a1.db, subscribed.id)).map(({ title }) => title)).toEqual(titles)
    const [first] = receiver.received
    expect(first?.alert.changes[0]?.url).toMatch(/^http:\/\/a1\.example\/changes\//)
    await workers[1]!.stop()
  })

  test('do not stop each other: a dead cell stops its own accounts, and catches up with what it missed', async () => {
    const subscribed = await subscribe('B1')
    await databases.B1.kill()
    for (const url of proxyUrls.size > 0 ? [...proxyUrls.values()] : []) {
      expect((await ask(url, customers.B1.key)).status).toBe(503)
      expect((await ask(url, customers.a1.key)).status).toBe(200)
      expect((await ask(url, customers.home.key)).status).toBe(200)
    }
    await storeAtHub(50)
    await publishAtHub(databases.home.db, 'while a cell was away')
    await expect.poll(() => generationAt('a1'), patience).toBe(50)
    const { cells, advice } = await runJson<{ cells: { mark: string; active: boolean }[]; advice: string[] }>(
      'home',
      'cells',
      'status',
    )
    expect(cells).toMatchObject([
      { mark: 'a1', active: true },
      { mark: 'B1', active: false },
    ])
    expect(advice).toEqual([expect.stringContaining('"B1" is not connected')])

    await databases.B1.revive()
    await expect.poll(() => generationAt('B1'), patience).toBe(50)
    const worker = await startWorker(workerEnvOf('B1'), atEnd)
    const told = async () => (await deliveriesOf(databases.B1.db, subscribed.id)).map(({ title }) => title)
    // Its workers were off until now, so it tells of all that was announced since it joined, and of nothing before.
    await expect.poll(told, patience).toContain('while a cell was away')
    expect(await told()).not.toContain('before there were cells')
    await worker.stop()
  })

  test('go on without their hub, say so, and follow it when it is back', async () => {
    await sql`update feed_pulse set at = at - interval '5 minutes'`.execute(databases.a1.db)
    await databases.home.kill()
    for (const mark of marks) {
      const answer = await ask(servers[mark].url, customers[mark].key)
      expect(answer.status).toBe(200)
    }
    const readiness = async () => {
      const answer = await fetch(`${servers.a1.adminUrl}/ready`)
      return { code: answer.status, ...((await answer.json()) as object) }
    }
    await expect.poll(readiness, patience).toEqual({
      code: 200,
      status: 'degraded',
      reason: expect.stringMatching(/the feed of the hub is \d+ s behind/) as string,
    })
    expect((await statusOf('a1')).advice).toEqual([expect.stringContaining('The hub does not answer')])
    await databases.home.revive()
    await storeAtHub(60)
    for (const mark of marks) await expect.poll(() => generationAt(mark), patience).toBe(60)
    // A worker of the hub is heard of again.
    const worker = await startWorker(workerEnvOf('home'), atEnd)
    await expect.poll(readiness, patience).toEqual({ code: 200, status: 'ok' })
    await worker.stop()
  })

  test('part: what a cell held at the hub goes with it, and it may write again', async () => {
    await servers.B1.stop()
    expect(await runJson('B1', 'cells', 'leave')).toEqual({ slot_at_hub: null })
    expect(await runJson('home', 'cells', 'status')).toMatchObject({ cells: [{ mark: 'a1' }] })
    await storePrices(databases.B1.db, [generation(61)])
    await databases.a1.kill()
    await expect.poll(async () => (await run('home', 'cells', 'leave', 'a1')).exitCode, patience).toBe(0)
    expect(await runJson('home', 'cells', 'status')).toMatchObject({ cells: [] })
    // What it missed cannot come by itself any more: it joins again.
    await databases.a1.revive()
    await storeAtHub(70)
    expect(await runJson('a1', 'cells', 'join')).toMatchObject({ again: true })
    await expect.poll(() => generationAt('a1'), patience).toBe(70)
  })

  test('take the place of a hub that is gone for good, with what they have, and the others follow', async () => {
    await databases.home.kill()
    expect((await run('a1', 'cells', 'leave')).stdout).toContain('is no cell any more')
    const published = await run('a1', 'cells', 'publish', '--role', 'ratecard')
    expect(published.exitCode, published.stderr).toBe(0)
    const env = { ...envOf('B1'), CELL_HUB_URL: databases.a1.url }
    const joined = await runWith(env, 'cells', 'join', '--replace')
    expect(joined.exitCode, joined.stderr).toBe(0)
    const server = await startServer(env, ['--no-worker'])
    servers.B1 = server
    await becomeReady([server])
    expect(await generationAt('B1')).toBe(70)
    await storePrices(databases.a1.db, [generation(80)])
    await expect.poll(() => generationAt('B1'), patience).toBe(80)
  })
})
