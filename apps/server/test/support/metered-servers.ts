import { randomBytes } from 'node:crypto'
import type { Usage } from '@ratecard/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { listPacks } from '../../src/features/metering/pack-store.ts'
import { verifyLedger } from '../../src/features/metering/verify-ledger.ts'
import { priceRecord, storePrices } from './actors.ts'
import { request, type RequestOptions } from './client.ts'
import type { Answer } from './contract-check.ts'
import { useDatabaseClock } from './database-clock.ts'
import { becomeReady } from './load.ts'
import { useDatabase, type TestDatabase } from './postgres.ts'
import { startServer, type ServerProcess } from './process.ts'
import { until } from './until.ts'

// What the tests of counting share: three processes on one database, whose clock the test sets.

/** The day on which each test begins. */
export const today = '2031-03-05'
export const nextMidnightSeconds = Date.parse('2031-03-06T00:00:00Z') / 1_000
export const remainingOf = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'))
export const isTopup = (answer: Answer) => answer.headers.get('x-ratelimit-topup') === 'true'
export const served = (answers: Answer[]) => answers.filter((answer) => answer.status === 200)
export const statusesOf = (answers: Answer[]) => answers.map((answer) => answer.status)
export const countdown = (from: number) => Array.from({ length: from }, (_, index) => from - 1 - index)
export const descending = (numbers: number[]) => numbers.sort((a, b) => b - a)

/** Three servers of the file. After each test the ledger agrees, and each pack was used in its order. */
export function useMeteredServers() {
  const database = useDatabase()
  const clock = useDatabaseClock(database)
  const serverCount = 3
  const servers: ServerProcess[] = []
  const ends: (() => Promise<void>)[] = []

  beforeAll(async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    await watchPackOrder(database)
    const env = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
    }
    const starting = Array.from({ length: serverCount }, () => startServer(env, [], (end) => ends.push(end)))
    servers.push(...(await Promise.all(starting)))
    await becomeReady(servers)
  })
  afterAll(() => Promise.all(ends.map((end) => end())))

  // Noon of a day far from today's: no test meets midnight by chance, and code that reads another clock fails.
  beforeEach(() => clock.run('2031-03-05T12:00:00Z'))

  afterEach(async () => {
    expect((await verifyLedger(database.db)).differences).toEqual([])
    const { rows } = await sql`select * from pack_uses_out_of_order`.execute(database.db)
    expect(rows).toEqual([])
  })

  /**
   * Sends a request to one of the processes, the n-th modulo their number. A process that a busy machine keeps from
   * answering in time says 503, which costs no unit: it is asked again, as clients do.
   */
  async function send(n: number, path: string, options: RequestOptions): Promise<Answer> {
    const server = servers[n % serverCount]
    if (!server) throw new Error('The servers are not up.')
    const ask = async () => {
      const answer = await request(server.url, path, options)
      return answer.status === 503 ? null : answer
    }
    return until('an answer', ask, { intervalMs: 500 })
  }

  /** The same request to every process, one after the other. */
  async function sendToEach(path: string, options: RequestOptions): Promise<Answer[]> {
    const answers = []
    for (let n = 0; n < serverCount; n += 1) answers.push(await send(n, path, options))
    return answers
  }

  /** So many price lists at once, spread over keys and processes. */
  function callAtOnce(count: number, ...keys: string[]): Promise<Answer[]> {
    return Promise.all(
      Array.from({ length: count }, (_, n) =>
        send(n, '/v1/prices', { key: keys[Math.floor(n / serverCount) % keys.length] ?? '' }),
      ),
    )
  }

  async function usageOf(key: string, n = 0): Promise<Usage> {
    const answer = await send(n, '/v1/usage', { key })
    expect(answer.status).toBe(200)
    return answer.body as Usage
  }

  async function remainingByPack(accountId: string): Promise<Record<string, number>> {
    const packs = await listPacks(database.db, accountId)
    return Object.fromEntries(packs.map((pack) => [pack.id, pack.remaining]))
  }

  return { database, clock, serverCount, send, sendToEach, callAtOnce, usageOf, remainingByPack }
}

/** Notes each unit taken from a pack, inside its transaction, while an older live pack still had one. */
async function watchPackOrder({ db }: TestDatabase): Promise<void> {
  await sql
    .raw(
      `create table pack_uses_out_of_order (pack_id text, passed_over text);
      create function note_pack_use() returns trigger language plpgsql as $$
      begin
        insert into pack_uses_out_of_order
          select new.id, older.id from packs older
          where older.account_id = new.account_id and older.remaining > 0
            and older.expires_at > ratecard_now()
            and (older.purchased_at, older.id) < (new.purchased_at, new.id);
        return null;
      end $$;
      create trigger note_pack_use after update of remaining on packs
        for each row execute function note_pack_use()`,
    )
    .execute(db)
}
