import { describe, expect, test } from 'vitest'
import { combineFacts, type ModelFacts } from './model-facts.ts'

const isOwn = (id: string) => id.startsWith('acme:')
const said = (source: string, resource_id: string, facts: ModelFacts) => ({ source, resource_id, facts })

test('a source speaks by the record of the maker: hosts cut a context short', () => {
  const facts = combineFacts(
    [
      said('models.dev', 'host:a', { context_tokens: 32_000 }),
      said('models.dev', 'other:a', { context_tokens: 32_000 }),
      said('models.dev', 'acme:a', { context_tokens: 200_000 }),
    ],
    isOwn,
  )
  expect(facts.context_tokens).toEqual({
    value: 200_000,
    said: [{ source: 'models.dev', value: 200_000 }],
    isDisputed: false,
  })
})

test('without it a source speaks by what it says most often', () => {
  const facts = combineFacts(
    [8, 64, 64].map((context_tokens, place) => said('litellm', `host:${place}`, { context_tokens })),
    isOwn,
  )
  expect(facts.context_tokens?.value).toBe(64)
})

describe('sources that disagree are told of', () => {
  test.each<[string, ModelFacts, ModelFacts, boolean]>([
    ['a context', { context_tokens: 200_000 }, { context_tokens: 1_000_000 }, true],
    ['a million, rounded', { context_tokens: 1_048_576 }, { context_tokens: 1_000_000 }, false],
    ['a day and its month', { knowledge_until: '2024-09-30' }, { knowledge_until: '2024-09' }, false],
    ['two months', { knowledge_until: '2024-09-30' }, { knowledge_until: '2024-10' }, true],
    ['an ability', { vision: true }, { vision: false }, true],
  ])('%s', (_, one, other, isDisputed) => {
    const facts = combineFacts([said('b', 'acme:a', one), said('a', 'acme:a', other)], isOwn)
    expect(Object.values(facts).map((fact) => fact.isDisputed)).toEqual([isDisputed])
  })
})

test('of two sources that disagree the one counts that has the record of the maker', () => {
  const facts = combineFacts(
    [said('a', 'host:a', { context_tokens: 1_000_000 }), said('b', 'acme:a', { context_tokens: 200_000 })],
    isOwn,
  )
  expect(facts.context_tokens).toMatchObject({ value: 200_000, isDisputed: true })
})

test('what most sources say counts, and what nobody says is not there', () => {
  const facts = combineFacts(
    [
      said('a', 'acme:a', { output_tokens: 1 }),
      said('b', 'acme:a', { output_tokens: 2 }),
      said('c', 'acme:a', { output_tokens: 2 }),
    ],
    isOwn,
  )
  expect(facts.output_tokens?.value).toBe(2)
  expect(Object.keys(facts)).toEqual(['output_tokens'])
})
