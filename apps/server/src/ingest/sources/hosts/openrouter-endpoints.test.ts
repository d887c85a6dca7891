import { expect, test } from 'vitest'
import { readOpenRouterEndpoints } from './openrouter-endpoints.ts'

/** Answers in the form of OpenRouter, hand-written. */
const now = new Date('2026-08-20T12:00:00Z')
const endpoint = (tag: string, prompt: string, more: object = {}) => ({
  ...{ tag, provider_name: 'Acme', pricing: { prompt, completion: '0.000008', discount: 0.2, ...more } },
})
const answer = (...endpoints: unknown[]) => ({
  data: { id: 'openai/gpt-9', created: 1_784_652_683, endpoints },
})
const only = (...endpoints: unknown[]) => readOpenRouterEndpoints(answer(...endpoints), now).records[0]!

const flex = endpoint('openai/flex', '0.000001', { completion: '0.000004', input_cache_read: '0.0000001' })
const standard = endpoint('openai', '0.000002', { web_search: '0.01', input_cache_read: '0.0000002' })

test('tiers are rates of the model, beside the price of their host, and bear witness only', () => {
  const record = only(standard, flex, endpoint('cheap-host/fp8', '0.0000001'))
  expect(record).toMatchObject({
    ...{ resource_id: 'openrouter:openai/gpt-9', is_witness: true },
    ...{ input_per_mtok: '2', output_per_mtok: '8', cached_input_per_mtok: null },
  })
  expect(record.rates.map(({ meter, service_tier, amount }) => [meter, service_tier, amount])).toEqual([
    ['cached_input_tokens', 'flex', '0.1'],
    ['input_tokens', 'flex', '1'],
    ['output_tokens', 'flex', '4'],
  ])
})

test('of longer requests too', () => {
  const overrides = [{ min_prompt_tokens: 272_000, prompt: '0.000002' }]
  const { rates } = only(standard, endpoint('openai/priority', '0.000004', { overrides }))
  expect(rates.find(({ threshold }) => threshold === 272_000)).toMatchObject({
    ...{ meter: 'input_tokens', service_tier: 'priority', amount: '2' },
  })
})

test.each([
  ['without tiers', [standard, endpoint('other', '0.000001')]],
  ['with a tier of nobody', [endpoint('openai/batch', '0.000001'), endpoint('other', '0.000002')]],
  ['without hosts', []],
])('a model %s states nothing', (_, endpoints) => {
  expect(only(...endpoints)).toMatchObject({ input_per_mtok: null, rates: [], is_witness: true })
})

test('hosts that agree count once, and hosts that do not are no answer', () => {
  const other = [
    endpoint('azure', '0.000002'),
    endpoint('azure/flex', '0.000001', { completion: '0.000004' }),
  ]
  expect(only(standard, flex, ...other).rates).toHaveLength(3)
  const dear = [endpoint('azure', '0.000003'), endpoint('azure/flex', '0.000001')]
  const good = { ...answer(standard, flex), data: { ...answer(standard, flex).data, id: 'a/good' } }
  expect(readOpenRouterEndpoints([good, answer(standard, flex, ...dear)], now).rejected).toEqual([
    {
      id: 'openai/gpt-9',
      reason:
        'cannot be read: row: hosts differ in prompt of the standard tier; row: hosts differ in completion of flex',
    },
  ])
})

test('an amount that is none refuses the model', () => {
  const { rejected } = readOpenRouterEndpoints(
    [answer(standard), { data: { id: 'a/b', endpoints: [standard, endpoint('openai/flex', '-3')] } }],
    now,
  )
  expect(rejected).toEqual([{ id: 'a/b', reason: 'has no usable price: prompt is negative: -3' }])
})

test.each([{}, null, [], { data: [] }, [{ data: 7 }]])('another answer is refused whole: %j', (json) => {
  expect(() => readOpenRouterEndpoints(json, now)).toThrow(/not an answer of OpenRouter's .*endpoints/)
})
