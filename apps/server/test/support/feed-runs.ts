import type { Db } from '../../src/database/connect.ts'
import { feedPolicy } from '../../src/ingest/policy.ts'
import { runFeed, type FeedRunOptions } from '../../src/ingest/run/run-feed.ts'
import type { RunReport } from '../../src/ingest/publish/run-report.ts'

/** A model as litellm's file has it, in USD per million tokens. */
export interface Model {
  input?: number
  output?: number
  cached?: number | undefined
  /** Other fields of the file's entry. */
  more?: Record<string, unknown>
}

/** A file in litellm's form, of models of the seller `acme`. */
export function litellmFile(models: Record<string, Model>, provider = 'acme'): string {
  const perToken = (usdPerMtok: number | undefined) =>
    usdPerMtok === undefined ? undefined : Number((usdPerMtok / 1_000_000).toPrecision(12))
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(models).map(([name, { input, output, cached, more }]) => [
        `${provider}/${name}`,
        {
          litellm_provider: provider,
          mode: 'chat',
          input_cost_per_token: perToken(input),
          output_cost_per_token: perToken(output),
          cache_read_input_token_cost: perToken(cached),
          ...more,
        },
      ]),
    ),
  )
}

/** `count` models of one price, `m0` and so on. */
export function manyModels(count: number, model: Model = { input: 2, output: 8 }): Record<string, Model> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, model]))
}

/** Feeds texts of sources to a database, by a clock of its own. */
export function createFeeder(db: () => Db, options: Partial<FeedRunOptions> = {}) {
  return async (at: string, text: string, more: Partial<FeedRunOptions> = {}): Promise<RunReport> =>
    runFeed(db(), {
      source: 'litellm',
      input: { text },
      observedAt: at,
      alerts: null,
      policy: feedPolicy,
      ...options,
      ...more,
    })
}

/** The published changes of a run, in short: `price_cut acme:m1`. */
export function publishedBy({ changes }: RunReport): string[] {
  return changes.map(({ category, product }) => `${category} ${product}`).sort()
}
