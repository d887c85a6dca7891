const assert = require('node:assert')
const sdk = require('@ratecard/sdk')
const testing = require('@ratecard/sdk/testing')
const contract = require('@ratecard/sdk/openapi.json')
const webhooks = require('@ratecard/webhooks')
const sync = require('@ratecard/webhooks/sync')
require('@ratecard/sdk/types')

// One program with the CommonJS and the ESM copy of each package: their errors must know one another.

async function main() {
  const esmSdk = await import('@ratecard/sdk')
  const esmWebhooks = await import('@ratecard/webhooks')
  assert.notStrictEqual(sdk.Ratecard, esmSdk.Ratecard, 'require and import give two copies')
  assert.strictEqual(contract.openapi.slice(0, 2), '3.')

  const fake = testing.createFakeRatecard()
  const refusal = async ({ Ratecard }) =>
    new Ratecard({ baseUrl: fake.baseUrl, apiKey: 'rc_live_wrong', fetch: fake.fetch }).usage.get().then(
      () => assert.fail('a wrong key was accepted'),
      (error) => error,
    )
  for (const error of [await refusal(sdk), await refusal(esmSdk)]) {
    for (const copy of [sdk, esmSdk]) {
      assert(error instanceof copy.RatecardError)
      assert(error instanceof copy.ApiError)
      assert(error instanceof copy.AuthenticationError)
      assert(!(error instanceof copy.RateLimitError))
    }
  }

  const secret = process.env.RATECARD_WEBHOOK_SECRET
  const delivery = await webhooks.createTestRequest({ secret })
  assert.strictEqual(sync.verifySync(delivery.body, delivery.headers, { secret }).event, 'change.alert')
  const unsigned = { ...delivery.headers, 'x-svc-signature': `sha256=${'0'.repeat(64)}` }
  for (const { verifyResult } of [webhooks, esmWebhooks]) {
    const { error } = await verifyResult(delivery.body, unsigned, { secret })
    assert(error instanceof webhooks.WebhookVerificationError)
    assert(error instanceof esmWebhooks.WebhookVerificationError)
  }
  for (const name of ['express', 'fastify', 'fetch', 'node', 'lambda']) {
    const [required, imported] = [
      require(`@ratecard/webhooks/${name}`),
      await import(`@ratecard/webhooks/${name}`),
    ]
    assert.deepStrictEqual(Object.keys(required).sort(), Object.keys(imported).sort(), name)
  }
  const cost = require('@ratecard/cost')
  const [esmCost, esmReaders] = [await import('@ratecard/cost'), await import('@ratecard/cost/readers')]
  const catalog = require('@ratecard/cost/catalog').shippedCatalog()
  const usage = require('@ratecard/cost/readers').readOpenAI({
    usage: { prompt_tokens: 10, completion_tokens: 1 },
  })
  for (const copy of [cost, esmCost]) {
    assert.strictEqual(copy.costOf(usage, { catalog, model: 'openai:gpt-4o' }).total, '0.000035')
    assert.strictEqual(copy.costOf({ prompt_tokens: 10 }, { model: 'gpt-4o' }).total, '0.000025')
    assert.throws(() => esmReaders.readOpenAI({}), copy.UsageError)
    assert.throws(() => new copy.Catalog('{'), cost.CatalogError)
  }
  for (const { Ratecard } of [sdk, esmSdk]) {
    const client = new Ratecard({ baseUrl: fake.baseUrl, apiKey: fake.apiKey, fetch: fake.fetch })
    const catalog = await client.catalog({ refreshMs: 0 })
    for (const copy of [cost, esmCost]) {
      assert(catalog instanceof copy.Catalog)
      const total = copy.costOf({ counts: { input_tokens: 1 } }, { catalog, model: 'openai:gpt-4o-mini' })
      assert.strictEqual(total.lines[0].resourceId, 'openai:gpt-4o-mini')
    }
  }
  console.log('ok')
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
