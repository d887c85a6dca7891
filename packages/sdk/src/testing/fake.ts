import type { FakeAccount, FakePlan } from './accounts.ts'
import { createAlerts, type FakeDelivery, type FakeEndpoint } from './alerts.ts'
import type { FakeChange } from './changes.ts'
import { Engine } from './engine.ts'
import { createClock } from './clock.ts'
import type { FakeRequest } from './log.ts'
import type { PackGrant } from './meter.ts'
import { checkNames } from './refusal.ts'
import type { FakePrice } from './prices.ts'
import type { Change, Price, Webhook } from './rows.ts'
import { sampleChanges, samplePrices } from './sample-data.ts'
import type { FakeFailure } from './script.ts'
import { createFetch, createHandlers, type MswHttp } from './transport.ts'
import type { FakeFetch } from './web-types.ts'
import type { FakeDeliveryOutcome } from './webhooks.ts'

export interface FakeRatecardOptions {
  /** Where the fake is reached, without a trailing slash. Default: `https://api.ratecard.example`. */
  baseUrl?: string | undefined
  /**
   * The time. A fixed one stands still until `advance()`; a function, such as `Date.now`, is asked each time.
   * Default: 2026-11-21T09:30:00Z.
   */
  now?: Date | string | number | (() => Date | number) | undefined
  /** The plan of the first account. Default: `developer`. */
  plan?: FakePlan | undefined
  /** Price records to begin with, the last one newest, stored a day ago. Default: 15 sample records. */
  prices?: readonly FakePrice[] | undefined
  /** Changes to begin with, the last one newest, published a day ago. Default: 5 sample changes, an incident among them. */
  changes?: readonly FakeChange[] | undefined
}

/** Ratecard in memory: the seven operations with their state. Made by `createFakeRatecard`. */
export interface FakeRatecard {
  readonly baseUrl: string
  /** The first key of the first account. */
  readonly apiKey: string
  /** The first account. */
  readonly account: FakeAccount
  /** A `fetch` that this fake answers. It rejects, as the real one does, when it is aborted or there is no connection. */
  readonly fetch: FakeFetch
  /**
   * Handlers for msw's `setupServer` and `setupWorker`, answered by the same state as `fetch`.
   * @param http msw's own `http`, of version 2.10 or later; a parameter, as most users do not need msw
   *
   * @example
   * import { http } from 'msw'
   * import { setupServer } from 'msw/node'
   * const server = setupServer(...fake.handlers(http))
   */
  handlers<Handler>(http: MswHttp<Handler>): Handler[]

  /** A new account with a key of its own. Default plan: `developer`. */
  createAccount(options?: {
    plan?: FakePlan | undefined
    packs?: readonly PackGrant[] | undefined
  }): FakeAccount
  /**
   * Adds price records; of one with a known `resource_id` it changes the fields that are given. `updated_at` moves only
   * where a value does.
   */
  putPrices(...prices: FakePrice[]): Price[]
  /** Removes a record; false when there is none. The service itself removes none: a cursor on it stays valid. */
  removePrice(resourceId: string): boolean
  /**
   * Publishes changes, the last one newest; of one with a known `id` it changes the fields that are given. `updated_at`
   * moves only where a value does.
   */
  putChanges(...changes: FakeChange[]): Change[]
  /** Records how a delivery to a webhook ended, or switches it off. Nothing is sent. */
  recordDelivery(webhookId: string, outcome: FakeDeliveryOutcome): Webhook
  /**
   * Sends an alert of changes, signed, to each active webhook of an account on a paid plan: one attempt, whose outcome
   * `webhooks.list()` then shows. The time in it is that of the machine, as receivers compare it with theirs. Incidents,
   * corrections and metadata cause no alert.
   * @param endpoint takes each delivery: a handler of yours, or `fetch`
   *
   * @example
   * await fake.deliverAlerts((request) => app.fetch(request), ...fake.putChanges({ severity: 5 }))
   */
  deliverAlerts(endpoint: FakeEndpoint, ...changes: Change[]): Promise<FakeDelivery[]>
  /** All price records, newest first. */
  readonly prices: readonly Price[]
  /** All changes, incidents too, newest first. */
  readonly changes: readonly Change[]

  /** The time of the fake's clock. */
  now(): Date
  /** Moves the clock forwards. At UTC midnight the daily quotas start again. */
  advance(ms: number): void
  /** Moves the clock to the next UTC midnight. */
  advanceToMidnight(): void

  /** Lets the next requests fail, or come late. Several calls queue up. */
  failNext(failure: FakeFailure): void
  /** Forgets what `failNext` has not done yet. */
  stopFailing(): void
  /** The requests received, oldest first, without keys and secrets. */
  readonly requests: readonly FakeRequest[]
  /** Back to the beginning: the data, accounts, counters, clock and log this fake was made with. `apiKey` stays the same. */
  reset(): void
}

const defaultNow = '2026-11-21T09:30:00Z'
const dayMs = 86_400_000

/**
 * Makes a Ratecard in memory for tests: it answers as the service does, status for status and header for header,
 * and two fakes made alike answer alike.
 *
 * @example
 * const fake = createFakeRatecard()
 * const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
 * await client.usage.get()
 */
export function createFakeRatecard(options: FakeRatecardOptions = {}): FakeRatecard {
  checkNames('createFakeRatecard', options, ['baseUrl', 'now', 'plan', 'prices', 'changes'])
  const baseUrl = readBaseUrl(options.baseUrl ?? 'https://api.ratecard.example')
  let { clock, engine, account, deliver } = begin(options, baseUrl)
  const answer: Engine['answer'] = (call, signal) => engine.answer(call, signal)

  return {
    baseUrl,
    get apiKey() {
      return account.apiKey
    },
    get account() {
      return account
    },
    fetch: createFetch(answer, baseUrl),
    handlers: (http) => createHandlers(answer, baseUrl, http),
    createAccount: (terms = {}) => {
      checkNames('createAccount', terms, ['plan', 'packs'])
      const { plan = 'developer', packs = [] } = terms
      const created = engine.accounts.create(plan)
      for (const pack of packs) created.grantPack(pack)
      return created
    },
    putPrices: (...prices) => engine.prices.put(prices, clock),
    removePrice: (resourceId) => engine.prices.remove(resourceId),
    putChanges: (...changes) => engine.changes.put(changes, clock),
    recordDelivery: (webhookId, outcome) => ({ ...engine.webhooks.record(webhookId, outcome, clock) }),
    deliverAlerts: (endpoint, ...changes) => deliver(endpoint, changes),
    get prices() {
      return engine.prices.all()
    },
    get changes() {
      return structuredClone(engine.changes.all())
    },
    now: () => new Date(clock.nowMs()),
    advance: (ms) => clock.advance(ms),
    advanceToMidnight: () => clock.advance(clock.midnightMs() - clock.nowMs()),
    failNext: (failure) => engine.script.add(failure),
    stopFailing: () => engine.script.clear(),
    get requests() {
      return [...engine.log]
    },
    reset: () => void ({ clock, engine, account, deliver } = begin(options, baseUrl)),
  }
}

/** All that a fake is made of, and begins anew with. */
function begin(
  { now = defaultNow, plan = 'developer', prices, changes }: FakeRatecardOptions,
  baseUrl: string,
) {
  const clock = createClock(now)
  const engine = new Engine(clock, `${baseUrl}/dashboard/billing`)
  const dayBefore = { ...clock, nowMs: () => clock.nowMs() - dayMs }
  engine.prices.put(checkList('prices', prices ?? samplePrices), dayBefore)
  engine.changes.put(checkList('changes', changes ?? sampleChanges), dayBefore)
  const account = engine.accounts.create(plan)
  return { clock, engine, account, deliver: createAlerts(engine, clock, baseUrl) }
}

/** Where the fake is, without a trailing slash. */
function readBaseUrl(text: string): string {
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new TypeError('`baseUrl` is an address such as https://api.ratecard.example.')
  return url.href.replace(/\/+$/, '')
}

function checkList<Row>(name: string, rows: readonly Row[]): readonly Row[] {
  const given: unknown = rows
  if (!Array.isArray(given)) throw new TypeError(`\`${name}\` is a list of records.`)
  return rows
}
