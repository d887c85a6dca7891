import { describe, expect, test } from 'vitest'
import { newestFiles, priceDataDir, priceInput, skipTitle } from '../../../test/support/price-files.ts'
import { buildKey } from './names.ts'
import { feedPolicy } from '../policy.ts'
import { weighSource } from './precedence.ts'
import { readSource } from '../run/read-source.ts'
import { measureReliability, type CountedClaim } from '../../../test/support/reliability.ts'
import { reliability } from './source-ranks.ts'

/** What each source states as the input of one model. */
function claimsOf(
  amounts: Record<string, string>,
  platform = 'acme',
  key = `${platform}:alpha`,
): CountedClaim[] {
  return Object.entries(amounts).map(([source, input_per_mtok]) => ({
    ...{ source, key },
    stated: { platform, currency: 'USD', input_per_mtok, output_per_mtok: null, cached_input_per_mtok: null },
  }))
}

/** `alike` of `compared` of each source that is compared. */
function countsOf(...claims: CountedClaim[][]): Record<string, string> {
  const measured = Object.entries(measureReliability(claims.flat(), feedPolicy))
  return Object.fromEntries(
    measured.map(([source, { byPlatform }]) => {
      const shares = Object.values(byPlatform)
      const sum = (what: 'alike' | 'compared') => shares.reduce((total, share) => total + share[what], 0)
      return [source, `${sum('alike')} of ${sum('compared')}`]
    }),
  )
}

describe('how often a source states what others agree on', () => {
  test('a pair cannot confirm itself', () => {
    expect(countsOf(claimsOf({ litellm: '2', portkey: '2' }))).toEqual({})
    expect(countsOf(claimsOf({ litellm: '2', portkey: '2', 'models.dev': '3' }))).toEqual({
      'models.dev': '0 of 1',
    })
  })

  test('three confirm each other, and deny a fourth', () => {
    const amounts = { litellm: '2', portkey: '2', 'models.dev': '2.001', 'genai-prices': '3' }
    expect(countsOf(claimsOf(amounts))).toEqual({
      ...{ litellm: '1 of 1', portkey: '1 of 1', 'models.dev': '1 of 1' },
      'genai-prices': '0 of 1',
    })
  })

  test('two pairs decide nothing about each other but what is left', () => {
    const amounts = { litellm: '2', portkey: '2', 'models.dev': '3', 'genai-prices': '3' }
    expect(countsOf(claimsOf(amounts))).toEqual(
      Object.fromEntries(Object.keys(amounts).map((source) => [source, '0 of 1'])),
    )
    expect(countsOf(claimsOf({ ...amounts, 'llm-prices': '3' }))['llm-prices']).toBeUndefined()
  })

  test('copies of one list are one, and a copy does not bear out its original', () => {
    const amounts = { openrouter: '2', portkey: '2', 'models.dev': '2' }
    expect(countsOf(claimsOf(amounts, 'openrouter'))).toEqual({})
    expect(countsOf(claimsOf({ ...amounts, litellm: '3' }, 'openrouter'))).toEqual({})
    expect(countsOf(claimsOf({ ...amounts, litellm: '2' }, 'openrouter'))).toEqual({})
    expect(countsOf(claimsOf({ ...amounts, litellm: '2', 'genai-prices': '3' }, 'openrouter'))).toEqual({
      'genai-prices': '0 of 1',
    })
  })

  test('amounts of two currencies neither agree nor disagree', () => {
    const euros = claimsOf({ portkey: '2', 'models.dev': '2' }).map(({ stated, ...claim }) => ({
      ...claim,
      stated: { ...stated, currency: 'EUR' },
    }))
    expect(countsOf([...claimsOf({ litellm: '2' }), ...euros])).toEqual({})
  })

  test('a few amounts move a share little, and a platform begins at the share over all', () => {
    const amounts = { litellm: '2', portkey: '2', 'models.dev': '2', 'genai-prices': '3' }
    const claims = Array.from({ length: 20 }, (_, index) => claimsOf(amounts, 'acme', `acme:${index}`))
    const { overall, byPlatform } = measureReliability(claims.flat(), feedPolicy)['genai-prices']!
    expect(overall).toEqual({ compared: 20, alike: 0, share: 0.45 })
    expect(byPlatform.acme).toEqual({ compared: 20, alike: 0, share: 0.15 })
  })
})

describe('what a word weighs', () => {
  test.each([
    ['own-csv', 'openai', Infinity],
    ['openrouter', 'openrouter', 10],
    ['litellm', 'anthropic', 2.9],
    ['litellm', 'mistral', 1.4],
    ['litellm', null, 2.5],
    ['litellm', 'constructor', 2.5],
    ['a new one', 'openai', 2.5],
  ])('%s on %s: %d', (source, platform, weight) => {
    expect(weighSource(source, platform)).toBe(weight)
  })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the files as published'), () => {
  test('the table is what they say', async () => {
    const claims: CountedClaim[] = []
    for (const { source, path, at } of newestFiles) {
      const { records } = await readSource(source, { ...priceInput(path), now: new Date(at) })
      claims.push(...records.map((stated) => ({ source, key: buildKey(stated), stated })))
    }
    const round = (share: number) => Math.round(share * 1_000) / 1_000
    const { openrouter, ...measured } = measureReliability(claims, feedPolicy)
    expect(Object.keys(openrouter!.byPlatform)).toEqual(['openrouter'])
    const table = Object.entries(measured).map(([source, { overall, byPlatform }]) => {
      const counted = Object.entries(byPlatform).flatMap(([platform, { compared, share }]) =>
        platform === 'openrouter' || compared < 20 ? [] : [[platform, round(share)] as const],
      )
      return [source, { overall: round(overall.share), byPlatform: Object.fromEntries(counted) }]
    })
    expect(Object.fromEntries(table)).toEqual(reliability)
  })
})
