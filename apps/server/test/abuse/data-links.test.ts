import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceName } from '../../src/ingest/sources/index.ts'
import { useApi } from '../support/api.ts'
import { createCustomer } from '../support/actors.ts'
import { createFeeder } from '../support/feed-runs.ts'
import { useDatabase } from '../support/postgres.ts'
import { walkPrices } from '../support/walk.ts'

// Values from a price file are served to every client: a value that the contract does not allow must not get that far,
// and must not end the run that brings it. `request` checks every answer against the contract.

const database = useDatabase()
const api = useApi(database)
const feed = createFeeder(() => database.db)
const at = '2026-03-01T00:00:00Z'

let key: string
beforeAll(async () => {
  key = (await createCustomer(database.db, { plan: 'enterprise' })).key
})
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

/** One price with this link, and one beside it, in the form of each source that has links. */
const filesWithLink: Partial<Record<SourceName, (link: string) => string>> = {
  litellm: (link) =>
    JSON.stringify({
      'acme/odd': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: 1e-6, source: link },
      'acme/good': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: 1e-6 },
    }),
  'models.dev': (link) =>
    JSON.stringify({
      acme: { doc: link, models: { odd: { cost: { input: 1, output: 2 } } } },
      other: { models: { good: { cost: { input: 1, output: 2 } } } },
    }),
  'genai-prices': (link) =>
    JSON.stringify([
      { id: 'acme', pricing_urls: [link], models: [{ id: 'odd', prices: { input_mtok: 1 } }] },
      { id: 'other', models: [{ id: 'good', prices: { input_mtok: 1 } }] },
    ]),
  openrouter: (link) =>
    JSON.stringify({
      data: [
        { id: 'acme/odd', pricing: { prompt: '0.000001' }, links: { details: link } },
        { id: 'acme/good', pricing: { prompt: '0.000001' } },
      ],
    }),
  'own-json': (link) =>
    JSON.stringify([
      { resource_id: 'acme:odd', input_per_mtok: 1, source_url: link },
      { resource_id: 'acme:good', input_per_mtok: 1 },
    ]),
  'own-csv': (link) =>
    `resource_id,input_per_mtok,source_url\nacme:odd,1,"${link.replaceAll('"', '""')}"\nacme:good,1,\n`,
}
const sourcesWithLinks = Object.keys(filesWithLink) as (keyof typeof filesWithLink)[]

const links = {
  'a space': 'https://vendor.example/price list',
  'an umlaut': 'https://vendor.example/Preisliste für alle',
  'an umlaut in the host': 'https://münchen.example/preise',
  'brackets and bars': 'https://vendor.example/[a]|{b}?x={c}|^`d`#e|[f]',
  'half an escape': 'https://vendor.example/100%?a=%zz',
  'a host of 3,000 characters': `https://${'a'.repeat(3_000)}.example/`,
  'a path of a million characters': `https://vendor.example/${'a'.repeat(1_000_000)}`,
  'half a character': 'https://vendor.example/\ud800',
  NUL: 'https://vendor.example/\u0000',
  'control characters': 'https://vendor.example/\u0007\u001b[31m',
}

describe.each(sourcesWithLinks)('%s', (source) => {
  test.each(Object.entries(links))('a link with %s spoils no page', async (_name, link) => {
    const report = await feed(at, filesWithLink[source]!(link), { source })
    expect(report.outcome).toBe('applied')
    const rows = await walkPrices(api, key)
    expect(rows.map(({ resource_id }) => resource_id)).toContainEqual(expect.stringMatching(/good$/))
    // It is served without its link, with a mended one, or refused by name.
    const isRefused = report.rejected.length > 0
    expect(rows).toHaveLength(isRefused ? 1 : 2)
  })

  test.each([
    'javascript:alert(document.domain)//',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://vendor.example/prices',
    '//\u0000',
    'https://name:secret@vendor.example/prices',
    'https://vendor.example@evil.example/',
  ])('%s is no link that is served', async (link) => {
    await feed(at, filesWithLink[source]!(link), { source })
    for (const { source_url } of await walkPrices(api, key)) {
      const url = source_url === null ? null : new URL(source_url)
      expect([undefined, 'http:', 'https:']).toContain(url?.protocol)
      expect([url?.username ?? '', url?.password ?? '']).toEqual(['', ''])
    }
  })
})

test('What can be encoded is, so that the link still leads where it led', async () => {
  await feed(at, filesWithLink.litellm!('https://docs.vendor.example/docs/models (Model Garden)'))
  const rows = await walkPrices(api, key)
  expect(rows.find(({ resource_id }) => resource_id === 'acme:odd')?.source_url).toBe(
    'https://docs.vendor.example/docs/models%20(Model%20Garden)',
  )
})

test('A link that is left out is named in the report, with its reason', async () => {
  const report = await feed(at, filesWithLink.litellm!(`https://${'a'.repeat(3_000)}.example/`))
  expect(report.mended).toEqual([{ id: 'acme/odd', reason: expect.stringMatching(/source_url/) as string }])
  expect(report.rejected).toEqual([])
})

test("An operator's instant with an offset is served in UTC", async () => {
  const text =
    'resource_id,input_per_mtok,effective_at\nacme:a,1,2026-02-01T01:00:00+02:00\nacme:b,1,2026-02-01\n'
  await feed(at, text, { source: 'own-csv' })
  const rows = await walkPrices(api, key)
  expect(rows.map(({ resource_id, effective_at }) => [resource_id, effective_at])).toEqual([
    ['acme:b', '2026-02-01'],
    ['acme:a', '2026-01-31T23:00:00.000000Z'],
  ])
})
