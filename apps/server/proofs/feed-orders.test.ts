import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '../src/database/connect.ts'
import { amountColumns } from '../src/catalog/price-record.ts'
import { agreeOn } from '../src/ingest/amounts.ts'
import type { FeedState } from '../src/ingest/changes/feed-state.ts'
import { readFeedState } from '../src/ingest/publish/feed-store.ts'
import { resourceKey } from '../src/ingest/match/names.ts'
import { feedPolicy } from '../src/ingest/policy.ts'
import { findOwnList } from '../src/ingest/match/precedence.ts'
import { readSource } from '../src/ingest/run/read-source.ts'
import { redecide } from '../src/ingest/run/redecide.ts'
import { runFeed } from '../src/ingest/run/run-feed.ts'
import type { RunReport } from '../src/ingest/publish/run-report.ts'
import type { SourceReading } from '../src/ingest/source-record.ts'
import type { SourceName } from '../src/ingest/sources/index.ts'
import { readConfirmation } from '../src/ingest/review/status.ts'
import {
  litellmStates,
  newestFiles,
  priceDataDir,
  priceInput,
  skipTitle,
} from '../test/support/price-files.ts'
import { useDatabase } from '../test/support/postgres.ts'

// Six real files in whatever order, and two years of one of them: what is served, and how it differs from the files.

interface File {
  source: SourceName
  path: string
}

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
const replayed = useDatabase()

// The day after the newest file, and the day by which a source has stood by whatever it says.
const firstDay = '2026-08-22'
const lastDay = '2026-09-03'
const lastInstant = `${lastDay}T12:00:00Z`

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

  test(
    'after two years of states of one: each amount of the newest files is served, denied or held',
    { timeout: 900_000 },
    async () => {
      const others = newestFiles.filter(({ source }) => source !== 'litellm')
      const states = litellmStates().map((state) => ({ source: 'litellm' as const, ...state }))
      const timeline = [...states, ...others].sort((a, b) => (a.at < b.at ? -1 : 1))
      const runs: RunReport[] = []
      for (const { at, ...file } of timeline) runs.push(await read(replayed.db, file, at))
      // A run that waited is taken, and then there is time to stand by what was said.
      for (const day of [firstDay, lastDay]) runs.push(...(await readAll(replayed.db, newestFiles, day)))
      const outcomes = [...Map.groupBy(runs, ({ outcome }) => outcome)]
      console.log(outcomes.map(([outcome, some]) => `${some.length} runs ${outcome}`).join(', '))
      expect(runs.slice(-newestFiles.length).map(({ outcome }) => outcome)).toEqual(
        newestFiles.map(() => 'applied'),
      )
      await expectSound('two years', replayed.db, await readNewest())
    },
  )
})

function read(db: Db, { source, path }: File, observedAt: string): Promise<RunReport> {
  return runFeed(db, { source, input: priceInput(path), observedAt, alerts: null })
}

/** One file a minute from 6 o'clock, or from the given hour, on. */
async function readAll(db: Db, files: readonly File[], day: string): Promise<RunReport[]> {
  const runs: RunReport[] = []
  const hour = day.includes('T') ? day : `${day}T06`
  for (const [minute, file] of files.entries()) runs.push(await read(db, file, `${hour}:0${minute}:00Z`))
  return runs
}

async function readNewest(): Promise<Map<string, SourceReading>> {
  const readings = newestFiles.map(async ({ source, path }) => {
    const reading = await readSource(source, { ...priceInput(path), now: new Date(lastInstant) })
    return [source, reading] as const
  })
  return new Map(await Promise.all(readings))
}

/** Few served amounts are outvoted, the claims decide again what is served, and nothing that a file states is lost. */
async function expectSound(name: string, db: Db, newest: ReadonlyMap<string, SourceReading>) {
  const { priced, confirmed, outvoted } = await readConfirmation(db)
  console.log(`${name}: ${confirmed} of ${priced} prices are confirmed, ${outvoted} amounts are outvoted`)
  // A list that moved lately outweighs those that have not looked since: a few amounts are denied by two.
  expect(outvoted, name).toBeLessThan(priced / 200)
  const again = await redecide(db, { dryRun: true, observedAt: lastInstant })
  expect([name, again.changed, again.left]).toEqual([name, [], []])
  expect([name, unexplained(await readFeedState(db), newest)]).toEqual([name, []])
}

/** Amounts of the newest files that are neither served, nor among what the evidence says is denied, nor held. */
function unexplained(
  { standings, served, holds }: FeedState,
  newest: ReadonlyMap<string, SourceReading>,
): string[] {
  const held = new Set(holds.map(({ source, resource_id }) => `${source} ${resource_id}`))
  return [...newest].flatMap(([source, { records }]) =>
    records.flatMap((record) => {
      const standing = standings.get(resourceKey(record.resource_id))
      const ownList = findOwnList(record.platform)
      // What its platform's own list lacks does not exist.
      if (standing === undefined) return ownList === null ? [`${source} ${record.resource_id}`] : []
      if (held.has(`${source} ${record.resource_id}`)) return []
      const row = served.get(standing.resource_id)!
      return amountColumns.flatMap((column) => {
        const stated = record[column]
        const denied = standing.evidence[column]?.denied_by[source]
        const isTold = stated === null || agreeOn(stated, row[column], feedPolicy) || denied !== undefined
        return isTold ? [] : [`${source} ${record.resource_id} ${column} ${stated} ${row[column]}`]
      })
    }),
  )
}

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
