import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

interface AttemptFigures {
  errorClass: string | null
  durationSeconds: number
  /** From publication to the first attempt; null at later ones. */
  secondsToFirst: number | null
}

interface DeliverySources {
  inFlight: () => number
  readDue: () => Promise<{ count: number; oldestSeconds: number }>
}

/** Where a price source stands; `id` is its name. */
interface FeedFigures {
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

/** Labels are bounded: operations and statuses of the contract, never a key or an account. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'ratecard_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'ratecard_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const requestsInFlight = new Gauge({
    name: 'ratecard_http_requests_in_flight',
    help: 'Requests being worked on now, by what they ask: the API, the dashboard, or public pages.',
    labelNames: ['interface'],
    registers,
  })
  const requestsRecognised = new Counter({
    name: 'ratecard_http_requests_recognised_total',
    help: 'Requests answered from memory but for their reservation.',
    registers,
  })
  const requestsUnrecorded = new Counter({
    name: 'ratecard_http_requests_unrecorded_total',
    help: 'Requests that are missing in the request log of their account, and in its counts.',
    registers,
  })
  const attempts = new Counter({
    name: 'ratecard_delivery_attempts_total',
    help: 'Attempts to deliver an alert, by outcome: ok, or the class of the error.',
    labelNames: ['outcome'],
    registers,
  })
  const secretsUnreadable = new Counter({
    name: 'ratecard_delivery_secrets_unreadable_total',
    help: 'Attempts that were put off because SECRETS_KEY lacks the key of a webhook secret.',
    registers,
  })
  const attemptDurations = new Histogram({
    name: 'ratecard_delivery_attempt_duration_seconds',
    help: 'Time an attempt took.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  const firstAttempts = new Histogram({
    name: 'ratecard_delivery_first_attempt_seconds',
    help: 'Time from the publication of a change to the first attempt of its delivery.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  let sources: DeliverySources | null = null
  gauge(
    'ratecard_deliveries_in_flight',
    'Attempts in flight in this process.',
    () => sources?.inFlight() ?? 0,
  )
  // A database that does not answer has no figures: NaN says so, where the last ones would be taken for these.
  const readDue = async () =>
    (await sources?.readDue().catch(() => null)) ?? { count: NaN, oldestSeconds: NaN }
  gauge(
    'ratecard_deliveries_due',
    'Deliveries that should have been tried by now.',
    async () => (await readDue()).count,
  )
  gauge(
    'ratecard_deliveries_oldest_due_seconds',
    'How long the delivery that is due longest has been due.',
    async () => (await readDue()).oldestSeconds,
  )
  let whyNoDatabase: (() => Promise<string | null>) | null = null
  new Gauge({
    name: 'ratecard_database_up',
    help: 'Whether the database answers this process and takes its writes: 1, or 0.',
    registers,
    // Of several processes that are one server the worst.
    aggregator: 'min',
    async collect() {
      if (whyNoDatabase) this.set((await whyNoDatabase()) === null ? 1 : 0)
      else this.remove()
    },
  })
  const feedRuns = new Counter({
    name: 'ratecard_feed_runs_total',
    help: 'Runs of price sources by scheduled workers, by outcome: applied, held, refused, or failed.',
    labelNames: ['source', 'outcome'],
    registers,
  })
  let readFeed: (() => Promise<FeedFigures[]>) | null = null
  const feedGauge = (name: string, help: string, valueOf: (figures: FeedFigures) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      async collect() {
        this.reset()
        for (const figures of (await readFeed?.().catch(() => [])) ?? []) {
          const value = valueOf(figures)
          if (value !== null) this.set({ source: figures.id }, value)
        }
      },
    })
  feedGauge('ratecard_feed_rows', 'Rows of the source as it was last taken in.', ({ rows }) => rows ?? 0)
  feedGauge('ratecard_feed_held', 'Price moves of the source that wait for a review.', ({ held }) => held)
  feedGauge(
    'ratecard_feed_age_seconds',
    'Time since the last run of the source.',
    (figures) => figures.age_seconds,
  )
  feedGauge(
    'ratecard_feed_data_age_seconds',
    'Time since the newest day that the loaded data of the source states. None where it states no day.',
    (figures) => figures.data_age_seconds,
  )
  feedGauge(
    'ratecard_feed_unknown_fields',
    'Fields of the source with prices that its importer does not know.',
    (figures) => figures.unknown_fields.length,
  )
  let readConfirmation: (() => Promise<ConfirmationFigures>) | null = null
  const confirmationGauge = (name: string, help: string, valueOf: (figures: ConfirmationFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await readConfirmation?.().catch(() => null)
        if (figures) this.set(valueOf(figures))
        // A process without a worker has no such figure: 0 would be one.
        else this.remove()
      },
    })
  confirmationGauge(
    'ratecard_feed_prices',
    'Served prices with an input or output amount.',
    ({ priced }) => priced,
  )
  confirmationGauge(
    'ratecard_feed_confirmed_prices',
    'Of ratecard_feed_prices: those whose input and output two independent sources state.',
    ({ confirmed }) => confirmed,
  )
  confirmationGauge(
    'ratecard_feed_outvoted_amounts',
    'Served amounts that two or more agreeing independent sources deny.',
    ({ outvoted }) => outvoted,
  )
  return {
    observeRequest(operation: string, status: number, durationSeconds: number): void {
      requests.inc({ operation, status })
      durations.observe({ operation }, durationSeconds)
    },
    requestsInFlight,
    requestsRecognised,
    requestsUnrecorded,
    countUnreadableSecret: () => secretsUnreadable.inc(),
    observeAttempt({ errorClass, durationSeconds, secondsToFirst }: AttemptFigures): void {
      // Statuses are the endpoint's to choose: by hundreds they stay few.
      attempts.inc({ outcome: errorClass?.replace(/^http_(\d)\d\d$/, 'http_$1xx') ?? 'ok' })
      attemptDurations.observe(durationSeconds)
      if (secondsToFirst !== null) firstAttempts.observe(secondsToFirst)
    },
    /** Where it is known why the database cannot serve; null: it can. */
    watchDatabase(read: () => Promise<string | null>): void {
      whyNoDatabase = read
    },
    /** Where the figures of what is still to be sent come from, once a worker runs here. */
    watchDeliveries(newSources: DeliverySources): void {
      sources = { ...newSources, readDue: sharing(newSources.readDue) }
    },
    /** @param outcome `applied`, `held`, `refused`, or `failed` for a source that could not be read */
    countFeedRun(source: string, outcome: string): void {
      feedRuns.inc({ source, outcome })
    },
    /** Where the figures of price sources come from, once a worker runs here. */
    watchFeed(read: {
      sources: () => Promise<FeedFigures[]>
      confirmation: () => Promise<ConfirmationFigures>
    }): void {
      readFeed = sharing(read.sources)
      readConfirmation = sharing(read.confirmation)
    },
    /** The figures in Prometheus's text format. */
    render: () => registry.metrics(),
    /** The same for `renderTogether`. */
    collect: (): Promise<unknown> => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

/** A database that is silent must not keep the other figures from those who want to know of it. */
const readMsMax = 1_000

/** Several gauges of one page ask at a time: one answer serves them. Without one in time, all do without. */
function sharing<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return async () => {
    underWay ??= read().finally(() => (underWay = null))
    const answered = new AbortController()
    const late = setTimeout(readMsMax, undefined, { signal: answered.signal }).then(() => {
      throw new Error('the database does not answer')
    })
    return Promise.race([underWay, late]).finally(() => answered.abort())
  }
}

/** The figures of several processes as one, each by what `collect` gave: counts are added. */
export function renderTogether(collected: readonly unknown[]): Promise<string> {
  return AggregatorRegistry.aggregate([...collected] as object[]).metrics()
}
