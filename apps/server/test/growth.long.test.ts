import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { alwaysByIndex } from '../src/database/client.ts'
import { connect } from '../src/database/connect.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { finishedDeliveries } from '../src/features/webhooks/old-deliveries.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLogger } from '../src/platform/logger.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { listForgettings, startRetention } from '../src/process/retention.ts'
import { patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { explainStatement } from './year/explain.ts'
import { fillYear } from './year/fill.ts'
import { listWaitedFor, type WaitedFor } from './year/statements.ts'

// A year of a hundredth of 10,000 accounts: how statements are answered, and that what is too old goes, and nothing else.

const database = useDatabase()
let accountId: string

beforeAll(async () => {
  const { accountOf } = await fillYear(database.db, 0.01)
  accountId = accountOf.enterprise!
})

/** Tables that grow with what happens, and not with who is there. */
const growing = new Set([
  ...['usage_days', 'usage_ledger', 'request_lines', 'request_counts', 'deliveries', 'delivery_attempts'],
  ...['delivery_exchanges', 'audit_entries', 'notices', 'claim_versions', 'price_versions', 'feed_runs'],
])

describe('statements that somebody waits for', () => {
  let waitedFor: WaitedFor[]
  beforeAll(async () => {
    waitedFor = await listWaitedFor(database.db, accountId)
  })

  // At this size PostgreSQL may prefer to read a small table; with so much as a choice it must have the index.
  test('have an index for each table that grows', async () => {
    const db = connect({ connectionString: database.url, settings: alwaysByIndex })
    onTestFinished(() => db.destroy())
    const scans: string[] = []
    for (const { name, statements, readsAll } of waitedFor) {
      if (readsAll) continue
      for (const statement of statements) {
        const { scanned } = await explainStatement(db, statement)
        scans.push(...scanned.filter((table) => growing.has(table)).map((table) => `${name}: ${table}`))
      }
    }
    expect(scans).toEqual([])
    expect(waitedFor.length).toBeGreaterThan(40)
  })

  test('of an account read what is its own, whatever the others have', async () => {
    const db = connect({ connectionString: database.url, settings: alwaysByIndex })
    onTestFinished(() => db.destroy())
    const blocks: Record<string, number> = {}
    for (const { name, by, statements } of waitedFor) {
      if (by === 'worker') continue
      for (const statement of statements)
        blocks[name] = (blocks[name] ?? 0) + (await explainStatement(db, statement)).blocks
    }
    const { rows } = await sql<{ blocks: number }>`
      select (pg_relation_size('usage_days') / 8192)::int as blocks`.execute(database.db)
    // The page that people open first. Ten keys of thirty days are a seventh of this small table.
    expect(blocks['usage by day, 30 days']).toBeLessThan(rows[0]!.blocks)
    expect(blocks['first steps']).toBeLessThan(200)
    expect(blocks['reserve a unit']).toBeLessThan(100)
  })
})

describe('retention', () => {
  const days = {
    USAGE_RETENTION_DAYS: 300,
    DELIVERY_RETENTION_DAYS: 20,
    REQUEST_RETENTION_DAYS: 5,
    FEED_RUN_RETENTION_DAYS: 300,
  }
  const config = { ...readConfig({}), ...days }
  const count = async (query: ReturnType<typeof sql<{ count: number }>>) =>
    (await query.execute(database.db)).rows[0]!.count
  const tooOld = async () => ({
    deliveries: await count(
      sql`select count(*)::int as count from deliveries where created_at < now() - interval '20 days'`,
    ),
    attempts: await count(
      sql`select count(*)::int as count from delivery_attempts where started_at < now() - interval '20 days'`,
    ),
    lines: await count(
      sql`select count(*)::int as count from request_lines where at < now() - interval '5 days'`,
    ),
    counts: await count(
      sql`select count(*)::int as count from request_counts where hour < now() - interval '5 days'`,
    ),
    audit: await count(
      sql`select count(*)::int as count from audit_entries where actor = 'user' and at < now() - interval '400 days'`,
    ),
    runs: await count(sql`select count(*)::int as count from feed_runs where changed = 0 and created_at < now() - interval '300 days'
      and not exists (select from claim_versions where run_id = feed_runs.id)`),
  })
  const kept = async () => ({
    ...(
      await sql<object>`select
      (select count(*)::int from packs) as packs,
      (select count(*)::int from usage_ledger where pack_id <> '') as paid,
      (select count(*)::int from price_versions) as prices,
      (select count(*)::int from claim_versions) as claims,
      (select count(*)::int from changes) as changes,
      (select count(*)::int from payment_events) as payments,
      (select count(*)::int from audit_entries where actor <> 'user') as operators,
      (select count(*)::int from usage_days where day >= current_date - 300) as days,
      (select count(*)::int from deliveries where created_at >= now() - interval '20 days') as young,
      (select count(*)::int from deliveries where state = 'pending') as pending`.execute(database.db)
    ).rows[0],
  })

  test('killed in a step it has lost that step alone, and goes on to the last row', async () => {
    await sql`update deliveries set state = 'pending' where id in (select id from deliveries order by created_at limit 3)`.execute(
      database.db,
    )
    const before = await kept()
    const old = await tooOld()
    expect(Math.min(...Object.values(old).filter((n) => n !== old.audit))).toBeGreaterThan(20)
    const lastUsed = sql<{ count: number }>`
      select count(distinct key_id)::int as count from usage_entries e
      join api_keys k on k.id = e.key_id where k.ends_at is null`
    const used = await count(lastUsed)

    // The connections of a worker break in the middle of its steps, three times.
    const worker = connect({ connectionString: database.url, connectionsMax: 2 })
    const metrics = createMetrics()
    const running = startRetention({
      db: worker,
      config,
      logger: createLogger('silent'),
      metrics,
      everyMs: 200,
    })
    onTestFinished(async () => {
      await running.stop()
      await worker.destroy()
    })
    for (let kill = 0; kill < 3; kill += 1) {
      await expect
        .poll(
          () =>
            count(sql`select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid() and query like '%delete from%'`),
          patience,
        )
        .toBeGreaterThan(0)
    }
    await expect.poll(tooOld, { timeout: 60_000, interval: 200 }).toEqual({
      deliveries: 3,
      attempts: expect.any(Number) as number,
      lines: 0,
      counts: 0,
      audit: 0,
      runs: 0,
    })
    await expect
      .poll(
        () =>
          count(sql`select count(*)::int as count from alerts a
        where created_at < now() - interval '20 days' and not exists (select from deliveries where alert_id = a.id)`),
        patience,
      )
      .toBe(0)
    expect(await kept()).toEqual(before)
    expect((await verifyLedger(database.db)).differences).toEqual([])
    // Of each key that works its last day is there.
    expect(await count(lastUsed)).toBe(used)

    const page = await metrics.render()
    const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1])
    expect(
      valueOf('ratecard_retention_deleted_rows_total\\{table="request_lines"\\}'),
    ).toBeGreaterThanOrEqual(old.lines)
    expect(valueOf('ratecard_retention_oldest_seconds\\{table="request_lines"\\}')).toBeLessThan(
      5 * 86_400 + 60,
    )
    expect(valueOf('ratecard_retention_limit_seconds\\{table="request_lines"\\}')).toBe(5 * 86_400)
  })

  test('each step is bounded, and no request waits for it', async () => {
    for (const { table, stepRows } of listForgettings(config))
      expect(stepRows, table).toBeLessThanOrEqual(10_000)
    expect(finishedDeliveries.rowsMax).toBe(2_000)
    // A delivery that somebody holds, and one that is made meanwhile.
    await sql`update deliveries set created_at = now() - interval '21 days', state = 'delivered'
      where id in (select id from deliveries where state = 'delivered' order by created_at desc limit 5)`.execute(
      database.db,
    )
    await database.db.transaction().execute(async (held) => {
      await sql`select from deliveries where created_at < now() - interval '20 days' and state <> 'pending' limit 2 for update`.execute(
        held,
      )
      const [deliveries] = listForgettings(config)
      expect(await database.db.transaction().execute(deliveries!.step)).toBe(3)
    })
  })
})
