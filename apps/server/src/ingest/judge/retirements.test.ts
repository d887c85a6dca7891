import { describe, expect, test } from 'vitest'
import {
  newestFiles,
  priceDataDir,
  priceFile,
  priceInput,
  skipTitle,
} from '../../../test/support/price-files.ts'
import { buildKey } from '../match/names.ts'
import { feedPolicy } from '../policy.ts'
import { readSource } from '../run/read-source.ts'
import { noAmounts, type SourceRecord } from '../source-record.ts'
import type { SourceInput, SourceName } from '../sources/index.ts'
import { firstClaim, type Claim } from '../claims/claim.ts'
import { judgeAll } from './judge-all.ts'

// A seller's page of retirements says until when a model is sold, and nothing of its price.

const at = '2026-03-01T00:00:00.000Z'
const listed = { input_per_mtok: '1', output_per_mtok: '4', source_url: 'https://list.example' }

function record(fields: Partial<SourceRecord>): SourceRecord {
  return {
    ...{ resource_id: 'openai:alpha', product_id: null, vendor: 'openai', platform: 'openai', region: null },
    ...{ modality: 'llm', unit: '1m_tokens', ...noAmounts, currency: 'USD', source_url: null },
    ...{ effective_at: null, source_key: 'alpha', model_name: 'alpha', is_named: true, rates: [] },
    ...{ retires_on: null, scheduled: [] },
    ...fields,
  }
}

const list = (source: string, fields: Partial<SourceRecord> = listed): Claim =>
  firstClaim(source, 'openai:alpha', record(fields), { at })

const page = (fields: Partial<SourceRecord> = {}): Claim =>
  list('openai-retirements', {
    ...{ modality: null, unit: null, currency: null, is_witness: true, retires_on: '2026-10-23' },
    ...fields,
  })

const judge = (claims: Claim[], date = at) => judgeAll(claims, date, feedPolicy).get('openai:alpha')

test("the seller's own day comes before the days of lists, with what it names in the model's place", () => {
  const lists = [
    list('litellm', { ...listed, retires_on: '2026-12-31', replaced_by: 'gamma' }),
    list('genai-prices', { ...listed, retires_on: '2026-12-31' }),
  ]
  expect(judge(lists)).toMatchObject({ retiresOn: '2026-12-31', replacedBy: 'gamma' })
  expect(judge([...lists, page({ replaced_by: 'beta' })])).toMatchObject({
    ...{ retiresOn: '2026-10-23', replacedBy: 'beta' },
  })
})

test('where the seller names no day, the day of a list is told', () => {
  const claims = [list('litellm', { ...listed, retires_on: '2026-12-31' }), page({ retires_on: null })]
  expect(judge(claims)?.retiresOn).toBe('2026-12-31')
})

test('it neither states, confirms nor denies an amount, and owns neither unit nor link', () => {
  const rates = [...[{ meter: 'searches', unit: 'query', amount: '0.01', service_tier: null }]].map(
    (rate) => ({ ...rate, variant: null, threshold: null, hours: null }),
  )
  for (const stated of [listed, { ...listed, rates }, { source_url: listed.source_url, rates }]) {
    const lists = [list('litellm', stated), list('genai-prices', stated)]
    const alone = judge(lists)
    expect(alone?.record.source_url).toBe(listed.source_url)
    expect(judge([...lists, page()])).toEqual({ ...alone, retiresOn: '2026-10-23' })
  }
})

test('a model that it alone names is not served, nor one that every list has dropped for a month', () => {
  expect(judge([page()])).toBeUndefined()
  const gone = (source: string) => ({ ...list(source), goneSince: at, removedAt: at })
  const claims = [gone('litellm'), gone('genai-prices'), page()]
  expect(judge(claims)?.goneSince).toBe(at)
  expect(judge(claims, '2026-03-20T00:00:00.000Z')?.goneSince).toBe(at)
  expect(judge(claims, '2026-04-01T00:00:00.000Z')).toBeUndefined()
})

test('a price in another currency stays served beside it', () => {
  const verdict = judge([list('litellm', { ...listed, currency: 'EUR' }), page()])
  expect(verdict).toMatchObject({ retiresOn: '2026-10-23', record: { currency: 'EUR', input_per_mtok: '1' } })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('pages beside the six newest files'), () => {
  const august = '2026-08-22T06:00:00.000000Z'
  const claimsOf = async (source: SourceName, input: Omit<SourceInput, 'now'>) => {
    const { records } = await readSource(source, { ...input, now: new Date(august) })
    return records.map((record) => firstClaim(source, buildKey(record), record, { at: august }))
  }

  test('give days to what lists date not or otherwise, and move no amount and no model', async () => {
    const lists: Claim[] = []
    for (const { source, path } of newestFiles) lists.push(...(await claimsOf(source, priceInput(path))))
    const pages: Claim[] = []
    for (const [source, path] of [
      ['anthropic-retirements', 'anthropic/2026-07-24-model-deprecations.md'],
      ['openai-retirements', 'openai/2026-07-15-deprecations.md'],
      ['google-retirements', 'google/2026-08-22-vertex-model-versions.md'],
      ['venice-retirements', 'venice/2026-08-22-deprecations.mdx'],
    ] as const)
      pages.push(...(await claimsOf(source, { text: priceFile(`official/${path}`) })))
    const before = judgeAll(lists, august, feedPolicy)
    const after = judgeAll([...lists, ...pages], august, feedPolicy)

    const pricesOf = (verdicts: typeof before) =>
      [...verdicts].map(([key, { amounts, rates, rule, isConfirmed }]) => [
        key,
        amounts,
        rates,
        rule,
        isConfirmed,
      ])
    expect(pricesOf(after)).toEqual(pricesOf(before))
    const moved = [...after].flatMap(([key, { retiresOn }]) => {
      const was = before.get(key)?.retiresOn ?? null
      return was === retiresOn ? [] : [`${key}: ${was ?? 'no day'}, ${retiresOn ?? 'no day'}`]
    })
    expect(moved.filter((row) => row.includes('no day'))).toHaveLength(107)
    expect(moved.filter((row) => !row.includes('no day'))).toEqual([
      'anthropic:claude-3-opus-20240229: 2026-05-01, 2026-01-05',
      'anthropic:claude-opus-4-20250514: 2026-05-14, 2026-06-15',
      'anthropic:claude-sonnet-4-20250514: 2026-05-14, 2026-06-15',
      'openai:gpt-4-0613: 2025-06-06, 2026-10-23',
      'vertex-ai:text-embedding-004: 2026-01-14, 2027-04-01',
    ])
  })
})
