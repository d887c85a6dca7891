import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '../src/database/connect.ts'
import { readFeedState } from '../src/ingest/publish/feed-store.ts'
import type { RunReport } from '../src/ingest/publish/run-report.ts'
import { newestFiles, priceDataDir, skipTitle } from '../test/support/price-files.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { expectSound, firstDay, lastDay, read, readAll, readNewest, type File } from './six-files.ts'

// Six real files in whatever order: what is served, and how it differs from the files.

interface Order {
  name: string
  database: { db: Db }
  files: readonly File[]
}

const seed = Number(process.env.ORDER_SEED ?? 15)
const [inOtherOrder] = fc.sample(fc.shuffledSubarray([...newestFiles], { minLength: newestFiles.length }), {
  seed,
  numRuns: 1,
})
const orders: readonly Order[] = [
  { name: 'forward', database: useDatabase(), files: newestFiles },
  { name: 'reverse', database: useDatabase(), files: newestFiles.toReversed() },
  { name: `shuffled by ${seed}`, database: useDatabase(), files: inOtherOrder! },
]

describe.skipIf(priceDataDir === undefined)(skipTitle('six files in any order'), () => {
  test(
    'give the same prices, cards, products, verdicts, holds and changes',
    { timeout: 900_000 },
    async () => {
      const [first, ...others] = orders as [Order, ...Order[]]
      // Each file at its own date, and all again. Where a source outvotes what people could read, that is corrected.
      const dated: RunReport[] = []
      for (const { at, ...file } of newestFiles) dated.push(await read(first.database.db, file, at))
      const corrections = dated.flatMap(({ changes }) => changes)
      console.log(`${corrections.length} corrections by sources that came weeks after the others`)
      expect(corrections.filter(({ category }) => category !== 'correction')).toEqual([])
      await readAll(first.database.db, first.files, firstDay)
      // The others on that day for the first time: what is new to us is no news.
      for (const { name, database, files } of others) {
        const loads = await readAll(database.db, files, firstDay)
        expect([name, loads.flatMap(({ changes }) => changes)]).toEqual([name, []])
      }
      // What came the day before is new beside the others for a day, where the files came one after the other.
      await expectSame(others)

      // The same again, on the same day and in another order, writes nothing.
      const [{ database, files }] = others as [Order]
      const written = await versionsOf(database.db)
      await readAll(database.db, files.toReversed(), `${firstDay}T12`)
      expect(await versionsOf(database.db)).toEqual(written)

      // Twelve days later all that waits for time is decided.
      for (const { database, files } of orders) await readAll(database.db, files, lastDay)
      await expectSame(orders)
      const [second] = others as [Order]
      const told = await changesOf(second.database.db, lastDay)
      console.log(`${told.length} changes of ${lastDay}, in every order of that day`)
      for (const { name, database } of others)
        expect([name, await changesOf(database.db, lastDay)]).toEqual([name, told])
      const newest = await readNewest()
      for (const { name, database } of orders) await expectSound(name, database.db, newest)
    },
  )
})

async function expectSame([first, ...others]: readonly Order[]): Promise<void> {
  const state = await stateOf(first!.database.db)
  console.log(`${state.size} prices, cards, verdicts and holds, in every order`)
  for (const { name, database } of others)
    expect([name, differing(state, await stateOf(database.db))]).toEqual([name, []])
}

/**
 * What is served and why, line by line: every served column (`effective_at` as a source dates it), rate cards, standings
 * with vendor's word and denial, and what waits. The wall clock of a write (`updated_at`) and when a source was first
 * read are the order itself, and left out.
 */
async function stateOf(db: Db): Promise<Map<string, string>> {
  const { served, cards, standings, holds } = await readFeedState(db)
  return new Map([
    ...[...served].map(([id, record]) => [`price ${id}`, JSON.stringify(record)] as const),
    ...[...cards].map(([id, rates]) => [`card ${id}`, JSON.stringify(rates)] as const),
    ...[...standings].map(([key, standing]) => [`standing ${key}`, JSON.stringify(standing)] as const),
    ...holds.map(({ source, resource_id, reason, before, after }) => {
      return [`hold ${source} ${resource_id}`, JSON.stringify([reason, before, after])] as const
    }),
  ])
}

function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): unknown[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].flatMap((name) =>
    one.get(name) === other.get(name) ? [] : [[name, one.get(name), other.get(name)]],
  )
}

/** What a day's changes mean: their kind, product and rows. */
async function changesOf(db: Db, day: string): Promise<string[]> {
  const changes = await db
    .selectFrom('changes')
    .innerJoin('feed_runs', 'feed_runs.id', 'changes.run_id')
    .select(['category', 'status', 'product', 'diff_keys', 'diff_before', 'diff_after', 'verified'])
    .where(sql<string>`observed_at::date::text`, '=', day)
    .execute()
  return changes.map((change) => JSON.stringify(Object.values(change))).sort()
}

/** The version of every row that a run may write. */
async function versionsOf(db: Db): Promise<string[]> {
  const tables = ['prices', 'price_versions', 'rate_cards', 'price_standings', 'feed_claims', 'claim_versions', 'feed_holds', 'scheduled_prices', 'changes'] // prettier-ignore
  const versions = tables.map(async (table) => {
    const { rows } = await sql<{ version: string }>`
      select count(*)::text || ' ' || coalesce(md5(string_agg(xmin::text || ctid::text, ',' order by ctid)), '') as version
      from ${sql.table(table)}`.execute(db)
    return `${table} ${rows[0]!.version}`
  })
  return Promise.all(versions)
}
