import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { revokeApiKey } from '../src/features/accounts/api-key-store.ts'
import { deleteAged } from '../src/database/aged-rows.ts'
import {
  deleteExcessLines,
  oldCounts,
  oldLines,
  recordRequests,
  requestsKept,
} from '../src/features/metering/request-store.ts'
import { useApi } from './support/api.ts'
import { createKey, priceRecord, storePrices } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { signInNew, type Browser } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)
// Two servers, as there are several processes.
const [one, other] = [useApi(database), useApi(database)]
const noon = '2031-06-15T12:00:00Z'

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  await clock.run(noon)
})

const logOf = async (browser: Browser, query = '') => {
  const { status, body } = await browser.get(`/requests${query}`)
  expect(status).toBe(200)
  return body as Schemas['RequestLog']
}
const writtenWithin = { timeout: 60_000, interval: 200 }

/** The log, once so many requests are in it. */
async function logWith(browser: Browser, requests: number): Promise<Schemas['RequestLog']> {
  await expect
    .poll(
      async () => (await logOf(browser)).outcomes.reduce((sum, outcome) => sum + outcome.requests, 0),
      writtenWithin,
    )
    .toBe(requests)
  return logOf(browser)
}

describe('the request log', () => {
  test('has every request of the account at every process: served, refused, and with a key that has ended', async () => {
    const { browser, accountId } = await signInNew(one, 'Ada')
    const { browser: stranger } = await signInNew(one, 'Mallory')
    const key = await createKey(database.db, accountId)
    const ended = await createKey(database.db, accountId)
    await revokeApiKey(database.db, ended.id)
    const ids: string[] = []
    for (const api of [one, other]) {
      for (const [path, status] of [
        // The second one takes the fast path.
        ['/v1/prices?vendor=acme', 200],
        ['/v1/prices?vendor=acme', 200],
        ['/v1/prices?token=hunter2', 400],
        ['/v1/changes', 403],
        ['/v1/usage', 200],
      ] as const) {
        const answer = await api.request(path, { key: key.key })
        expect(answer.status).toBe(status)
        ids.push(answer.headers.get('x-request-id') ?? '')
      }
      expect((await api.request('/v1/prices', { key: ended.key })).status).toBe(401)
    }
    await sql`update usage_days set plan_used = 100 where quota_subject = ${key.id}`.execute(database.db)
    // By either way: one is recognised, one is not.
    for (const path of ['/v1/prices?vendor=acme', '/v1/prices?vendor=nobody'])
      expect((await one.request(path, { key: key.key })).status).toBe(429)

    const log = await logWith(browser, 14)
    expect(log).toMatchObject({ listed: 14, days: 7, partial_hours: [] })
    expect(log.outcomes).toEqual([
      { status: 200, error: null, requests: 6 },
      { status: 400, error: 'invalid_request', requests: 2 },
      { status: 401, error: 'unauthorized', requests: 2 },
      { status: 403, error: 'forbidden', requests: 2 },
      { status: 429, error: 'quota_exceeded', requests: 2 },
    ])
    expect(log.data.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(log.data.map(({ at }) => at)).toEqual(
      log.data
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    )
    // Two servers write by clocks of their own: which line is the last is not known.
    expect(log.data.find(({ status }) => status === 429)).toMatchObject({
      key_id: key.id,
      key_name: 'test',
      key_last_four: key.last_four,
      operation: 'listPrices',
      status: 429,
      error: 'quota_exceeded',
    })
    expect(log.data.map(({ target }) => target)).toContain('/v1/prices?token=…')
    expect(log.data.filter(({ key_id }) => key_id === ended.id)).toHaveLength(2)

    const { data } = (await browser.get('/overview')).body as { data: Schemas['Overview'] }
    expect(data.refused_today.find(({ status }) => status === 429)).toEqual({
      status: 429,
      error: 'quota_exceeded',
      requests: 2,
    })
    expect((await logOf(stranger)).outcomes).toEqual([])
    expect((await stranger.get(`/requests?key_id=${key.id}`)).status).toBe(404)
  })

  test('is filtered by outcome, endpoint and key, and read page by page', async () => {
    const { browser, accountId } = await signInNew(one, 'Barbara')
    const [a, b] = [await createKey(database.db, accountId), await createKey(database.db, accountId)]
    for (let n = 0; n < 3; n += 1) await one.request('/v1/prices', { key: a.key })
    await one.request('/v1/prices', { key: b.key })
    await one.request('/v1/changes', { key: b.key })
    await logWith(browser, 5)
    const counts = async (query: string) => {
      const { data, listed } = await logOf(browser, query)
      expect(data).toHaveLength(listed)
      return listed
    }
    expect(await counts('?status=served')).toBe(4)
    expect(await counts('?status=refused')).toBe(1)
    expect(await counts('?status=failed')).toBe(0)
    expect(await counts('?status=403')).toBe(1)
    expect(await counts('?operation=listChanges')).toBe(1)
    expect(await counts(`?key_id=${a.id}`)).toBe(3)
    expect(await counts(`?key_id=${b.id}&status=served`)).toBe(1)

    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page += 1) {
      const { data, pagination } = await logOf(browser, `?limit=2${cursor}`)
      seen.push(...data.map(({ id }) => id))
      cursor = `&cursor=${pagination?.next_cursor}`
      expect(pagination === undefined).toBe(page === 2)
    }
    expect(new Set(seen).size).toBe(5)
    for (const query of ['?status=200x', '?status=teapot', '?operation=drop', '?limit=101'])
      expect((await browser.get(`/requests${query}`)).status).toBe(400)
  })

  test('of many requests at once lists some, counts all, and says so', async () => {
    const { browser, accountId } = await signInNew(one, 'Carla')
    const { key } = await createKey(database.db, accountId)
    for (let n = 0; n < 70; n += 1) expect((await one.request('/v1/changes', { key })).status).toBe(403)
    const log = await logWith(browser, 70)
    expect(log.listed).toBeLessThan(70)
    expect(log.partial_hours).toEqual([
      { hour: '2031-06-15T12:00:00.000000Z', requests: 70, listed: log.listed },
    ])
  })

  test('goes with its account', async () => {
    const { browser, accountId } = await signInNew(one, 'Dora')
    const { key } = await createKey(database.db, accountId)
    await one.request('/v1/prices', { key })
    await logWith(browser, 1)
    expect((await browser.post('/delete-account', { password: 'correct horse battery' })).status).toBe(200)
    // One that is noted now, of a key that has ended, has no account to go to.
    await one.request('/v1/prices', { key })
    await expect.poll(() => rowsOf(accountId), writtenWithin).toBe(0)
  })
})

async function rowsOf(accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from request_lines where account_id = ${accountId})
      + (select count(*) from request_counts where account_id = ${accountId}) as count`.execute(database.db)
  return Number(rows[0]?.count)
}

test('a database that does not take the log loses lines, and no request', async () => {
  const { browser, accountId } = await signInNew(other, 'Eve')
  const { key } = await createKey(database.db, accountId)
  await database.db.transaction().execute(async (trx) => {
    await sql`lock table request_counts in access exclusive mode`.execute(trx)
    for (let n = 0; n < 5; n += 1) expect((await other.request('/v1/prices', { key })).status).toBe(200)
    const lost = async () => (await other.metrics.requestsUnrecorded.get()).values[0]?.value ?? 0
    await expect.poll(lost, writtenWithin).toBeGreaterThanOrEqual(5)
  })
  expect((await other.request('/v1/prices', { key })).status).toBe(200)
  await expect.poll(() => rowsOf(accountId), writtenWithin).toBeGreaterThan(0)
  expect((await logOf(browser)).outcomes).toMatchObject([{ status: 200, requests: 1 }])
})

describe('old requests', () => {
  const line = (keyId: string, id: string, ageMs: number) => ({
    id,
    key_id: keyId,
    key_hash: undefined,
    operation: 'listPrices',
    target: '/v1/prices',
    status: 200,
    error: '',
    duration_ms: 1,
    age_ms: ageMs,
  })

  test('are forgotten after some days, and the oldest of very many sooner', async () => {
    const { browser, accountId } = await signInNew(one, 'Frida')
    const { id: keyId } = await createKey(database.db, accountId)
    const day = 86_400_000
    const count = (requests: number, age_ms: number) => ({
      key_id: keyId,
      key_hash: undefined,
      operation: 'listPrices',
      status: 200,
      error: '',
      requests,
      age_ms,
    })
    await recordRequests(
      database.db,
      [count(1, 8 * day), count(2, 6 * day), count(3, 0)],
      [line(keyId, 'req_old', 8 * day), line(keyId, 'req_young', 6 * day)],
    )
    expect(await deleteAged(database.db, oldLines, 7)).toBe(1)
    expect(await deleteAged(database.db, oldCounts, 7)).toBe(1)
    const log = await logOf(browser)
    expect(log.data.map(({ id }) => id)).toEqual(['req_young'])
    expect(log.outcomes).toMatchObject([{ requests: 5 }])

    await sql`
      insert into request_lines
      select ${accountId}, ratecard_now() - n * interval '1 second', 'req_' || n, ${keyId}, 'listPrices', '/v1/prices', 200, '', 1
      from generate_series(1, ${requestsKept.lines + 500}::int) n`.execute(database.db)
    await deleteExcessLines(database.db)
    expect((await logOf(browser)).listed).toBe(requestsKept.lines)
    expect((await logOf(browser, '?limit=1')).data).toMatchObject([{ id: 'req_1' }])
  })
})
