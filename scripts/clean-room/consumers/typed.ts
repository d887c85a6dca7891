import { costOf, type Catalog, type Cost } from '@ratecard/cost'
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
