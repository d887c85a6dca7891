import {
  Catalog,
  CatalogError,
  costOf,
  resolve,
  sumOf,
  UsageError,
  type CatalogRecord,
  type Cost,
  type CostSum,
  type Resolution,
  type Usage,
  type WholeCost,
} from '@ratecard/cost'
import { costMiddleware } from '@ratecard/cost/ai'
import * as core from '@ratecard/cost/core'
import { shippedCatalog } from '@ratecard/cost/catalog'
import { catalogFromFile, type RefreshedCatalog } from '@ratecard/cost/file'
import { catalogFromPrices, catalogFromUrl } from '@ratecard/cost/live'
import { costSpanProcessor, type CostSpanProcessor } from '@ratecard/cost/opentelemetry'
import { readAISDK, readOpenAI, readOpenTelemetry, readUsage } from '@ratecard/cost/readers'
import { VerificationError, verifyExport, type SignedSums } from '@ratecard/cost/verify'
import Default, {
  ApiError,
  Ratecard,
  RatecardError,
  type Change,
  type Page,
  type Price,
  type RatecardOptions,
  type RequestOptions,
} from '@ratecard/sdk'
import { createFakeRatecard, type FakeRatecard } from '@ratecard/sdk/testing'
import type { components, operations, paths, webhooks } from '@ratecard/sdk/types'
import {
  createTestRequest,
  sign,
  verify,
  verifyResult,
  verifySignature,
  WebhookVerificationError,
  type AlertedChange,
  type ChangeAlert,
} from '@ratecard/webhooks'
import * as express from '@ratecard/webhooks/express'
import * as fastify from '@ratecard/webhooks/fastify'
import * as web from '@ratecard/webhooks/fetch'
import * as lambda from '@ratecard/webhooks/lambda'
import * as node from '@ratecard/webhooks/node'
import { verifySync } from '@ratecard/webhooks/sync'

// What customers write, compiled with every resolution, with and without the types of the DOM. It is never run.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function holds<T extends true>(): T | undefined {
  return undefined
}

declare const signal: AbortSignal
const options: RatecardOptions = {
  apiKey: () => Promise.resolve('rc_live_…'),
  baseUrl: 'https://api.ratecard.example',
}
const call: RequestOptions = { signal, timeoutMs: 1_000, maxRetries: 0, headers: { 'x-trace': '1' } }
const fake: FakeRatecard = createFakeRatecard()

export async function useSdk(): Promise<Price | undefined> {
  const byDefault: Ratecard = new Default(options)
  void byDefault
  const client = new Ratecard(options).withOptions({ timeoutMs: 5_000 })
  // The fetch of the fake fits, and so does undefined where something is optional.
  const offline = new Ratecard({
    baseUrl: fake.baseUrl,
    apiKey: fake.apiKey,
    fetch: fake.fetch,
    deadlineMs: undefined,
  })
  const page: Page<Price> = await client.prices.list({ vendor: 'openai', limit: 10 }, call)
  for await (const price of offline.prices.list()) {
    holds<Equal<typeof price, Price>>()
    if (price.currency !== 'USD') break
  }
  const changes: Change[] = await client.changes
    .list({ minSeverity: 3, since: new Date(0) })
    .toArray({ limit: 10 })
  for (const change of changes) {
    // Open unions: known values are offered, new ones are no error.
    if (change.category === 'price_cut' || change.category === 'something_new') return undefined
  }
  // @ts-expect-error a parameter that does not exist
  client.prices.list({ vendr: 'openai' })
  // @ts-expect-error an option that does not exist
  client.prices.list({}, { retries: 3 })
  // @ts-expect-error the bound is mandatory
  void client.prices.list().toArray()
  const { data, rateLimit } = await client.usage.get(call).withResponse()
  const remaining: number | undefined = rateLimit?.remaining
  void [data, remaining]
  return page.data[0]
}

/** The catalog of the client is one of `@ratecard/cost`, whichever copy of the class it is. */
export async function useCatalog(client: Ratecard): Promise<Cost> {
  const catalog: Catalog = await client.catalog({ vendor: 'openai', refreshMs: 0 }, { signal })
  // @ts-expect-error a catalog is all of a list
  void client.catalog({ limit: 10 })
  return costOf({ counts: { input_tokens: 1 } }, { catalog, model: 'openai:gpt-4o-mini' })
}

export function explain(error: unknown): string {
  if (error instanceof ApiError) return `${error.status} ${error.code} ${error.topupUrl ?? ''}`
  if (error instanceof WebhookVerificationError) return `${error.status} ${error.code}`
  return error instanceof RatecardError ? error.message : 'unknown'
}

export async function useWebhooks(body: Uint8Array, headers: Record<string, string | string[] | undefined>) {
  const secret = 'sixteen characters or more'
  const event: ChangeAlert = await verify(body, headers, { secret })
  const first: AlertedChange | undefined = event.changes[0]
  const result = await verifyResult(
    '{}',
    { 'X-Svc-Signature': await sign('{}', secret) },
    {
      secrets: [secret],
    },
  )
  if (!result.ok) return explain(result.error)
  await verifySignature(new ArrayBuffer(1), new Map([['a', 'b']]), { secret })
  const request = await createTestRequest({ secret })
  return [first, result.event, verifySync(request.body, request.headers, { secret, toleranceSeconds: 60 })]
}

/** The same event, from whichever entry it is named. */
export const handle = (event: express.RatecardWebhookEvent): string =>
  event.event === 'change.alert' ? event.changes.map(({ category }) => category).join() : event.event

export const adapters = [
  lambda.ratecardWebhook({}, (event: lambda.RatecardWebhookEvent) => void handle(event)),
  express.ratecardWebhook(
    { secret: 'sixteen characters or more' },
    (event: ChangeAlert) => void event.changes,
  ),
  fastify,
  web.ratecardWebhook({ secret: 'sixteen characters or more' }, (event: ChangeAlert) => void event.changes),
  lambda,
  node,
]

export type Row = components['schemas']['Price']
export type Paths = [keyof paths, keyof operations, keyof webhooks]

export async function useCost(client: Ratecard, answer: unknown): Promise<string> {
  const catalog: Catalog = shippedCatalog()
  const usage: Usage = readOpenAI(answer)
  const cost: Cost = costOf(usage, { catalog, platform: 'openai', tier: undefined, at: new Date() })
  // The compiler makes one look: where something has no price there is no total.
  // @ts-expect-error null where it is not whole
  const text: string = cost.total
  const least: string = cost.isWhole ? cost.total : cost.atLeast
  if (cost.isWhole) holds<Equal<typeof cost, WholeCost>>()
  else for (const { reason, message } of cost.unpriced) if (reason === 'no_rate_card') return message
  const sums: CostSum[] = sumOf([cost, costOf(readUsage(answer, 'gemini'), { catalog })])
  const found: Resolution = resolve('gpt-4o', { catalog, platform: undefined })
  const record: CatalogRecord | undefined = found.isResolved ? found.record : catalog.get('openai:gpt-4o')
  const file: RefreshedCatalog = await catalogFromFile('prices.json', { refreshMs: 0 })
  const url: Catalog = await catalogFromUrl('https://prices.example/snapshot.json', { fallback: file })
  const live: Catalog = await catalogFromPrices(client.prices.sync({ once: true }))
  // Counts by meter and by kind; names of meters are open.
  const counts = { input_tokens: 1, cache_write_tokens: { '1h': 2n }, output_images: '3', something_new: 4 }
  // @ts-expect-error no count
  core.costOf({ counts: { input_tokens: true } }, { catalog })
  // @ts-expect-error the catalog is mandatory
  core.costOf({ counts }, { model: 'gpt-4o' })
  const whole: Cost = costOf(answer, { reader: 'openai', cacheTtl: undefined })
  const own = { 'my-llama': { rates: { input_tokens: [{ amount: '0.2', tier: 'batch' }] }, currency: 'EUR' } }
  holds<Equal<ReturnType<typeof core.costOf>, typeof whole>>()
  void [
    text,
    sums,
    url,
    whole.total,
    live,
    readAISDK,
    readOpenTelemetry,
    new CatalogError('no'),
    new Catalog('{}', { origin: 'data' }),
    costOf({ counts }, { overrides: { models: own, tiers: { batch: 0.5 } } }),
  ]
  return `${least} ${record?.input_per_mtok ?? ''}`
}

const catalogOfCost = shippedCatalog()
export const processor: CostSpanProcessor = costSpanProcessor({
  catalog: catalogOfCost,
  cost: (attributes) => ({ platform: String(attributes['gen_ai.system']), cacheTtl: '5m' }),
})
export const middleware = costMiddleware({
  catalog: catalogOfCost,
  overrides: { multiplier: '0.9' },
  onCost: (cost, { provider }) => void [cost.total, provider],
  onError: (error) => error instanceof UsageError,
})

export async function check(content: Uint8Array, signed: SignedSums): Promise<string> {
  // @ts-expect-error the key is mandatory
  void verifyExport({ name: 'litellm.json', content }, { sums: content, signature: content })
  const nothing: void = await verifyExport({ name: 'litellm.json', content }, { ...signed, sums: 'text' })
  void nothing
  const error: unknown = new VerificationError('content', 'no')
  return error instanceof VerificationError && error.differs === 'key' ? error.message : ''
}
