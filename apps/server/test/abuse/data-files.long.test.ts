import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceName } from '../../src/ingest/sources/index.ts'
import { useApi } from '../support/api.ts'
import { createCustomer } from '../support/actors.ts'
import { createFeeder } from '../support/feed-runs.ts'
import { useDatabase } from '../support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from '../support/price-files.ts'
import { walkPrices } from '../support/walk.ts'

// Published files as a whole: every page that a customer may request exists, and matches the contract.

const database = useDatabase()
const api = useApi(database)
const feed = createFeeder(() => database.db)

const files: { source: SourceName; path: string }[] = [
  { source: 'litellm', path: 'litellm/model_prices_2026-08-01.json' },
  { source: 'models.dev', path: 'models.dev/api_equivalent_2026-07-02.json' },
  { source: 'genai-prices', path: 'genai-prices/data_v2_2026-08-21.json' },
  { source: 'openrouter', path: 'openrouter/models_2026-08-01.json' },
  { source: 'llm-prices', path: 'llm-prices/historical-v1_equivalent_2026-08-05.json' },
  { source: 'portkey', path: 'portkey/pricing_2026-08-21.tar.gz' },
]

let key: string
beforeAll(async () => {
  key = (await createCustomer(database.db, { plan: 'enterprise' })).key
})
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

describe.skipIf(priceDataDir === undefined)(skipTitle('files as published'), () => {
  test.each(files)('$path: every page, each vendor and each platform', async ({ source, path }) => {
    const input = path.endsWith('.tar.gz')
      ? { bytes: gunzipSync(readFileSync(join(priceDataDir ?? '', path))) }
      : { text: priceFile(path) }
    const report = await feed('2026-08-21T12:00:00Z', '', { source, input })
    expect(report.outcome).toBe('applied')

    const all = await walkPrices(api, key)
    expect(all).toHaveLength(report.added.length)
    for (const field of ['vendor', 'platform'] as const) {
      const groups = Map.groupBy(all, (price) => price[field])
      for (const [value, prices] of groups) {
        if (value === null) continue
        expect([value, await walkPrices(api, key, { [field]: value })]).toEqual([value, prices])
      }
    }
  })
})
