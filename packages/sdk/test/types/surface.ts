/** What must compile for users, and what must not. Nothing runs here. */
import Default, {
  ApiError,
  type CallTrace,
  Ratecard,
  RateLimitError,
  type Change,
  type Price,
  type RatecardOptions,
} from '../../src/index.ts'

export async function surface(client: Ratecard, error: unknown, maybe: string | undefined): Promise<void> {
  new Ratecard({
    apiKey: () => Promise.resolve('x'),
    baseUrl: maybe,
    fetch: globalThis.fetch,
    maxRetries: undefined,
  })
  new Ratecard('rc_live_…')
  new Default() satisfies Ratecard
  // @ts-expect-error no options at all
  new Ratecard(null)
  // @ts-expect-error a misspelled option
  new Ratecard({ retires: 3 })
  // @ts-expect-error a misspelled request option
  void client.prices.list({}, { retires: 3 })
  // @ts-expect-error a misspelled filter
  void client.prices.list({ vendr: 'openai' })
  // @ts-expect-error a filter of the other list
  void client.prices.list({ minSeverity: 3 })
  // @ts-expect-error a limit that is missing
  void client.prices.list().toArray()
  // @ts-expect-error an event that does not exist
  void client.webhooks.create({ url: 'https://hooks.customer.example', secret: 'x', events: ['change'] })
  // @ts-expect-error a secret that is missing
  void client.webhooks.create({ url: 'https://hooks.customer.example' })

  for await (const price of client.prices.list({ since: new Date(), cursor: maybe })) price satisfies Price
  for await (const change of client.changes.poll({ minSeverity: 3, once: true })) {
    change satisfies Change
    // Known values are completed, others are allowed.
    if (change.category === 'price_cut' || change.category === 'of_tomorrow') break
  }
  const page = await client.changes.list({ includeIncidents: true })
  await client.changes.list({ cursor: page.nextCursor })
  const { data, response, rateLimit } = await client.usage.get().withResponse()
  void [data.daily_quota.limit, response.headers.get('x'), rateLimit?.resetAt?.getTime()]
  const events: readonly ['*'] = ['*']
  await client.webhooks.create({ url: 'https://hooks.customer.example', secret: 'x', events })

  if (error instanceof RateLimitError) {
    error.topupUrl satisfies string | undefined
  } else if (error instanceof ApiError) {
    error.status satisfies number
  }
  const options: RatecardOptions = {
    hooks: { onRetry: ({ delayMs, error: why }) => void [delayMs, why.retryable] },
  }
  client.withOptions(options)
  client.withOptions({
    headers: () => ({ traceparent: maybe }),
    hooks: { onEnd: ({ callId, operation, outcome }) => void [callId, operation === 'getUsage', outcome] },
  })
  const trace = {} as CallTrace
  void [trace.callId, trace.outcome === 'error' && trace.error?.message]
  const call: Promise<object> = client.usage.get()
  await Promise.race([call])
}
