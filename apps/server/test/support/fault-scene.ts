import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Db } from '../../src/database/connect.ts'
import { verifyLedger } from '../../src/features/metering/verify-ledger.ts'
import { priceRecord, storePrices, type Customer } from './actors.ts'
import { request } from './client.ts'
import type { Answer } from './contract-check.ts'
import { useDatabaseClock } from './database-clock.ts'
import { becomeReady, countStatuses, patience, startLoad, type Load, type Outcome } from './load.ts'
import { useDatabase } from './postgres.ts'
import { startServer, type ServerProcess } from './process.ts'
import { openProxy, type TcpProxy } from './tcp-proxy.ts'

// A server whose connection to the database can be cut. Each file that imports this has a database of its own.

export const database = useDatabase()
const clock = useDatabaseClock(database)

/** Longest a request may wait for its 503, longest it may wait for anything, and longest a recovery may take. */
const refusalMs = 2_500
export const answerMs = 5_000
export const recoveryMs = 5_000

export const env = { SECRETS_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'warn' }
export const webhook = { url: 'https://hooks.acme.example/x', secret: 'sixteen-or-more-characters' }

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })]))
beforeEach(() => clock.run('2031-03-05T12:00:00Z'))
afterEach(async () => expect((await verifyLedger(database.db)).differences).toEqual([]))

/** A ready server that reaches the database through a proxy. */
export async function startBehindProxy(): Promise<{ server: ServerProcess; proxy: TcpProxy }> {
  const proxy = await openProxy(database.url)
  const url = new URL(proxy.url)
  url.searchParams.set('application_name', 'under-test')
  const server = await startServer({ ...env, DATABASE_URL: url.href })
  await becomeReady([server])
  return { server, proxy }
}

/** Sends a request and returns how long the answer took. */
export async function timed(send: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startMs = performance.now()
  const answer = await send()
  return { answer, ms: performance.now() - startMs }
}

export function expectUnavailable({ answer, ms }: { answer: Answer; ms: number }): void {
  expect(answer.status).toBe(503)
  expect(answer.body).toMatchObject({ error: 'service_unavailable', status: 503 })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(5)
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  expect(ms).toBeLessThan(refusalMs)
}

/** Half of the clients read prices, half delete an unknown webhook: a statement alone, and a transaction. */
export function startMixedLoad(server: ServerProcess, key: string): Load {
  return startLoad(mixedWorkers, (worker) =>
    worker % 2 === 0
      ? request(server.url, '/v1/prices', { key })
      : request(server.url, '/v1/webhooks/wh_none', { key, method: 'DELETE' }),
  )
}
export const mixedWorkers = 8

export async function chargedTo({ keyId }: Customer, db: Db = database.db): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where quota_subject = ${keyId}`.execute(
    db,
  )
  return rows[0]?.units ?? 0
}

export const statusesOf = (outcomes: readonly Outcome[]) =>
  countStatuses(outcomes.map(({ answer }) => answer))

/** Only answers and 503s, none of them late. The charge equals the answers, except for those that were cut off. */
export async function expectSound(
  customer: Customer,
  outcomes: readonly Outcome[],
  cutOff: number,
): Promise<void> {
  const { 200: read = 0, 404: deleted = 0, 503: unavailable = 0, ...others } = statusesOf(outcomes)
  expect(others).toEqual({})
  expect(unavailable).toBeGreaterThan(0)
  expect(Math.max(...outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs))).toBeLessThan(answerMs)
  const charged = await chargedTo(customer)
  expect(charged).toBeGreaterThanOrEqual(read + deleted)
  expect(charged - read - deleted).toBeLessThanOrEqual(cutOff)
}

/** Waits until the load gets answers again, of both kinds. */
export async function expectRecovery(load: Load, limitMs: number): Promise<void> {
  const sinceMs = performance.now()
  const count = (status: number) =>
    load.outcomes.filter(({ answer, startedMs }) => startedMs > sinceMs && answer?.status === status).length
  await expect.poll(() => Math.min(count(200), count(404)), patience).toBeGreaterThan(5)
  const first = (status: number) =>
    load.outcomes.find(({ answer, startedMs }) => startedMs > sinceMs && answer?.status === status)
  for (const status of [200, 404])
    expect((first(status)?.endedMs ?? Infinity) - sinceMs).toBeLessThan(limitMs)
}

/** Alive, and without an unexpected error. */
export function expectUnharmed(server: ServerProcess): void {
  expect(server.child.exitCode).toBeNull()
  expect(server.child.signalCode).toBeNull()
  const lines = server.log().trim().split('\n').filter(Boolean)
  // Warnings alone: a line that is no JSON would be Node's own, of an exception or a rejection.
  const isWarning = (line: string) =>
    line.startsWith('{') && (JSON.parse(line) as { level: number }).level === 40
  expect(lines.filter((line) => !isWarning(line))).toEqual([])
}
