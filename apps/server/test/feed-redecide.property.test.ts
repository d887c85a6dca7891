import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readFeedState } from '../src/ingest/publish/feed-store.ts'
import { judgeAll } from '../src/ingest/judge/judge-all.ts'
import { feedPolicy } from '../src/ingest/policy.ts'
import { redecide } from '../src/ingest/run/redecide.ts'
import { repeatRun } from '../src/ingest/run/run-feed.ts'
import { runDue } from '../src/ingest/run/due.ts'
import { UserError } from '../src/platform/user-error.ts'
import { createFeeder, litellmFile, manyModels, type Model } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// What is served is a function of the claims and the moment, whichever run asks: random days of three lists.

const database = useDatabase()
const feed = createFeeder(() => database.db)
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const sources = ['litellm', 'genai-prices', 'models.dev'] as const
type Source = (typeof sources)[number]

/** The same models in the form of each list. */
const forms: Record<Source, (models: Record<string, Model>) => string> = {
  litellm: (models) => litellmFile(models),
  'genai-prices': (models) =>
    JSON.stringify([
      {
        id: 'acme',
        models: Object.entries(models).map(([id, { input, output, cached }]) => ({
          id,
          prices: { input_mtok: input, output_mtok: output, cache_read_mtok: cached },
        })),
      },
    ]),
  'models.dev': (models) =>
    JSON.stringify({
      acme: {
        id: 'acme',
        models: Object.fromEntries(
          Object.entries(models).map(([id, { input, output, cached }]) => [
            id,
            { id, cost: { input, output, cache_read: cached } },
          ]),
        ),
      },
    }),
}

const amount = fc.constantFrom(1, 1.2, 2, 2, 2, 4, 20)
const model = fc.record({ input: amount, output: amount, cached: fc.option(amount, { nil: undefined }) })
const file = fc.record({ alpha: model, beta: fc.option(model, { nil: undefined }) })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('file' as const), source: fc.constantFrom(...sources), file }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), source: fc.constantFrom(...sources) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('broken' as const), source: fc.constantFrom(...sources) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('flood' as const), source: fc.constantFrom(...sources) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('due' as const) }) },
)
const days = fc.array(
  fc.record({ step, hours: fc.constantFrom(1, 6, 25, 90, 200, 300), byAddress: fc.boolean() }),
  { minLength: 4, maxLength: 14 },
)

type Played = (typeof days extends fc.Arbitrary<infer T> ? T : never)[number]

const one = { input: 1, output: 1, cached: undefined } as const
/** A list drops a row that another still has, incredibly, and the other's next file is refused a fortnight later. */
const goneWhileRefused: Played[] = [
  {
    step: { kind: 'file', source: 'models.dev', file: { alpha: one, beta: undefined } },
    hours: 1,
    byAddress: false,
  },
  { step: { kind: 'flood', source: 'models.dev' }, hours: 1, byAddress: false },
  {
    step: { kind: 'file', source: 'litellm', file: { alpha: { ...one, input: 4 }, beta: undefined } },
    hours: 1,
    byAddress: false,
  },
  { step: { kind: 'flood', source: 'models.dev' }, hours: 200, byAddress: false },
  { step: { kind: 'broken', source: 'litellm' }, hours: 300, byAddress: false },
]

/** The same histories for the same program; REDECIDE_SEED and REDECIDE_RUNS play others and more. */
const { REDECIDE_SEED: seed = '26', REDECIDE_RUNS: runs = '10' } = process.env

const url = 'https://prices.example/data.json'

test(
  'deciding again decides nothing, and the order of the claims is nothing',
  { timeout: 600_000 },
  async () => {
    const property = fc.asyncProperty(days, async (played) => {
      await sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs,
      feed_sources, feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(
        database.db,
      )
      let nowMs = Date.parse('2026-03-01T00:00:00Z')
      const told: string[] = []
      for (const { step, hours, byAddress } of played) {
        nowMs += hours * 3_600_000
        const at = new Date(nowMs).toISOString()
        told.push(...(await play(step, at, byAddress)))
        expect(await redecide(database.db, { observedAt: at, dryRun: true })).toMatchObject({
          changed: [],
          left: [],
        })
        await expectNoOrder(at)
      }
      // One move of one row is told once: nobody hears of a price twice.
      expect(told.length).toBe(new Set(told).size)
    })
    await fc.assert(property, { seed: Number(seed), numRuns: Number(runs), examples: [[goneWhileRefused]] })
  },
)

/** @returns the price moves that are told: the row, and what its input and output became */
async function play(step: Played['step'], at: string, byAddress: boolean): Promise<string[]> {
  const origin = { url, etag: null, lastModified: null }
  const more = byAddress ? { origin } : {}
  if (step.kind === 'due') return movesIn(await runDue(database.db, { observedAt: at, alerts: null }))
  const { source } = step
  try {
    if (step.kind === 'repeat')
      return movesIn(await repeatRun(database.db, { source, observedAt: at, alerts: null, ...more }))
    if (step.kind === 'broken') return movesIn(await feed(at, '<html>', { source, ...more }))
    const models = step.kind === 'flood' ? manyModels(60) : { alpha: step.file.alpha, ...beta(step.file) }
    return movesIn(await feed(at, forms[source](models), { source, ...more }))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // A refused file decides nothing; what time has brought since the last decision comes with the next due run.
    return movesIn(await runDue(database.db, { observedAt: at, alerts: null }))
  }
}

function beta({ beta }: { beta: Model | undefined }): Record<string, Model> {
  return beta === undefined ? {} : { beta }
}

async function movesIn({
  changes,
}: {
  changes: { id: string | null; category: string }[]
}): Promise<string[]> {
  const ids = changes.flatMap(({ id, category }) =>
    category.startsWith('price_') && id !== null ? [id] : [],
  )
  if (ids.length === 0) return []
  const rows = await database.db.selectFrom('changes').select('diff_after').where('id', 'in', ids).execute()
  return rows.flatMap(({ diff_after }) =>
    Object.entries(JSON.parse(diff_after ?? '{}') as Record<string, object>).map(
      ([id, fields]) => `${id} ${JSON.stringify(fields)}`,
    ),
  )
}

async function expectNoOrder(at: string): Promise<void> {
  const { claims } = await readFeedState(database.db)
  const verdictsOf = (some: typeof claims) =>
    [...judgeAll(some, at, feedPolicy)].sort(([a], [b]) => (a < b ? -1 : 1))
  expect(verdictsOf(claims.toReversed())).toEqual(verdictsOf(claims))
}
