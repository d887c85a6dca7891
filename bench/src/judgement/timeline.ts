import { sql } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { runFeed } from '../../../apps/server/src/ingest/run/run-feed.ts'
import { UserError } from '../../../apps/server/src/platform/user-error.ts'
import { amountColumns, type AmountColumn } from '../../../apps/server/src/catalog/price-record.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { forgetful, openCluster } from '../frame/database.ts'
import { stop } from '../frame/options.ts'
import { keyOf, type Content } from './evidence.ts'

type FeedRun = Omit<Parameters<typeof runFeed>[1], 'input' | 'alerts'> & { content: Content }

/** Reads a source. `failed`: the file was not the source's at all. */
export async function readFeed(db: Db, { content, ...run }: FeedRun) {
  try {
    const report = await runFeed(db, { ...run, input: content, alerts: null })
    return { id: report.run_id, outcome: report.outcome, message: report.message, changes: report.changes }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { id: null, outcome: 'failed', message: error.message, changes: [] } as const
  }
}

/** The folder of the real files. */
export function requireFiles(): string {
  return process.env.PRICE_DATA_DIR || stop('Set PRICE_DATA_DIR to the folder of the real price files.')
}

/** A database that is filled once, and a copy of it for each scenario: half a minute for all files, half a second for a copy. */
export async function openFilled(fill: (db: Db) => Promise<void>) {
  const cluster = await openCluster(forgetful)
  const open = async (name: string, like?: string) =>
    connect({ connectionString: await cluster.createDatabase(name, like), connectionsMax: 1 })
  const db = await open('filled')
  await migrate(db)
  await fill(db)
  await sql`analyze`.execute(db)
  await db.destroy()
  let copies = 0
  return {
    /** Opens a copy, and drops it afterwards. */
    within: async <Result>(work: (db: Db) => Promise<Result>): Promise<Result> => {
      const name = `copy_${(copies += 1)}`
      const copy = await open(name, 'filled')
      const result = await work(copy).finally(() => copy.destroy())
      await cluster.dropDatabase(name)
      return result
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

// What happens in a scenario, step by step, and what is served and told meanwhile.

const dayZero = Date.parse('2026-08-22T00:00:00Z')

/**
 * @param day of the scenario: on day 0 all files are known
 * @param hour of the day, in UTC
 */
export function instantOf(day: number, hour: number): string {
  return new Date(dayZero + day * 86_400_000 + hour * 3_600_000).toISOString()
}

export type Step =
  | { at: string; source: SourceName; content: Content }
  /** The end of a day: what is served is written down. */
  | { at: string; snapshot: true }

export interface Run {
  id: string | null
  source: SourceName
  at: string
  outcome: string
  message: string | null
}

export type ServedAmounts = Readonly<Record<AmountColumn, string | null>>

export interface Served {
  at: string
  amounts: ReadonlyMap<string, ServedAmounts>
  /** The amounts of the rate cards. */
  rates: ReadonlyMap<string, readonly number[]>
}

export interface Told {
  category: string
  severity: number
  title: string
  /** The place of its run among the runs. */
  run: number
  /** The fields that moved, by `keyOf` of the resources. */
  before: ReadonlyMap<string, Record<string, unknown>>
  after: ReadonlyMap<string, Record<string, unknown>>
}

export type Played = Awaited<ReturnType<typeof play>>

export async function play(db: Db, steps: readonly Step[]) {
  const earlier = new Set((await db.selectFrom('changes').select('id').execute()).map(({ id }) => id))
  const runs: Run[] = []
  const days: Served[] = []
  for (const step of steps) {
    if ('snapshot' in step) days.push(await servedAt(db, step.at))
    else {
      const { source, at, content } = step
      const { id, outcome, message } = await readFeed(db, { source, content, observedAt: at })
      runs.push({ id, source, at, outcome, message })
    }
  }
  const placeOf = new Map(runs.map(({ id }, index) => [id, index]))
  const byKey = (side: Side) => new Map(Object.entries(side).map(([id, fields]) => [keyOf(id), fields]))
  const told = (await readChanges(db))
    .filter(({ id }) => !earlier.has(id))
    .map(({ run_id, before, after, ...change }): Told => {
      return { ...change, run: placeOf.get(run_id) ?? -1, before: byKey(before), after: byKey(after) }
    })
  return { runs, days, told }
}

type Side = Record<string, Record<string, string | number | null>>

/** Published changes, the oldest first, and the rows that moved, by resource. */
export async function readChanges(db: Db, ids?: readonly string[]) {
  const all = db
    .selectFrom('changes')
    .select(['id', 'category', 'severity', 'status', 'title', 'run_id', 'diff_before', 'diff_after'])
    .orderBy('updated_at')
  const changes = await (ids ? all.where('id', 'in', ids) : all).execute()
  const sideOf = (text: string | null) => JSON.parse(text ?? '{}') as Side
  return changes.map(({ diff_before, diff_after, ...change }) => {
    return { ...change, before: sideOf(diff_before), after: sideOf(diff_after) }
  })
}

async function servedAt(db: Db, at: string): Promise<Served> {
  const rows = await db
    .selectFrom('prices')
    .select(['resource_id', ...amountColumns])
    .execute()
  const cards = await db.selectFrom('rate_cards').select(['resource_id', 'amount']).execute()
  const byKey = Map.groupBy(cards, ({ resource_id }) => keyOf(resource_id))
  return {
    at,
    amounts: new Map(rows.map(({ resource_id, ...amounts }) => [keyOf(resource_id), amounts])),
    rates: new Map([...byKey].map(([key, all]) => [key, all.map(({ amount }) => Number(amount))])),
  }
}
