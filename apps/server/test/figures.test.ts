import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics, renderTogether } from '../src/platform/metrics.ts'
import { createLogger } from '../src/platform/logger.ts'
import { projectRoot } from '../src/platform/paths.ts'
import { readCommit, readVersion } from '../src/platform/version.ts'
import { startLedgerCheck } from '../src/process/ledger-check.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import { Browser } from './support/dashboard-client.ts'
import { spend } from './support/fixtures.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'
import { openProxy } from './support/tcp-proxy.ts'

// What an operator sees from outside: the figures of real servers, and the rules and the dashboard that name them.

const database = useDatabase()
const environment = (env: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  ...env,
})
beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

async function scrape({ adminUrl }: Pick<ServerProcess, 'adminUrl'>): Promise<string> {
  return (await fetch(`${adminUrl}/metrics`)).text()
}

/** By the figure with its labels, as it is written. */
function valuesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

const file = (path: string) => readFile(join(projectRoot, path), 'utf8')

/** The figures that a text names; those of a histogram by their own name. */
function namesIn(text: string): string[] {
  const names = text.match(/\b(?:ratecard_|process_|nodejs_)[a-z0-9_]*[a-z0-9]\b(?!…)/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))].sort()
}

test('a server with a worker exports what rules, dashboard and documentation name, and begins to count at 0', async () => {
  const server = await startServer(
    environment({
      SMTP_URL: 'smtp://127.0.0.1:9',
      FEED_SOURCES: '[{"source":"genai-prices","every":"30d"}]',
    }),
  )
  await becomeReady([server])
  // The worker starts after the API; this is the last that it begins to tell.
  let first = ''
  await expect
    .poll(async () => (first = await scrape(server)), patience)
    .toMatch(/^ratecard_feed_interval_seconds\{.*\} \d+$/m)
  expect(first).not.toMatch(/^ratecard_.* nan$/im)
  const exported = [...first.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  const rules = parse(await file('deploy/prometheus/alerts.yaml')) as {
    groups: { rules: { expr: string }[] }[]
  }
  const named = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    await file('deploy/grafana/ratecard.json'),
    ...(await Promise.all(['operations', 'cells', 'feed'].map((name) => file(`docs/${name}.md`)))),
  ].flatMap((text) => namesIn(text.replaceAll(/\bratecard_(?:owner|server|cells)\b/g, '')))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !exported.includes(name))).toEqual([])
  expect(valuesOf(first)).toMatchObject({
    [`ratecard_build_info{version="${readVersion()}",commit="${readCommit()}",node_version="${process.version}"}`]: 1,
    ratecard_database_up: 1,
    ratecard_database_read_only: 0,
    'ratecard_database_connections_max{pool="api"}': 10,
    'ratecard_database_connections_max{pool="dashboard"}': 4,
    'ratecard_database_connection_waiters{pool="sending"}': 0,
    'ratecard_http_unavailable_total{reason="overload"}': 0,
    'ratecard_meter_units_total{outcome="granted"}': 0,
    ratecard_meter_unsettled_batches: 0,
    ratecard_deliveries_scheduled: 0,
    'ratecard_deliveries_put_off_total{reason="secret_unreadable"}': 0,
    'ratecard_delivery_attempts_total{outcome="timeout"}': 0,
    ratecard_delivery_outcomes_unwritten: 0,
    'ratecard_feed_runs_total{source="genai-prices",outcome="failed"}': 0,
    'ratecard_feed_interval_seconds{source="genai-prices"}': 30 * 86_400,
    'ratecard_mails_total{outcome="failed"}': 0,
    'ratecard_sign_ins_total{outcome="refused"}': 0,
  })
  expect(await (await fetch(`${server.adminUrl}/health`)).json()).toEqual({
    status: 'ok',
    version: readVersion(),
    commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
  })
  // Not checked yet: no figure, where 0 would say that all is well.
  expect(valuesOf(first)).not.toHaveProperty('ratecard_ledger_differences')

  const customer = await createCustomer(database.db)
  await spend(database.db, customer, 99)
  const statuses = []
  for (let count = 0; count < 2; count += 1)
    statuses.push((await request(server.url, '/v1/prices', customer)).status)
  expect(statuses).toEqual([200, 429])
  const browser = new Browser(server.url)
  const email = 'nobody@acme.example'
  expect((await browser.post('/sign-in', { email, password: 'not the password' })).status).toBe(401)
  expect((await browser.post('/sign-up', { email })).status).toBe(202)
  await expect
    .poll(async () => valuesOf(await scrape(server))['ratecard_mails_total{outcome="failed"}'], patience)
    .toBe(1)
  const later = valuesOf(await scrape(server))
  expect(later).toMatchObject({
    'ratecard_meter_units_total{outcome="granted"}': 1,
    'ratecard_meter_units_total{outcome="denied"}': 1,
    'ratecard_meter_batches_total{outcome="carried_out"}': later.ratecard_meter_batch_requests_count,
    'ratecard_sign_ins_total{outcome="refused"}': 1,
  })
  expect(later.ratecard_meter_batch_requests_sum).toBeGreaterThanOrEqual(2)
  expect(later.ratecard_meter_batch_duration_seconds_sum).toBeGreaterThan(0)

  expect(await server.stop()).toBe(0)
})

test('a server without a worker exports nothing of what workers know, and none what it cannot know', async () => {
  const proxy = await openProxy(database.url)
  const server = await startServer(environment({ DATABASE_URL: proxy.url }), ['--no-worker'])
  await becomeReady([server])
  let well: Record<string, number> = {}
  await expect
    .poll(async () => (well = valuesOf(await scrape(server))), patience)
    .toMatchObject({ ratecard_database_up: 1, ratecard_database_read_only: 0 })
  const ofWorkers = /^ratecard_(deliveries_(due|oldest_due_seconds|scheduled)|feed_|ledger_)/
  expect(Object.keys(well).filter((name) => ofWorkers.test(name))).toEqual([])

  await proxy.refuse()
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  expect((await request(server.url, '/v1/prices', { key })).status).toBe(503)
  const text = await scrape(server)
  expect(text).not.toMatch(/^ratecard_.* nan$/im)
  const away = valuesOf(text)
  expect(away).toMatchObject({
    ratecard_database_up: 0,
    'ratecard_http_unavailable_total{reason="database"}': 1,
    'ratecard_http_unavailable_total{reason="overload"}': 0,
  })
  expect(away).not.toHaveProperty('ratecard_database_read_only')
  await server.kill()
})

test('the figures of several processes are one page: counts added, what is of the database as one', async () => {
  const pages = [3, 4].map((count) => {
    const metrics = createMetrics()
    metrics.watchDeliveries({
      inFlight: () => count,
      unwritten: () => 0,
      readDue: () => Promise.resolve({ count, oldestSeconds: 10 * count, scheduled: 0 }),
    })
    metrics.watchDatabase(() => Promise.resolve(count === 3 ? 'away' : 'writable'))
    return metrics
  })
  const none = createMetrics()
  const together = await renderTogether(
    await Promise.all([...pages, none].map((metrics) => metrics.collect())),
  )
  expect(together).not.toMatch(/^ratecard_.* nan$/im)
  expect(valuesOf(together)).toMatchObject({
    ratecard_deliveries_in_flight: 7,
    ratecard_deliveries_due: 4,
    ratecard_deliveries_oldest_due_seconds: 40,
    ratecard_database_up: 0,
    ratecard_database_read_only: 0,
  })
  expect(together).toMatch(/^ratecard_build_info\{.*\} 1$/m)
})

test('a worker compares the ledger from time to time, and tells how many balances differ', async () => {
  const metrics = createMetrics()
  const { accountId } = await createCustomer(database.db)
  const checking = startLedgerCheck({
    db: database.db,
    logger: createLogger('silent'),
    metrics,
    firstMs: 0,
    everyMs: 10,
  })
  onTestFinished(() => checking.stop())
  const differences = async () => valuesOf(await metrics.render()).ratecard_ledger_differences
  await expect.poll(differences, patience).toBe(0)
  expect(valuesOf(await metrics.render()).ratecard_ledger_checked_timestamp_seconds).toBeGreaterThan(1e9)
  await sql`insert into packs (id, account_id, units, remaining, purchased_at, expires_at)
    values ('pack_forged', ${accountId}, 50000, 49999, now(), now() + interval '30 days')`.execute(
    database.db,
  )
  await expect.poll(differences, patience).toBe(1)
})
