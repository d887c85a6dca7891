import { Counter, type Registry } from 'prom-client'
import { labelledGauge, readGauge, sharing } from './gauge.ts'

/** Where a price source stands; `id` is its name. */
interface SourceFigures {
  id: string
  /** Of the last run that was taken in; null: none was. */
  rows: number | null
  held: number
  age_seconds: number
  /** Since the newest day that the loaded data states; null: it states none. */
  data_age_seconds: number | null
  unknown_fields: readonly unknown[]
}

/** What independent sources say of what is served. */
interface ConfirmationFigures {
  priced: number
  confirmed: number
  outvoted: number
}

interface FeedSources {
  /** The sources that are read from time to time. */
  schedule: readonly { source: string; everyMs: number }[]
  sources: () => Promise<SourceFigures[]>
  confirmation: () => Promise<ConfirmationFigures>
}

const runOutcomes = ['applied', 'refused', 'failed']

/** Of the database, so every worker has the same: `max` makes them one. */
export function createFeedFigures(registry: Registry) {
  const registers = [registry]
  const feedRuns = new Counter({
    name: 'ratecard_feed_runs_total',
    help: 'Runs of price sources by scheduled workers, by outcome: applied, refused, or failed.',
    labelNames: ['source', 'outcome'],
    registers,
  })
  let watched: FeedSources | null = null
  const ofSources = (name: string, help: string, pickValue: (figures: SourceFigures) => number | null) =>
    labelledGauge(registry, {
      name,
      help,
      labels: ['source'],
      aggregator: 'max',
      rows: async () => (await watched?.sources()) ?? [],
      listValues: (figures) => [{ labels: { source: figures.id }, value: pickValue(figures) }],
    })
  ofSources('ratecard_feed_rows', 'Rows of the source as it was last taken in.', ({ rows }) => rows)
  ofSources('ratecard_feed_held', 'Price moves of the source that wait for a review.', ({ held }) => held)
  ofSources(
    'ratecard_feed_age_seconds',
    'Time since the last run of the source.',
    (figures) => figures.age_seconds,
  )
  ofSources(
    'ratecard_feed_data_age_seconds',
    'Time since the newest day that the loaded data of the source states. None where it states no day.',
    (figures) => figures.data_age_seconds,
  )
  ofSources(
    'ratecard_feed_unknown_fields',
    'Fields of the source with prices that its importer does not know.',
    (figures) => figures.unknown_fields.length,
  )
  labelledGauge(registry, {
    name: 'ratecard_feed_interval_seconds',
    help: 'Time from one scheduled run of the source to the next.',
    labels: ['source'],
    aggregator: 'max',
    rows: () => watched?.schedule ?? [],
    listValues: ({ source, everyMs }) => [{ labels: { source }, value: everyMs / 1_000 }],
  })
  const ofAll = (name: string, help: string, pickValue: (figures: ConfirmationFigures) => number) =>
    readGauge(registry, {
      name,
      help,
      aggregator: 'max',
      async read() {
        // A process without a worker has no such figure: 0 would be one.
        const figures = await watched?.confirmation()
        return figures ? pickValue(figures) : null
      },
    })
  ofAll('ratecard_feed_prices', 'Served prices with an input or output amount.', ({ priced }) => priced)
  ofAll(
    'ratecard_feed_confirmed_prices',
    'Of ratecard_feed_prices: those whose input and output two independent sources state.',
    ({ confirmed }) => confirmed,
  )
  ofAll(
    'ratecard_feed_outvoted_amounts',
    'Served amounts that two or more agreeing independent sources deny.',
    ({ outvoted }) => outvoted,
  )
  return {
    /** @param outcome `applied`, `held`, `refused`, or `failed` for a source that could not be read */
    countFeedRun(source: string, outcome: string): void {
      feedRuns.inc({ source, outcome })
    },
    /** Where the figures of price sources come from, once a worker runs here. */
    watchFeed({ schedule, sources, confirmation }: FeedSources): void {
      watched = { schedule, sources: sharing(sources), confirmation: sharing(confirmation) }
      for (const { source } of schedule)
        for (const outcome of runOutcomes) feedRuns.inc({ source, outcome }, 0)
    },
  }
}
