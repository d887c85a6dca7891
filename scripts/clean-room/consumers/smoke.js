import { Catalog, costOf, resolve, sumOf } from '@ratecard/cost'
import { costMiddleware } from '@ratecard/cost/ai'
import { shippedCatalog } from '@ratecard/cost/catalog'
import { catalogFromPrices } from '@ratecard/cost/live'
import { costSpanProcessor } from '@ratecard/cost/opentelemetry'
import { readAnthropic, readOpenAI, UsageError } from '@ratecard/cost/readers'
import { VerificationError, verifyExport } from '@ratecard/cost/verify'
import { createFakeRatecard } from '@ratecard/sdk/testing'
import Default, { AuthenticationError, Ratecard, RatecardError } from '@ratecard/sdk'
import { createTestRequest, verify, verifyResult, WebhookVerificationError } from '@ratecard/webhooks'
import { ratecardWebhook } from '@ratecard/webhooks/fetch'

// All packages at work, in words that every runtime understands.

/** Throws when anything is not as it must be. Answers how many things were looked at. */
export async function smoke({ baseUrl, apiKey, secret, options = {} }) {
  let looks = 0
  const must = (what, isSo) => {
    if (!isSo) throw new Error(`It does not hold that ${what}.`)
    looks += 1
  }

  must('the client is the default export too', Default === Ratecard)
  const client = new Ratecard({ baseUrl, apiKey, ...options })
  must('health answers without a key', (await new Ratecard({ baseUrl, ...options }).health()).status === 'ok')
  const page = await client.prices.list({ limit: 3 })
  must('a page has the rows that were asked for', page.data.length === 3 && page.hasNextPage)
  must('a page carries the state of the quota', page.rateLimit.limit > 0 && page.rateLimit.remaining >= 0)
  const ids = new Set()
  for await (const price of client.prices.list({ vendor: 'openai', limit: 5 })) {
    ids.add(price.resource_id)
    if (ids.size === 12) break
  }
  must('a list goes on over pages', ids.size === 12)
  const changes = await client.changes.list({ minSeverity: 1 }).toArray({ limit: 5 })
  must('changes are served', changes.length > 0)
  const { data: usage, requestId } = await client.usage.get().withResponse()
  must('usage is served with a request id', usage.metered_total > 0 && typeof requestId === 'string')
  const refusal = await failure(client.withOptions({ apiKey: 'rc_live_not_a_key' }).usage.get())
  must(
    'a wrong key is an AuthenticationError',
    refusal instanceof AuthenticationError && refusal.status === 401,
  )
  must('every error is a RatecardError', refusal instanceof RatecardError)
  must('the key is in no rendering of the client', !JSON.stringify(client).includes(apiKey))

  const fake = createFakeRatecard()
  const offline = new Ratecard({ baseUrl: fake.baseUrl, apiKey: fake.apiKey, fetch: fake.fetch, ...options })
  must('the fake answers', (await offline.prices.list({ limit: 2 })).data.length === 2)

  const delivery = await createTestRequest({ secret, url: 'https://hooks.acme.example/ratecard' })
  const event = await verify(delivery.body, delivery.headers, { secret })
  must('a signed delivery is verified', event.event === 'change.alert' && event.changes.length === 1)
  const forged = await verifyResult(`${delivery.body} `, delivery.headers, { secret })
  must('a changed body is refused', !forged.ok && forged.error instanceof WebhookVerificationError)

  const seen = []
  const handler = ratecardWebhook({ secret }, (alert) => void seen.push(alert))
  const answer = await handler(new Request(delivery.url, delivery))
  must('the fetch handler acknowledges', answer.status === 204 && seen.length === 1)
  const refused = await handler(new Request(delivery.url, { ...delivery, body: `${delivery.body} ` }))
  must('the fetch handler refuses a forgery', refused.status === 401 && seen.length === 1)

  const catalog = shippedCatalog()
  const message = {
    model: 'claude-sonnet-4-5-20250929',
    usage: {
      input_tokens: 1_000,
      output_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
  const cost = costOf(readAnthropic(message), { catalog, platform: 'anthropic' })
  must('a cost is exact', cost.total === '0.0045' && sumOf([cost, cost])[0].total === '0.009')
  must('a name is not guessed', !resolve('gpt4o', { catalog, platform: 'openai' }).isResolved)
  const misread = await failure(Promise.resolve().then(() => readOpenAI(message)))
  must(
    'a reader names the right one',
    misread instanceof UsageError && /"reader" anthropic/.test(misread.message),
  )
  must(
    'a stream and a span have their cost',
    (await costOfStream(catalog)) === '0.0035' && costOfSpan(catalog) === '0.0035',
  )
  const live = await catalogFromPrices(await client.prices.list({ vendor: 'openai' }).toArray({ limit: 5 }))
  must('rows of the API make a catalog', live.size > 0 && live.stamp().origin === 'api')
  const fresh = await client.catalog({ vendor: 'openai', refreshMs: 0 })
  const paid = costOf(
    { counts: { input_tokens: 1_000_000 } },
    { catalog: fresh, model: 'openai:gpt-4o-mini' },
  )
  must('the catalog of the client is one that costOf takes', fresh instanceof Catalog && paid.isWhole)
  const take = async (name) => (await fetch(`${baseUrl}/exports/${name}`)).arrayBuffer()
  const [content, sums, signature] = await Promise.all(
    ['openlit.json', 'SHA256SUMS', 'SHA256SUMS.sig'].map(take),
  )
  const publicKey = new TextDecoder().decode(await take('ed25519.pem'))
  const signed = { sums, signature, publicKey }
  const checked = await failure(verifyExport({ name: 'openlit.json', content }, signed))
  const changed = await failure(verifyExport({ name: 'openlit.json', content: '{}' }, signed))
  must('an export is as it was signed', checked === null)
  must('a changed export is refused', changed instanceof VerificationError && changed.differs === 'content')
  return looks
}

/** What the middleware of the AI SDK tells of a stream. */
async function costOfStream(catalog) {
  const costs = []
  const middleware = costMiddleware({ catalog, onCost: ({ total }) => costs.push(total) })
  const usage = { inputTokens: { total: 1_000, cacheRead: 0 }, outputTokens: { total: 100 } }
  const source = new ReadableStream({
    start: (controller) => {
      controller.enqueue({ type: 'finish', usage })
      controller.close()
    },
  })
  const model = { provider: 'openai.responses', modelId: 'gpt-4o' }
  const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: source }), model })
  const reader = stream.getReader()
  while (!(await reader.read()).done);
  return costs.join()
}

/** What the processor writes into a span that ends. */
function costOfSpan(catalog) {
  const attributes = {
    'gen_ai.system': 'openai',
    'gen_ai.response.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1_000,
    'gen_ai.usage.output_tokens': 100,
  }
  const setAttribute = (name, value) => (attributes[name] = value)
  const startTime = [Math.floor(Date.now() / 1_000), 0]
  costSpanProcessor({ catalog }).onEnding({ attributes, startTime, setAttribute })
  return attributes['ratecard.cost.total']
}

function failure(promise) {
  return promise.then(
    () => null,
    (error) => error,
  )
}
