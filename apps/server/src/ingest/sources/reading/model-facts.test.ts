import { expect, test } from 'vitest'
import { litellmFacts, modelsDevFacts, openrouterFacts } from './model-facts.ts'

test('models.dev', () => {
  const facts = modelsDevFacts({
    limit: { context: 400_000, input: 272_000, output: 128_000 },
    ...{ release_date: '2025-08-07', knowledge: '2024-09' },
    ...{ modalities: { input: ['text', 'image'] }, tool_call: true, reasoning: false },
  })
  expect(facts).toEqual({
    ...{ context_tokens: 400_000, input_tokens: 272_000, output_tokens: 128_000 },
    ...{ released_on: '2025-08-07', knowledge_until: '2024-09' },
    ...{ vision: true, audio: false, tools: true, reasoning: false },
  })
})

test('LiteLLM, which writes some numbers as text', () => {
  const facts = litellmFacts({ max_input_tokens: '8192', max_output_tokens: 4096, supports_vision: true })
  expect(facts).toEqual({ input_tokens: 8_192, output_tokens: 4_096, vision: true })
})

test('OpenRouter', () => {
  const facts = openrouterFacts({
    ...{ context_length: 1_048_576, top_provider: { max_completion_tokens: null }, knowledge_cutoff: null },
    ...{ architecture: { input_modalities: ['text'] }, supported_parameters: ['tools', 'seed'] },
  })
  expect(facts).toEqual({
    ...{ context_tokens: 1_048_576, vision: false, audio: false },
    ...{ tools: true, reasoning: false, schemas: false },
  })
})

test.each([
  null,
  7,
  {},
  [],
  { limit: 'much' },
  { limit: { context: 0 } },
  { limit: { context: -1 } },
  { limit: { context: 1.5 } },
])('nothing is stated by %j', (row) => {
  expect([modelsDevFacts(row), litellmFacts(row), openrouterFacts(row)]).toEqual([{}, {}, {}])
})

test('a value of another kind, a number beyond all and a day that is none are not stated', () => {
  expect(
    modelsDevFacts({
      limit: { context: 1e12 },
      release_date: 'soon',
      knowledge: '2024-13',
      tool_call: 'yes',
    }),
  ).toEqual({})
  expect(
    litellmFacts({ max_input_tokens: true, max_output_tokens: 'many', supports_vision: 'true' }),
  ).toEqual({})
})
