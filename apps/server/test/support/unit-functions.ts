import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { hashApiKey } from '../../src/features/accounts/api-key.ts'
import type { Loss } from '../../src/features/metering/lost-commits.ts'
import {
  readOutcome,
  releaseArguments,
  reserveArguments,
  type BatchOutcome,
  type Release,
  type UnitItem,
} from '../../src/features/metering/unit-store.ts'
import { verifyLedger } from '../../src/features/metering/verify-ledger.ts'
import { useDatabaseClock } from './database-clock.ts'
import { useDatabase } from './postgres.ts'

// What the tests of the database's functions that count units share.

export const limits = { free: 7, developer: 20, scale: 40, team: 60, enterprise: 80 }
export const startMs = Date.parse('2031-03-05T21:00:00Z')
export const instant = (ms: number) => new Date(ms).toISOString()
/** For batchers in front of a database that forgets nothing. */
export const onLoss = ({ what }: Loss) => expect.unreachable(what)
export const hashOf = (key: string) => hashApiKey(key).toString('hex')

async function call(client: pg.Client, name: string, values: unknown[]): Promise<string | null> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await client.query<{ result: string | null }>(
    `select ${name}(${parameters})::text as result`,
    values,
  )
  return rows[0]?.result ?? null
}

interface Batch {
  batcher: string
  number: number
}

export const reserve = async (
  client: pg.Client,
  batch: Batch | null,
  items: UnitItem[],
): Promise<BatchOutcome> =>
  readOutcome((await call(client, 'reserve_units', reserveArguments(batch, limits, items))) ?? '')
export const release = (client: pg.Client, batch: Batch, releases: Release[]) =>
  call(client, 'release_units', releaseArguments(batch, releases))
export const recover = (client: pg.Client, { batcher, number }: Batch) =>
  call(client, 'recover_batch', [batcher, number])

export const item = ({ key }: { key: string }, values: Partial<UnitItem> = {}): UnitItem => ({
  keyHash: hashOf(key),
  endpoint: 'prices',
  plans: 31,
  version: null,
  want: 1,
  ...values,
})

export const unitsOf = ({ items }: BatchOutcome) =>
  items.reduce((sum, got) => {
    if (typeof got === 'string') return sum
    const others = [...got.gapUnits, ...got.packUnits]
    return sum + got.planUnits + others.reduce((units, part) => units + part.units, 0)
  }, 0)

/** All that a batch got, to be given back. */
export const releasesOf = (outcome: BatchOutcome, items: readonly UnitItem[]): Release[] =>
  outcome.items.flatMap((got, index) => {
    if (typeof got === 'string') return []
    const { quotaSubject, keyId } = got
    const common = { quotaSubject, keyId, day: outcome.day, endpoint: items[index]?.endpoint ?? 'prices' }
    const plan = [...got.gapUnits, { last: got.planUsed, units: got.planUnits }].filter(
      ({ units }) => units > 0,
    )
    return [
      ...plan.map((part) => ({ ...common, packId: null, ...part })),
      ...got.packUnits.map((part) => ({ ...common, ...part, last: null })),
    ]
  })

/** The database of the file and its clock. */
export function useUnitFunctions() {
  const database = useDatabase()
  const clock = useDatabaseClock(database)

  /** A connection of its own, to the end of the test. */
  async function openClient(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  async function chargedTo(...keyIds: string[]): Promise<number> {
    const { rows } = await sql<{ units: number }>`
      select coalesce(sum(units), 0)::int as units from usage_entries where key_id = any (${keyIds})`.execute(
      database.db,
    )
    return rows[0]?.units ?? 0
  }

  /** Resolves once a statement waits for a lock of another transaction. */
  const somebodyWaits = () =>
    expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
        return rows[0]?.waiting
      })
      .toBe(1)

  const expectClean = async () => expect((await verifyLedger(database.db)).differences).toEqual([])

  return { chargedTo, clock, database, expectClean, openClient, somebodyWaits }
}
