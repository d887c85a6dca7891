import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ScheduledFeed } from '../src/ingest/run/schedule.ts'
import { startFeed } from '../src/jobs/feed.ts'
import type { Polling } from '../src/jobs/poll.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createLogger } from '../src/platform/logger.ts'
import { openQueue, type Queue } from '../src/queue/queue.ts'
import { testRunner } from './support/feed-runner.ts'
import { useDatabase } from './support/postgres.ts'
import { litellmFile, startPriceSite, type PriceSite } from './support/price-site.ts'

// Workers that read sources by themselves, on a real queue.

const database = useDatabase()
const inTime = { timeout: 50_000, interval: 50 }
const file = litellmFile({ 'gpt-9': [2, 8] })

let site: PriceSite
let running: Polling[] = []
let queues: Queue[] = []

beforeEach(async () => {
  site = await startPriceSite(20)
  site.serve(file)
})
afterEach(async () => {
  await Promise.all(running.map((feed) => feed.stop()))
  await Promise.all(queues.map((queue) => queue.stop()))
  running = []
  queues = []
  await site.close()
  await sql`delete from pgboss.job`.execute(database.db)
  await sql`truncate feed_runs, feed_sources, feed_claims, claim_versions, price_standings, feed_holds, prices cascade`.execute(
    database.db,
  )
})

async function openTestQueue(): Promise<Queue> {
  const logger = createLogger('silent')
  const options = { connectionString: database.url, jobTimeoutSeconds: 30, logger, supervise: true }
  const queue = await openQueue(options)
  queues.push(queue)
  return queue
}

/** Reads these sources as a worker does. Returns its log. */
async function work(...feeds: ScheduledFeed[]): Promise<{ log: Record<string, unknown>[]; feed: Polling }> {
  const log: Record<string, unknown>[] = []
  const logger = createLogger('info', {
    write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>),
  })
  const queue = await openTestQueue()
  const feed = await startFeed({
    db: database.db,
    queue,
    feeds,
    runner: testRunner(database),
    clock: systemClock,
    logger,
  })
  running.push(feed)
  return { log, feed }
}

const litellm = (everyMs: number): ScheduledFeed => ({ source: 'litellm', url: site.url, everyMs })
const queued = async () => {
  const { rows } = await sql<{ key: string; seconds: number }>`
    select singleton_key as key, extract(epoch from start_after - now())::float8 as seconds
    from pgboss.job where name = 'feed' order by 1`.execute(database.db)
  return Object.fromEntries(rows.map(({ key, seconds }) => [key, seconds]))
}

test('a new source is run soon, again at its interval, and only for news; what came of it is logged', async () => {
  const { log } = await work(litellm(1_000))
  await expect.poll(() => site.statuses, inTime).toEqual([200, 304])
  site.serve(litellmFile({ 'gpt-9': [1.5, 8] }))
  await expect.poll(() => site.statuses.slice(2), inTime).toContain(200)
  await expect.poll(() => log.filter(({ changed }) => changed === 1), inTime).toHaveLength(1)
  expect(log[0]).toMatchObject({ msg: 'feed run', source: 'litellm', outcome: 'applied', rows: 1, added: 1 })
  expect(log.find(({ changed }) => changed === 1)).toMatchObject({
    changes: 1,
    held: 0,
    gone: 0,
    rejected: 0,
  })
})

test('several workers run a source once at a time', async () => {
  await Promise.all([work(litellm(1_000)), work(litellm(1_000)), work(litellm(1_000))])
  await expect.poll(() => site.statuses.length, inTime).toBeGreaterThanOrEqual(3)
  expect(site.atOnceMax()).toBe(1)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select observed_at - lag(observed_at) over (order by observed_at) as apart from feed_runs
    ) as runs where apart < interval '900 milliseconds'`.execute(database.db)
  expect(rows[0]?.count).toBe(0)
})

test('a run that fails is logged with its reason, and the next comes at its time', async () => {
  site.serve(404)
  const { log } = await work(litellm(1_000))
  await expect.poll(() => log, inTime).not.toHaveLength(0)
  expect(log[0]).toMatchObject({ level: 40, msg: 'feed run failed', source: 'litellm' })
  expect(log[0]?.reason).toBe(`Cannot read ${site.url}: it answers 404.`)
  site.serve(file)
  await expect.poll(() => log.at(-1), inTime).toMatchObject({ msg: 'feed run', outcome: 'applied' })
})

test('a host is asked one thing at a time, by however many workers', async () => {
  const models = { source: 'models.dev', url: site.url, everyMs: 1_000 } as const
  await Promise.all([work(litellm(1_000), models), work(litellm(1_000), models)])
  await expect.poll(() => site.statuses.length, inTime).toBeGreaterThanOrEqual(6)
  expect(site.atOnceMax()).toBe(1)
})

test('a source that fails again and again is asked less and less often', async () => {
  site.serve(404)
  await work(litellm(1_000))
  await expect.poll(() => site.statuses.length, inTime).toBe(4)
  await expect.poll(async () => (await queued()).litellm, inTime).toBeGreaterThan(5)
  site.serve(file)
  await expect.poll(() => site.statuses.slice(4, 6), inTime).toEqual([200, 304])
})

test('the run of a worker that was killed is taken up by another', async () => {
  const { feed } = await work(litellm(3_600_000))
  await feed.stop()
  const queue = await openTestQueue()
  await queue.arrange('feed', {
    ...{ key: 'litellm', group: 'litellm' },
    ...{ data: { task: 'litellm' }, dueAt: new Date() },
  })
  await expect
    .poll(() => queue.fetch('feed', { jobsMax: 1, perGroupMax: 1, ignoreGroups: ['dated prices'] }), inTime)
    .toMatchObject([{ data: { task: 'litellm' } }])
  const before = site.statuses.length
  await work(litellm(3_600_000))
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`.execute(
    database.db,
  )
  await expect.poll(() => site.statuses.length, inTime).toBe(before + 1)
})

test('a source that is no longer asked for is not run, and a shorter interval holds at once', async () => {
  const first = await work(litellm(3_600_000))
  await expect.poll(() => site.statuses, inTime).toEqual([200])
  await expect.poll(async () => (await queued()).litellm, inTime).toBeGreaterThan(3_500)
  await first.feed.stop()

  const second = await work(litellm(1_000))
  await expect.poll(() => site.statuses.length, inTime).toBeGreaterThanOrEqual(2)
  await second.feed.stop()

  const count = site.statuses.length
  await work()
  await expect.poll(async () => Object.keys(await queued()), inTime).toEqual(['dated prices'])
  expect(site.statuses).toHaveLength(count)
})

test('dated prices are looked at soon, and again within the hour', async () => {
  await work()
  await expect.poll(async () => (await queued())['dated prices'], inTime).toBeGreaterThan(0)
  await expect.poll(async () => (await queued())['dated prices'] ?? 0, inTime).toBeGreaterThan(20)
  expect((await queued())['dated prices']).toBeLessThanOrEqual(3_600)
})
