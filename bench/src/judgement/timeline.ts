import type { Db } from '../../../apps/server/src/database/connect.ts'
import { amountColumns, type AmountColumn } from '../../../apps/server/src/features/prices/price-record.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { keyOf, type Content } from './evidence.ts'
import { readFeed, type Subject } from './rooms.ts'

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
  /** What time alone decides. */
  | { at: string; due: true }
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
  status: string | null
  title: string
  /** The place of its run among the runs; -1: time alone brought it. */
  run: number
  /** The fields that moved, by `keyOf` of the resources. */
  before: ReadonlyMap<string, Record<string, unknown>>
  after: ReadonlyMap<string, Record<string, unknown>>
}

export interface Played {
  runs: Run[]
  days: Served[]
  told: Told[]
}

export async function play(db: Db, subject: Subject, steps: readonly Step[]): Promise<Played> {
  const earlier = new Set((await db.selectFrom('changes').select('id').execute()).map(({ id }) => id))
  const runs: Run[] = []
  const days: Served[] = []
  for (const step of steps) {
    if ('snapshot' in step) days.push(await servedAt(db, step.at))
    else if ('due' in step) await subject.runDue(db, { observedAt: step.at, alerts: null })
    else {
      const { source, at, content } = step
      const { id, outcome, message } = await readFeed(subject, db, { source, content, observedAt: at })
      runs.push({ id, source, at, outcome, message })
    }
  }
  const changes = await db.selectFrom('changes').selectAll().orderBy('updated_at').execute()
  const placeOf = new Map(runs.map(({ id }, index) => [id, index]))
  const told = changes
    .filter(({ id }) => !earlier.has(id))
    .map(({ category, severity, status, title, run_id, diff_before, diff_after }): Told => {
      const run = placeOf.get(run_id) ?? -1
      return { category, severity, status, title, run, before: side(diff_before), after: side(diff_after) }
    })
  return { runs, days, told }
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

/** A side of a change's diff is an object of rows by resource, in JSON. */
function side(text: string | null): Map<string, Record<string, unknown>> {
  const rows = JSON.parse(text ?? '{}') as Record<string, Record<string, unknown>>
  return new Map(Object.entries(rows).map(([id, fields]) => [keyOf(id), fields]))
}
