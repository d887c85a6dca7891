import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source-record.ts'
import { readHostList } from '../hosts/host-list.ts'
import { openrouterList } from '../hosts/provider-form.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

const readOpenRouter = (json: unknown) => readHostList(openrouterList, json, new Date())

/** An answer in OpenRouter's format, hand-written: one model for each trap of the format. */
const pricing = { prompt: '0.0000002', completion: '0.0000006000000000000001' }
const model = {
  id: 'openai/gpt-9',
  canonical_slug: 'openai/gpt-9-20260731',
  architecture: { output_modalities: ['text'] },
  pricing,
  expiration_date: null,
  links: { details: '/api/v1/models/openai/gpt-9-20260731/endpoints' },
}

function recordOf(change: Partial<Record<keyof typeof model, unknown>>): SourceRecord {
  const { records, rejected } = readOpenRouter({ data: [{ ...model, ...change }] })
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

const ratesOf = ({ rates }: SourceRecord) =>
  rates.map(({ meter, unit, variant, threshold, amount }) => [meter, unit, variant, threshold, amount])

test('texts per token become prices per million, without their dust', () => {
  expect(recordOf({ pricing: { ...pricing, input_cache_read: '0.00000002' } })).toEqual({
    ...plainRecord,
    resource_id: 'openrouter:openai/gpt-9',
    platform: 'openrouter',
    input_per_mtok: '0.2',
    output_per_mtok: '0.6',
    cached_input_per_mtok: '0.02',
    source_url: 'https://openrouter.ai/api/v1/models/openai/gpt-9-20260731/endpoints',
    source_key: 'openai/gpt-9',
  })
})

describe('what fits no column is kept in the rate card', () => {
  test.each<[string, Record<string, unknown>, unknown[]]>([
    [
      'longer requests',
      { overrides: [{ min_prompt_tokens: 272_000, prompt: '0.0000004', completion: '0.0000009' }] },
      [
        ['input_tokens', '1m_tokens', null, 272_000, '0.4'],
        ['output_tokens', '1m_tokens', null, 272_000, '0.9'],
      ],
    ],
    [
      'writes to the cache, short and long',
      { input_cache_write: '0.00000025', input_cache_write_1h: '0.0000004' },
      [
        ['cache_write_tokens', '1m_tokens', '1h', null, '0.4'],
        ['cache_write_tokens', '1m_tokens', null, null, '0.25'],
      ],
    ],
    [
      'pictures and sound, by their tokens',
      { image: '0.000002', image_output: '0.00012', audio: '0.000001', audio_output: '0.000064' },
      [
        ['input_audio_tokens', '1m_tokens', null, null, '1'],
        ['input_image_tokens', '1m_tokens', null, null, '2'],
        ['output_audio_tokens', '1m_tokens', null, null, '64'],
        ['output_image_tokens', '1m_tokens', null, null, '120'],
      ],
    ],
    [
      'fees',
      { web_search: '0.01', request: '0.005' },
      [
        ['requests', 'request', null, null, '0.005'],
        ['searches', 'query', null, null, '0.01'],
      ],
    ],
    [
      'thought at a price of its own',
      { internal_reasoning: '0.000003' },
      [['reasoning_tokens', '1m_tokens', null, null, '3']],
    ],
    ['thought at the price of output', { internal_reasoning: '0.0000006' }, []],
    ['a discount, which is no price', { discount: 0.25 }, []],
    ['a field that is not known', { moonlight: '0.5' }, [['moonlight', 'unit', null, null, '0.5']]],
  ])('%s', (_, more, rates) => {
    const record = recordOf({ pricing: { ...pricing, ...more } })
    expect(ratesOf(record)).toEqual(rates)
    expect(record).toMatchObject({ input_per_mtok: '0.2', image_per_unit: null, audio_per_min: null })
  })
})

describe('unknown is not free', () => {
  test("-1 is a router's way to say that it depends", () => {
    expect(recordOf({ id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } })).toMatchObject({
      input_per_mtok: null,
      output_per_mtok: null,
      unit: null,
    })
  })

  test('a free twin is a row of its own, at 0', () => {
    const twin = { ...model, id: 'openai/gpt-9:free', pricing: { prompt: '0', completion: '0' } }
    expect(readOpenRouter({ data: [model, twin] }).records).toMatchObject([
      { resource_id: 'openrouter:openai/gpt-9', input_per_mtok: '0.2' },
      { resource_id: 'openrouter:openai/gpt-9:free', input_per_mtok: '0' },
    ])
  })

  test('music at 0 per token is paid by the piece', () => {
    const music = { output_modalities: ['text', 'audio'] }
    const record = recordOf({ architecture: music, pricing: { prompt: '0', completion: '0' } })
    expect(record).toMatchObject({ input_per_mtok: null, output_per_mtok: null, unit: null })
  })
})

test.each([
  ['2026-08-10', '2026-08-10'],
  ['2026-08-10T00:00:00Z', '2026-08-10'],
  ['2098-12-31', null], // a maker's "never"
  ['soon', null],
  [null, null],
])('an expiration of %s retires the model on %s', (expiration_date, retires_on) => {
  expect(recordOf({ expiration_date }).retires_on).toBe(retires_on)
})

test.each([
  ['~anthropic/claude-opus-latest', 'anthropic'],
  ['z-ai/glm-9', 'zai'],
  ['someone/else', 'unknown'],
])("%s is %s's", (id, vendor) => {
  expect(recordOf({ id })).toMatchObject({ resource_id: `openrouter:${id}`, vendor })
})

test('a row that cannot be served is named, with the reason', () => {
  const odd = [
    { ...model, id: 'a/negative', pricing: { prompt: '-3' } },
    { ...model, id: 'a/unpriced', pricing: null },
    { pricing },
    { ...model },
  ]
  expect(readOpenRouter({ data: [model, ...odd] }).rejected).toEqual([
    { id: 'a/negative', reason: 'has no usable price: prompt is negative: -3' },
    { id: 'a/unpriced', reason: expect.stringMatching(/^cannot be read: pricing/) as string },
    { id: '#3', reason: expect.stringMatching(/^cannot be read: id/) as string },
    { id: 'openai/gpt-9', reason: 'names the same resource as openai/gpt-9, at the same price' },
  ])
})

test.each([{}, null, [], { data: [] }, { data: {} }, { data: [{ object: 'model' }] }])(
  'another kind of answer is refused whole: %o',
  (answer) => {
    expect(() => readOpenRouter(answer)).toThrow(/not an answer of OpenRouter/)
  },
)
