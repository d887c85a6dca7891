import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findDisagreements } from '../src/ingest/review/disagreements.ts'
import type { Quote } from '../src/ingest/source-record.ts'
import { createFeeder, litellmFile, publishedBy } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// Whole runs with prices in other currencies than dollars, and with what a cloud's bill says.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const day = (date: number) => new Date(Date.UTC(2026, 6, date)).toISOString()
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const served = async () => {
  const rows = await database.db
    .selectFrom('prices')
    .select(['resource_id', 'input_per_mtok', 'currency'])
    .orderBy('resource_id')
    .execute()
  return rows.map(({ resource_id, input_per_mtok, currency }) => [
    resource_id,
    Number(input_per_mtok),
    currency,
  ])
}

const modelsDev = (input: number) =>
  JSON.stringify({
    scaleway: { models: { m: { cost: { input, output: 2 } } } },
    groq: { models: { m: { cost: { input } } } },
  })

describe('a price in euros', () => {
  test('is served in euros, and what was served in dollars before is a correction of the words alone', async () => {
    const first = await feed(day(1), modelsDev(1), { source: 'models.dev' })
    expect(first.mended).toMatchObject([
      { id: 'scaleway/m', reason: expect.stringMatching(/^is in EUR: /) as string },
    ])
    expect(await served()).toEqual([
      ['groq:m', 1, 'USD'],
      ['scaleway:m', 1, 'EUR'],
    ])
    // As an earlier release has left it.
    await sql`update prices set currency = 'USD'`.execute(database.db)
    await sql`update feed_claims set stated = stated || '{"currency":"USD"}'`.execute(database.db)
    const second = await feed(day(3), modelsDev(1), { source: 'models.dev' })
    expect(await served()).toEqual([
      ['groq:m', 1, 'USD'],
      ['scaleway:m', 1, 'EUR'],
    ])
    expect(publishedBy(second).map((text) => text.split(' ')[0])).toEqual(['metadata'])
    expect(second.changes[0]?.title).toContain('currency')
  })

  test('disagrees with none in dollars', async () => {
    await feed(day(1), litellmFile({ m: { input: 5, output: 10 } }))
    const own = (currency: string) =>
      JSON.stringify([{ resource_id: 'acme:m', input_per_mtok: 4, output_per_mtok: 10, currency }])
    await feed(day(2), own('USD'), { source: 'own-json' })
    expect(await findDisagreements(database.db)).toMatchObject({
      compared: 2,
      disagreements: [{ spread_pct: 20 }],
    })
    await feed(day(3), own('EUR'), { source: 'own-json' })
    expect(await served()).toEqual([['acme:m', 4, 'EUR']])
    expect(await findDisagreements(database.db)).toEqual({ compared: 0, disagreements: [] })
  })
})

/** An offer of Bedrock with prices of input, by usage type and model. */
function offer(rows: [usagetype: string, model: string, usd: string][]): string {
  const skus = rows.map((row, index) => [`SKU${index}`, row] as const)
  const document = {
    ...{ offerCode: 'AmazonBedrock', version: '1', publicationDate: '2026-07-01T00:00:00Z' },
    products: Object.fromEntries(
      skus.map(([sku, [usagetype, model]]) => [
        sku,
        { attributes: { usagetype, model, regionCode: 'us-east-1', servicename: 'Amazon Bedrock' } },
      ]),
    ),
    terms: {
      OnDemand: Object.fromEntries(
        skus.map(([sku, [usagetype, , usd]]) => {
          const description = `$${usd} per 1K token for ${usagetype}`
          const dimension = {
            rateCode: sku,
            description,
            beginRange: '0',
            endRange: 'Inf',
            unit: '1K tokens',
            pricePerUnit: { USD: usd },
          }
          return [sku, { term: { effectiveDate: '2026-06-01T00:00:00Z', priceDimensions: { dimension } } }]
        }),
      ),
    },
  }
  return JSON.stringify(document, null, 2)
}

test('a bill serves what it holds by id, only bears witness to what it names by words, and is quoted', async () => {
  const text = offer([
    ['USE1-acme.alpha-mantle-input-tokens-standard', 'Alpha', '0.001'],
    ['USE1-Claude3Haiku-input-tokens', 'Claude 3 Haiku', '0.00025'],
  ])
  await feed(day(1), text, { source: 'aws-price-list' })
  expect(await served()).toEqual([['bedrock:acme.alpha', 1, 'USD']])
  const id = 'anthropic.claude-3-haiku-20240307-v1:0'
  const file = { [id]: { litellm_provider: 'bedrock', mode: 'chat', input_cost_per_token: 2.5e-7 } }
  await feed(day(2), JSON.stringify(file))
  expect(await served()).toContainEqual([`bedrock:${id}`, 0.25, 'USD'])
  const { quotes } = await database.db
    .selectFrom('feed_claims')
    .select(sql<{ quotes: Quote[] }>`quotes`.as('quotes'))
    .where('source', '=', 'aws-price-list')
    .where('resource_key', 'like', '%haiku%')
    .executeTakeFirstOrThrow()
  const [quote] = quotes.quotes
  expect(quote).toMatchObject({
    of: ['input_per_mtok'],
    text: expect.stringMatching(/Haiku[^]*\n[^]*"USD": "0.00025"/) as string,
  })
  expect(Buffer.from(text).subarray(quote!.from, quote!.to).toString()).toBe(quote!.text)
})
