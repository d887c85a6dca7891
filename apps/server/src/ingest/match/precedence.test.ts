import { describe, expect, test } from 'vitest'
import { areIndependent, rankSource } from './precedence.ts'
import { officialSources, precedence } from './source-ranks.ts'
import { sources } from '../sources/index.ts'

describe('whose spelling and dates are served', () => {
  test.each([
    ['the list that is checked by hand', 'openai', ['portkey', 'litellm', 'genai-prices'], 'genai-prices'],
    ["a platform's own list, for that platform", 'openrouter', ['genai-prices', 'openrouter'], 'openrouter'],
    ["not a platform's own list elsewhere", 'openai', ['openrouter', 'portkey'], 'portkey'],
    ["the operator's word", 'openrouter', ['openrouter', 'own-csv'], 'own-csv'],
    ['any list that is there', null, ['a new one'], 'a new one'],
  ])('%s', (_, platform, names, first) => {
    const [best] = names.toSorted((a, b) => rankSource(a, platform) - rankSource(b, platform))
    expect(best).toBe(first)
  })

  test('every source has a place', () => {
    const names = Object.keys(sources).filter((name) => !name.startsWith('own-'))
    // The seller's own word comes before them all.
    expect(new Set([...precedence, ...Object.keys(officialSources)])).toEqual(new Set(names))
  })
})

describe('who can confirm whom', () => {
  test.each([
    ['litellm', 'genai-prices', 'openai', true],
    ['litellm', 'litellm', 'openai', false],
    ['own-csv', 'own-json', 'openai', false],
    ['models.dev', 'portkey', 'openai', true],
    ['models.dev', 'portkey', 'openrouter', false],
    ['models.dev', 'openrouter', 'openrouter', false],
    ['litellm', 'openrouter', 'openrouter', true],
    // Three offers are one seller's word.
    ['aws-price-list', 'aws-price-list-models', 'bedrock', false],
    ['aws-price-list', 'litellm', 'bedrock', true],
  ])('%s and %s about %s: %s', (a, b, platform, expected) => {
    expect(areIndependent(a, b, platform)).toBe(expected)
    expect(areIndependent(b, a, platform)).toBe(expected)
  })
})
