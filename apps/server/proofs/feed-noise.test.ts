import { describe, expect, test } from 'vitest'
import { amountColumns, type AmountColumn } from '../src/catalog/price-record.ts'
import type { Rate } from '../src/catalog/rate-card.ts'
import { agreeOn } from '../src/ingest/amounts.ts'
import { resourceKey } from '../src/ingest/match/names.ts'
import { feedPolicy } from '../src/ingest/policy.ts'
import { findOrigin } from '../src/ingest/match/precedence.ts'
import { sources, type SourceName } from '../src/ingest/sources/index.ts'
import type { SourceRecord } from '../src/ingest/source-record.ts'
import { soleMakers } from '../src/ingest/match/taxonomy.ts'
import { rateName } from '../src/ingest/changes/wording/moves.ts'
import { createFeeder } from '../test/support/feed-runs.ts'
import { useDatabase } from '../test/support/postgres.ts'
import {
  litellmStates,
  newestFiles,
  priceDataDir,
  priceFile,
  skipTitle,
} from '../test/support/price-files.ts'
import { expectSound, firstDay, lastDay, readAll, readNewest } from './six-files.ts'

// All states of a real list, one after the other, as a subscriber receives them: how many alerts, how many of them
// the later states and the other lists bear out, and how many say where to go instead.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const alertMin = 3
/** A mistake is taken back sooner than a vendor changes a price again. */
const takenBackDays = 30

interface State {
  at: string
  path: string
}

/** The rows of a source at a time, by resource key. */
interface Reading {
  at: string
  source: string
  rows: Map<string, SourceRecord>
}

interface Alert {
  runAt: string
  category: string
  title: string
  deadline: string | null
  before: Record<string, Record<string, unknown>>
  after: Record<string, Record<string, unknown>>
  notes: (string | null)[]
  diffs: (number | null)[]
}

describe.skipIf(priceDataDir === undefined)(skipTitle('what subscribers are told of'), () => {
  test(
    'two years of litellm: few alerts, true ones, and with an alternative',
    { timeout: 900_000 },
    async () => {
      await prove('litellm', litellmStates())
    },
  )

  test(
    'then the newest files of all six: each amount of them is served, denied or held',
    { timeout: 900_000 },
    async () => {
      // A run that waited is taken, and then there is time to stand by what was said.
      await readAll(database.db, newestFiles, firstDay)
      const runs = await readAll(database.db, newestFiles, lastDay)
      expect(runs.map(({ outcome }) => outcome)).toEqual(newestFiles.map(() => 'applied'))
      await expectSound('two years', database.db, await readNewest())
    },
  )
})

async function prove(source: SourceName, states: readonly State[]): Promise<void> {
  const readings: Reading[] = []
  const alerts: Alert[] = []
  for (const { at, path } of states) {
    const text = priceFile(path)
    readings.push(await readingOf(source, at, text))
    const run = await feed(at, text, { source })
    alerts.push(...(await alertsOf(run.run_id, at)))
  }
  const others = await otherReadings(source)
  const falseOnes = alerts.filter((alert) => !isTrue(alert, readings, others))
  const days = (Date.parse(states.at(-1)!.at) - Date.parse(states[0]!.at)) / 86_400_000
  const ofMakers = alerts.filter((alert) =>
    idsOf(alert).some((id) => Object.hasOwn(soleMakers, platformOf(id))),
  )
  const reasons = alerts.filter(givesReason)
  const answered = reasons.filter(({ notes }) => notes.length > 0)
  const silent = answered.filter(({ notes, diffs }) => diffs.some((diff, index) => (diff ?? 0) > 100 && !notes[index]?.includes('times as much'))) // prettier-ignore
  const share = (part: readonly unknown[], all: readonly unknown[]) =>
    `${part.length} of ${all.length} (${((100 * part.length) / all.length).toFixed(1)} %)`
  const byCategory = [...Map.groupBy(alerts, ({ category }) => category)].map(
    ([name, all]) => `${all.length} ${name}`,
  )
  console.log(
    [
      `${source}: ${states.length} states, ${days.toFixed(0)} days, ${alerts.length} alerts: ${byCategory.join(', ')}`,
      `borne out: ${share(
        alerts.filter((alert) => !falseOnes.includes(alert)),
        alerts,
      )}`,
      ...falseOnes.map(({ title }) => `  not borne out: ${title}`),
      `of the makers' own platforms: ${ofMakers.length}, one in ${(days / ofMakers.length).toFixed(1)} days`,
      ...ofMakers.map(({ title }) => `  ${title}`),
      `with an alternative, of those that give a reason to move: ${share(answered, reasons)}`,
    ].join('\n'),
  )
  expect(falseOnes.length).toBeLessThanOrEqual(0.05 * alerts.length)
  expect(ofMakers.length).toBeLessThanOrEqual(days / 5)
  expect(answered.length).toBeGreaterThanOrEqual(0.8 * reasons.length)
  expect(silent).toEqual([])
}

async function readingOf(source: SourceName, at: string, text: string): Promise<Reading> {
  const { records } = await sources[source].read({ text, now: new Date(at) })
  return { source, at, rows: new Map(records.map((record) => [resourceKey(record.resource_id), record])) }
}

/** Whether one of the rates that moved has its amount of before again. */
function isCardBack(rates: readonly Rate[], alert: Alert, id: string): boolean {
  const [was, is] = [alert.before[id]?.['rates'] ?? {}, alert.after[id]?.['rates'] ?? {}] as Record<
    string,
    number
  >[]
  const now = new Map(rates.map((rate) => [`${rateName(rate)} per ${rate.unit}`, Number(rate.amount)]))
  return [...new Set([...Object.keys(was!), ...Object.keys(is!)])].some(
    (label) => now.get(label) === was![label],
  )
}

/** The newest state of every other list that is one file of text. */
async function otherReadings(source: SourceName): Promise<Reading[]> {
  const others = newestFiles.filter((other) => other.source !== source && !other.path.endsWith('.tar.gz'))
  return Promise.all(others.map((other) => readingOf(other.source, other.at, priceFile(other.path))))
}

async function alertsOf(runId: string | null, runAt: string): Promise<Alert[]> {
  const { db } = database
  const changes = await db
    .selectFrom('changes')
    .select(['id', 'category', 'title', 'diff_before', 'diff_after'])
    .select('migration_deadline as deadline')
    .where('run_id', '=', runId)
    .where('severity', '>=', alertMin)
    .execute()
  if (changes.length === 0) return []
  const alternatives = await db
    .selectFrom('change_alternatives')
    .select(['change_id', 'notes', 'cost_diff_pct'])
    .where(
      'change_id',
      'in',
      changes.map(({ id }) => id),
    ) // prettier-ignore
    .execute()
  return changes.map(({ id, category, title, deadline, diff_before, diff_after }) => {
    const own = alternatives.filter(({ change_id }) => change_id === id)
    return {
      runAt,
      category,
      title,
      deadline: deadline === null ? null : String(deadline),
      before: JSON.parse(diff_before ?? '{}') as Alert['before'],
      after: JSON.parse(diff_after ?? '{}') as Alert['after'],
      notes: own.map(({ notes }) => notes),
      diffs: own.map(({ cost_diff_pct }) => (cost_diff_pct === null ? null : Number(cost_diff_pct))),
    }
  })
}

function idsOf({ before, after }: Alert): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
}

function platformOf(id: string): string {
  return id.slice(0, id.indexOf(':'))
}

function givesReason({ category, deadline }: Alert): boolean {
  return (
    category === 'price_rise' ||
    category === 'model_removed' ||
    (category === 'deprecation' && deadline !== null)
  )
}

/** Whether no later state takes it back, and no two independent lists still deny it. */
function isTrue(alert: Alert, readings: readonly Reading[], others: readonly Reading[]): boolean {
  const limit = Date.parse(alert.runAt) + takenBackDays * 86_400_000
  const later = readings.filter(({ at }) => at > alert.runAt && Date.parse(at) <= limit)
  return idsOf(alert).every((id) => {
    const key = resourceKey(id)
    const laterRows = later.flatMap(({ rows }) => rows.get(key) ?? [])
    if (alert.category === 'model_removed') return laterRows.length === 0
    if (alert.category === 'deprecation') return laterRows.every(({ retires_on }) => retires_on !== null)
    if (alert.category === 'tier_change') return laterRows.every((row) => !isCardBack(row.rates, alert, id))
    const moved = amountColumns.filter(
      (column) => alert.before[id]?.[column] != null && alert.after[id]?.[column] != null,
    )
    const isNewest = agreesWith(readings.at(-1)!, key, moved, alert.after[id])
    return moved.every((column) => {
      const [was, is] = [alert.before[id]![column], alert.after[id]![column]].map(String) as [string, string]
      if (laterRows.some((row) => agreeOn(row[column], was, feedPolicy))) return false
      // What has moved again since cannot be held against lists of today.
      return !isNewest || !isDenied(key, column, { was, is }, others)
    })
  })
}

function agreesWith(
  reading: Reading,
  key: string,
  columns: readonly AmountColumn[],
  stated?: Record<string, unknown>,
): boolean {
  const row = reading.rows.get(key)
  return (
    row !== undefined && columns.every((column) => agreeOn(row[column], String(stated?.[column]), feedPolicy))
  )
}

/** Two independent lists state the amount before, and fewer the one after. */
function isDenied(
  key: string,
  column: AmountColumn,
  move: { was: string; is: string },
  others: readonly Reading[],
): boolean {
  const origins = (amount: string) =>
    new Set(
      others.flatMap(({ source, rows }) => {
        const row = rows.get(key)
        return row && agreeOn(row[column], amount, feedPolicy) ? [findOrigin(source, row.platform)] : []
      }),
    ).size
  return origins(move.was) > 1 && origins(move.is) < origins(move.was)
}
