import { ApiError, Ratecard, RatecardError, type RatecardOptions } from '../../src/index.ts'
import { startProxy, type FailingProxy } from './failing-proxy.ts'
import type { Target, TargetCustomer } from './target.ts'

// What a program does with the SDK, and what it sees. Each scenario is played against both targets, and what it returns
// must be the same.

interface Stage {
  target: Target
  proxy: FailingProxy
  customer: TargetCustomer
  /** A client with the customer's key. */
  client: Ratecard
  clientWith: (options: RatecardOptions) => Ratecard
}

export type Scenario = (stage: Stage) => Promise<unknown>

const webhook = { url: 'https://hooks.acme.example/x', secret: 'a-long-random-string-of-your-own' }
const outage = { status: 503, headers: { 'retry-after-ms': '1' } }

/** What a program can tell of a failure. */
async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    return { unexpected: await work }
  } catch (error) {
    if (!(error instanceof RatecardError)) throw error
    const { name, message, attempts, retryable } = error
    const plain = { name, message: message.replace(/req_\w{20}/, 'req'), attempts, retryable }
    if (!(error instanceof ApiError)) return plain
    const { status, code, upgradeUrl, topupUrl, retryAfterMs, rateLimit, requestId } = error
    const hasRequestId = requestId !== undefined
    return { ...plain, status, code, upgradeUrl, topupUrl, retryAfterMs, rateLimit, hasRequestId }
  }
}

async function collect<T, Seen>(rows: AsyncIterable<T>, see: (row: T) => Seen): Promise<Seen[]> {
  const seen: Seen[] = []
  for await (const row of rows) seen.push(see(row))
  return seen
}

export const scenarios: Record<string, Scenario> = {
  'every method answers': async ({ client }) => {
    const created = await client.webhooks.create({ ...webhook, events: ['*'] })
    const listed = await client.webhooks.list()
    const seen = {
      health: (await client.health()).status,
      price: (await client.prices.list({ limit: 1 })).data,
      change: (await client.changes.list({ limit: 1, includeIncidents: true })).data,
      created: { ...created, id: 'wh' },
      isListed: listed.some(({ id }) => id === created.id),
      deleted: await client.webhooks.delete(created.id),
      usage: await client.usage.get(),
    }
    return seen
  },

  'results carry the rate limit and the request id': async ({ client, customer }) => {
    await customer.setUsed(10_000)
    await customer.grantPack(5)
    const { rateLimit, requestId } = await client.prices.list()
    const usage = await client.usage.get().withResponse()
    return [rateLimit, requestId?.length, usage.rateLimit, usage.data.daily_quota, usage.data.topup.remaining]
  },

  'lists are walked by row, by page and into an array': async ({ client, proxy }) => {
    const filter = { vendor: 'openai', limit: 2 }
    const first = await client.prices.list(filter)
    const seen = {
      rows: await collect(client.prices.list(filter), (price) => price),
      pages: await collect(client.prices.list(filter).pages(), ({ data, ...page }) => [
        data.map((price) => price.resource_id),
        page.nextCursor,
        page.hasNextPage,
        page.rateLimit,
      ]),
      array: await client.prices.list(filter).toArray({ limit: 3 }),
      resumed: await client.prices.list({ ...filter, cursor: first.nextCursor }).toArray({ limit: 100 }),
      changes: await collect(client.changes.list({ minSeverity: 3, limit: 1 }), (change) => change),
      since: await client.changes.list({ since: new Date('2026-11-21T09:30:00Z') }).toArray({ limit: 100 }),
    }
    return { ...seen, requests: proxy.seen }
  },

  'errors say the same in every field': async ({ client, clientWith, target, customer }) => {
    const free = await target.createCustomer('free')
    const spent = await target.createCustomer('free')
    await spent.setUsed(100)
    const freeClient = clientWith({ apiKey: free.key })
    const strangersClient = clientWith({ apiKey: `rc_live_${'0'.repeat(36)}` })
    const spentClient = clientWith({ apiKey: spent.key })
    const attempts: (() => PromiseLike<unknown>)[] = [
      () => client.prices.list({ limit: 501 }),
      () => client.prices.list({ cursor: 'x' }),
      () => client.changes.list({ since: 'yesterday' }),
      () => client.webhooks.create({ ...webhook, url: 'https://localhost' }),
      () => client.webhooks.delete('wh_none'),
      () => strangersClient.usage.get(),
      () => freeClient.changes.list(),
      () => freeClient.webhooks.list(),
      () => spentClient.prices.list(),
    ]
    const seen = []
    for (const attempt of attempts) seen.push(await failureOf(attempt()))
    await client.webhooks.create(webhook)
    await client.webhooks.create(webhook)
    seen.push(await failureOf(client.webhooks.create(webhook)))
    await customer.revokeKey()
    seen.push(await failureOf(client.usage.get()))
    return seen
  },

  'an exhausted quota is asked once': async ({ client, customer, proxy }) => {
    await customer.setUsed(10_000)
    return [await failureOf(client.prices.list()), proxy.seen]
  },

  'an outage is waited out, and costs one unit': async ({ client, proxy }) => {
    proxy.failNext('reset')
    const { data } = await client.prices.list({ limit: 1 })
    const { metered_total } = await client.usage.get()
    return [data, metered_total, proxy.seen]
  },

  'a lasting outage ends in an error': async ({ client, proxy }) => {
    proxy.failNext(outage, outage)
    return [await failureOf(client.usage.get({ maxRetries: 1 })), proxy.seen]
  },

  'a creation is not repeated': async ({ client, proxy }) => {
    proxy.failNext(outage)
    const failure = await failureOf(client.webhooks.create(webhook))
    return [failure, await client.webhooks.list(), proxy.seen]
  },

  'an error in mid-walk carries the cursor to resume from': async ({ client, proxy }) => {
    const seen: string[] = []
    let cursor: string | undefined
    const once = client.withOptions({ maxRetries: 0 })
    try {
      for await (const page of once.prices.list({ limit: 4 }).pages()) {
        seen.push(...page.data.map((price) => price.resource_id))
        if (seen.length === 8) proxy.failNext(outage)
      }
    } catch (error) {
      cursor = (error as RatecardError).cursor
    }
    const rest = await once.prices.list({ limit: 4, cursor }).toArray({ limit: 1_000 })
    return [cursor, seen, rest.map((price) => price.resource_id), proxy.seen]
  },

  'polling gives each change once, through outages, and tells how far it is': async ({
    client,
    target,
    proxy,
  }) => {
    const checkpoints: string[] = []
    const seen: string[] = []
    const since = '2026-11-21T09:30:00.000001Z'
    const changes = client.changes.poll({
      since,
      intervalMs: 1,
      includeIncidents: true,
      onCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
    })
    for await (const change of changes) {
      seen.push(change.id)
      if (seen.length === 4) {
        proxy.failNext(outage)
        await target.putChanges({ id: 'chg_polled', product: 'acme/alpha', title: 'A', summary: 'B' })
      }
      if (change.id === 'chg_polled') break
    }
    return [seen, checkpoints]
  },

  'syncing gives every record, then those that move': async ({ client, target }) => {
    const rows = await collect(client.prices.sync({ once: true, vendor: 'mistral' }), (price) => price)
    const since = rows[0]?.updated_at
    await target.putPrices({ resource_id: 'mistral:synced', vendor: 'mistral', input_per_mtok: 1 })
    const later = await collect(
      client.prices.sync({ once: true, vendor: 'mistral', since }),
      (price) => price,
    )
    return [rows, later]
  },

  'a restart with nothing new gives nothing': async ({ client, target }) => {
    const stored: Record<string, string> = {}
    const runs = async () => ({
      changes: await collect(
        client.changes.poll({
          once: true,
          includeIncidents: true,
          since: stored.changes,
          onCheckpoint: (checkpoint) => (stored.changes = checkpoint),
        }),
        ({ id }) => id,
      ),
      prices: await collect(
        client.prices.sync({
          once: true,
          since: stored.prices,
          onCheckpoint: (checkpoint) => (stored.prices = checkpoint),
        }),
        (price) => price.resource_id,
      ),
    })
    const first = await runs()
    const second = await runs()
    await target.putPrices({ resource_id: 'acme:restarted', vendor: 'acme', input_per_mtok: 1 })
    await target.putChanges({ id: 'chg_restarted', product: 'acme/restarted', title: 'A', summary: 'B' })
    const third = await runs()
    const fourth = await runs()
    if (second.changes.length + second.prices.length + fourth.changes.length + fourth.prices.length > 0)
      return ['unexpected', second, fourth]
    return [first, third, stored]
  },

  'a poll that was left gives the change in hand again, and no other': async ({ client }) => {
    let since: string | undefined
    const seen: string[][] = []
    for (let run = 0; run < 4; run += 1) {
      const taken: string[] = []
      const onCheckpoint = (checkpoint: string) => (since = checkpoint)
      for await (const { id } of client.changes.poll({ once: true, minSeverity: 3, since, onCheckpoint })) {
        if (taken.push(id) === 2) break
      }
      seen.push(taken)
    }
    return seen
  },

  'a page is walked to the end of its list, and a diff is read': async ({ client, proxy }) => {
    const page = await client.prices.list({ limit: 4 })
    const [cut] = await client.changes.list({ product: 'openai/gpt-4o-mini' })
    return {
      own: Array.from(page, (price) => price.resource_id),
      all: await collect(page, (price) => price.resource_id),
      some: await client.prices.list().toArray({ limit: 3 }),
      diff: cut?.diff,
      requests: proxy.seen,
    }
  },
}

/** Plays a scenario with a customer and a client of its own. */
export async function play(scenario: Scenario, target: Target): Promise<unknown> {
  const proxy = await startProxy(target)
  try {
    const customer = await target.createCustomer('developer')
    const clientWith = (options: RatecardOptions) => new Ratecard({ baseUrl: proxy.url, ...options })
    const client = clientWith({ apiKey: customer.key })
    return await scenario({ target, proxy, customer, client, clientWith })
  } finally {
    await proxy.close()
  }
}
