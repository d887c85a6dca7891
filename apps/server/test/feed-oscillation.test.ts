import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { redecide } from '../src/ingest/run/redecide.ts'
import { repeatRun } from '../src/ingest/run/run-feed.ts'
import { readSource } from '../src/ingest/run/read-source.ts'
import { createFeeder, litellmFile } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// Whichever run asks, the same claims give the same prices: a price must not go A, B, A, B with the runs of two sources.

const database = useDatabase()
const feed = createFeeder(() => database.db)
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const hour = (hours: number) => new Date(Date.parse('2026-10-01T00:00:00Z') + hours * 3_600_000).toISOString()
const origin = { url: 'https://prices.example/data.json', etag: null, lastModified: null }
const installed = (at: string) => feed(at, '', { source: 'genai-prices', input: {} })
const byAddress = (at: string) => feed(at, '', { source: 'genai-prices', input: {}, origin })

/** A row of the installed list as LiteLLM states it, its amounts times a factor. */
async function installedRow(): Promise<{ id: string; file: (factor: number) => string }> {
  const { records } = await readSource('genai-prices', { now: new Date(hour(0)) })
  const row = records.find(({ resource_id }) => resource_id === 'openai:gpt-4o')!
  const file = (factor: number) =>
    litellmFile(
      {
        'gpt-4o': {
          input: Number(row.input_per_mtok) * factor,
          output: Number(row.output_per_mtok) * factor,
          cached: Number(row.cached_input_per_mtok) * factor,
        },
      },
      'openai',
    )
  return { id: row.resource_id, file }
}

/** Two days of a list that moved, and of the installed one, every six hours. */
async function play(first: (at: string) => Promise<unknown>): Promise<{ served: string[]; told: number }> {
  const { id, file } = await installedRow()
  await first(hour(0))
  await feed(hour(1), file(1), { origin })
  const served: string[] = []
  for (let at = 24; at < 72; at += 6) {
    await feed(hour(at), file(0.7), { origin })
    served.push(await inputOf(id))
    await repeatRun(database.db, { source: 'genai-prices', observedAt: hour(at), alerts: null })
    served.push(await inputOf(id))
    expect(await redecide(database.db, { observedAt: hour(at), dryRun: true })).toMatchObject({ changed: [] })
  }
  const { rows } = await sql<{ told: number }>`
    select count(*)::int as told from changes where category in ('price_cut', 'price_rise')`.execute(
    database.db,
  )
  return { served, told: rows[0]!.told }
}

describe('a price of which two sources differ', () => {
  const readings: [string, (at: string) => Promise<unknown>][] = [
    ['the installed list beside one by address', installed],
    ['a list by address, then the repeats of a worker that names none', byAddress],
  ]
  test.each(readings)('moves at most once, and is told at most once: %s', async (_, first) => {
    const { served, told } = await play(first)
    const moves = served.filter((amount, place) => place > 0 && amount !== served[place - 1])
    expect(moves.length).toBeLessThanOrEqual(1)
    expect(told).toBeLessThanOrEqual(1)
  })
})

async function inputOf(id: string): Promise<string> {
  const { rows } = await sql<{ input: string }>`
    select trim_scale(input_per_mtok)::text as input from prices where resource_id = ${id}`.execute(
    database.db,
  )
  return rows[0]!.input
}
