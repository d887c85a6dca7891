import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sources } from '../src/ingest/sources/index.ts'
import type { SourceReading, SourceRecord } from '../src/ingest/source-record.ts'
import { cardText } from '../src/catalog/rate-card.ts'
import { createFeeder } from '../test/support/feed-runs.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from '../test/support/price-files.ts'

// A month of LiteLLM's file, day after day, against a log of its history that others made. Each line of the log is
// published or has a reason why not. Nothing is published that the log does not have.

const database = useDatabase()
const feed = createFeeder(() => database.db)

/** A line of the log. */
interface Line {
  at: string
  kind: 'model_added' | 'model_removed' | 'price_field' | 'deprecation_date' | 'mode' | 'litellm_provider'
  model: string
  field?: string
  before?: unknown
  after?: unknown
}

interface Day {
  /** `2026-06-26T17`, UTC. */
  hour: string
  reading: SourceReading
  /** `category resource_id` of each row of each change. */
  published: Set<string>
  held: Set<string>
  /** Of earlier days. */
  heldBefore: Set<string>
}

describe.skipIf(priceDataDir === undefined)(skipTitle('14 days of a source'), () => {
  test('are told as its history has them', async () => {
    const days = await replay()
    const log = readLog(days[0]?.hour ?? '')
    const fates = new Map<string, number>()
    const count = (fate: string) => fates.set(fate, (fates.get(fate) ?? 0) + 1)
    const unexplained: unknown[] = []
    const matched = new Set<string>()

    for (const [index, day] of days.entries()) {
      const before = days[index - 1]
      if (!before) continue
      for (const line of log.filter(({ at }) => hourOf(at) === day.hour)) {
        const fate = fateOf(line, before, day)
        count(`${line.kind}: ${fate.why}`)
        if (fate.why === 'unexplained') unexplained.push(line)
        if (fate.row !== undefined) matched.add(`${day.hour} ${fate.row}`)
      }
      for (const row of day.published) {
        if (matched.has(`${day.hour} ${row}`)) continue
        const why = whyUnlogged(row, before, day)
        count(`published and not logged: ${why}`)
        if (why === 'unexplained') unexplained.push(`${day.hour} ${row}`)
      }
    }
    console.log(
      [...fates]
        .sort()
        .map(([fate, times]) => `${times} × ${fate}`)
        .join('\n'),
    )
    expect(unexplained).toEqual([])
    expect(log.length).toBe(188)
  })
})

async function replay(): Promise<Day[]> {
  const days: Day[] = []
  for (const name of readdirSync(join(priceDataDir ?? '', 'litellm/daily')).sort()) {
    const hour = name.slice('model_prices_'.length, 'model_prices_2026-06-26T17'.length)
    const text = priceFile(`litellm/daily/${name}`)
    const observedAt = `${hour}:59:59Z`
    const reading = sources.litellm.read({ text, now: new Date(observedAt) })
    const run = await feed(observedAt, text)
    const changes = await database.db
      .selectFrom('changes')
      .select(['category', 'diff_keys', 'product'])
      .where('run_id', '=', run.run_id)
      .execute()
    const published = changes.flatMap(({ category, diff_keys }) =>
      (JSON.parse(diff_keys ?? '[]') as string[]).map(
        (key) => `${category} ${key.slice(0, key.lastIndexOf('#'))}`,
      ),
    )
    days.push({
      hour,
      reading,
      published: new Set(published),
      held: new Set(run.held.map((hold) => hold.resource_id)),
      heldBefore: new Set(days.flatMap(({ held }) => [...held])),
    })
  }
  return days
}

function readLog(firstHour: string): Line[] {
  return priceFile('litellm/change_events_2025-02-06_2026-07-24.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line)
    .filter(({ at }) => hourOf(at) > firstHour)
}

function hourOf(at: string): string {
  return new Date(at).toISOString().slice(0, 13)
}

function fateOf(line: Line, before: Day, day: Day): { why: string; row?: string } {
  const was = rowOf(before.reading, line.model)
  const is = rowOf(day.reading, line.model)
  const row = is ?? was
  if (!row) {
    const refused = day.reading.rejected.find(({ id }) => id === line.model)
    return {
      why: refused
        ? `refused: ${refused.reason.replace(/resource as \S+,/, 'resource as another,')}`
        : 'unexplained',
    }
  }
  const categories = {
    model_added: ['model_added'],
    model_removed: ['model_removed'],
    price_field: ['price_cut', 'price_rise', 'tier_change', 'metadata'],
    deprecation_date: ['deprecation'],
    mode: ['metadata', 'price_cut', 'price_rise'],
    litellm_provider: ['metadata', 'model_added'],
  }[line.kind]
  for (const category of categories) {
    if (day.published.has(`${category} ${row.resource_id}`))
      return { why: 'published', row: `${category} ${row.resource_id}` }
  }
  if (day.held.has(row.resource_id)) return { why: 'held' }
  if (was && is && line.kind === 'mode' && was.modality === is.modality)
    return { why: 'another mode of the same modality' }
  if (row.platform === 'openrouter') return { why: 'of a router whose own list was not read' }
  return { why: 'unexplained' }
}

function whyUnlogged(row: string, before: Day, day: Day): string {
  const [category = '', id = ''] = [row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ') + 1)]
  const was = before.reading.records.find((record) => record.resource_id === id)
  const is = day.reading.records.find((record) => record.resource_id === id)
  if (!was || !is) return 'unexplained'
  if (day.heldBefore.has(id)) return 'the source has stood by a large move'
  if (category === 'metadata' && was.source_url !== is.source_url) return 'another link'
  if (category === 'tier_change' && cardText(was.rates) !== cardText(is.rates)) return 'another rate card'
  return 'unexplained'
}

function rowOf(reading: SourceReading, model: string): SourceRecord | undefined {
  return reading.records.find((record) => record.source_key === model)
}
