import { describe, expect, it, test } from 'vitest'
import type { Schemas } from '../contract/index.ts'
import { platformCosts, readWhole, usual, type RequestUse } from '../src/pages/calculator/use.ts'

const noAmounts: Schemas['Amounts'] = {
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
}

function price(
  resource_id: string,
  amounts: Partial<Schemas['Amounts']>,
  more: Partial<Schemas['WholePrice']> = {},
): Schemas['WholePrice'] {
  return {
    ...{ resource_id, product_id: 'acme/alpha', vendor: 'acme', platform: resource_id.split(':')[0]! },
    ...{ region: null, modality: 'llm', unit: '1m_tokens', currency: 'USD', is_confirmed: null },
    ...{ rule: null, rule_text: null, doubt: null },
    ...{ gone_since: null, retires_on: null, rates: [], announced: [] },
    amounts: { ...noAmounts, ...amounts },
    ...more,
  }
}

const rate = (values: Partial<Schemas['PriceRate']>): Schemas['PriceRate'] => ({
  ...{ meter: 'input_tokens', unit: '1m_tokens', amount: '1' },
  ...{ service_tier: null, variant: null, threshold: null, hours: null, said_by: null, denied_by: null },
  ...values,
})

const use: RequestUse = { ...usual, requests: '1000', input: '1000', output: '1000' }

describe('the costs of a use', () => {
  it('come cheapest first, exactly, what is not known last and never as 0', () => {
    const costs = platformCosts(
      [
        price('half:a', { input_per_mtok: '1' }),
        price('dear:a', { input_per_mtok: '0.3', output_per_mtok: '0.3' }),
        price('cheap:a', { input_per_mtok: '0.1', output_per_mtok: '0.2' }),
        price('free:a', { input_per_mtok: '0', output_per_mtok: '0' }),
        price('yuan:a', { input_per_mtok: '0.01', output_per_mtok: '0.01' }, { currency: 'CNY' }),
      ],
      use,
    )
    expect(costs.map(({ price: { platform }, cost }) => [platform, cost])).toEqual([
      ['free', '0'],
      ['cheap', '0.3'],
      ['dear', '0.6'],
      ['yuan', '0.02'],
      ['half', null],
    ])
    expect(costs.at(-1)?.missing).toEqual(['output'])
    expect(costs[1]?.ofOne).toBe('0.0003')
  })

  it('have the rates of long prompts, of hours, of a batch, and of what is announced', () => {
    const gemini = price(
      'google:a',
      { input_per_mtok: '1', output_per_mtok: '10' },
      {
        rates: [
          rate({ threshold: 200_000, amount: '2' }),
          rate({ hours: '00:30-16:30', amount: '4' }),
          rate({ service_tier: 'batch', amount: '0.5' }),
          rate({ meter: 'output_tokens', service_tier: 'batch', amount: '5' }),
        ],
        announced: [
          {
            ...{ starts_on: '2027-01-01', source: 'x', learned_at: '2026-01-01T00:00:00.000000Z' },
            amounts: { ...noAmounts, input_per_mtok: '3' },
          },
        ],
      },
    )
    const of = (more: Partial<RequestUse>) => platformCosts([gemini], { ...use, ...more })[0]!
    // The hour decides, so there is no single cost.
    expect(of({})).toMatchObject({
      cost: null,
      missing: [],
      isLong: false,
      atHours: [
        { hours: '00:30-16:30', cost: '14' },
        { hours: null, cost: '11' },
      ],
      ahead: { starts_on: '2027-01-01', cost: '13' },
    })
    expect(of({ isBatch: true })).toMatchObject({ cost: '5.5', atHours: [], ahead: null })
    expect(of({ cached: '50' })).toMatchObject({ cost: null, missing: ['cached input'], atHours: [] })
    expect(of({ isBatch: true, cached: '50' })).toMatchObject({ cost: null })
    // The output of long prompts may have a price of its own, which the card does not state.
    expect(of({ input: '300000' })).toMatchObject({ cost: null, missing: [], missingLong: ['output'] })
  })

  it('have the price of each request, and that of long prompts once the threshold is passed', () => {
    const long = (threshold: number) => [
      rate({ threshold, amount: '2' }),
      rate({ meter: 'output_tokens', threshold, amount: '20' }),
      rate({ meter: 'requests', unit: 'request', amount: '0.005' }),
    ]
    const of = (resource_id: string, threshold: number, input: string) =>
      platformCosts(
        [price(resource_id, { input_per_mtok: '1', output_per_mtok: '10' }, { rates: long(threshold) })],
        { ...use, input },
      )[0]!
    expect(of('google:a', 200_000, '200000')).toMatchObject({ cost: '215', isLong: false })
    expect(of('google:a', 200_000, '200001')).toMatchObject({ cost: '425.002', isLong: true })
    // "Above 272,000", written as 271999.
    expect(of('openai:a', 271_999, '272000')).toMatchObject({ cost: '287', isLong: false })
    expect(of('openai:a', 271_999, '272001')).toMatchObject({ cost: '569.002', isLong: true })
  })
})

test.each([
  ['12,000', '12000'],
  ['12 000', '12000'],
  ['0', '0'],
  ['007', '7'],
  ['100', '100'],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['99999999', null],
])('“%s” is the number %s', (text, number) => {
  expect(readWhole(text, 1_000_000)).toBe(number)
})
