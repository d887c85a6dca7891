import { describe, expect, test } from 'vitest'
import { draft, moved, price, retiring, wordingContext } from '../../../../test/support/drafts.ts'
import type { PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { findAlternatives } from './alternatives.ts'
import { findSuccessor } from './successor.ts'

const tokens = (input: string | null, output: string | null) => ({
  input_per_mtok: input,
  output_per_mtok: output,
})
const rise = [moved('acme:alpha-2', tokens('1', '2'), tokens('2', '4'))]
const offer = (id: string, input: string | null, output: string | null, fields: Partial<PriceRecord> = {}) =>
  price(id, { ...tokens(input, output), ...fields })

function alternatives(prices: PriceRecord[], fields: Partial<ChangeDraft> = {}) {
  return findAlternatives(draft({ rows: rise, ...fields }), wordingContext({ prices }))
}
const ids = (found: ReturnType<typeof alternatives>) => found.map(({ notes }) => notes?.split(': ')[0])

describe('the same product elsewhere', () => {
  test('is offered with what it costs beside the new price, for a blend of three parts of input and one of output', () => {
    expect(alternatives([offer('bedrock:alpha-2', '1.5', '3.3')])).toEqual([
      {
        product_id: 'acme/alpha-2',
        product_name: 'alpha-2 on bedrock',
        vendor: 'acme',
        migration_effort: 'low',
        cost_diff_pct: -22,
        notes: 'bedrock:alpha-2: input 1.5, output 3.3 USD per 1M tokens.',
        rank: 1,
      },
    ])
  })

  test('is offered on three platforms at most, the cheapest first, once each', () => {
    const prices = [
      offer('d:alpha', '4', '4'),
      offer('c:alpha', '3', '3'),
      offer('b:alpha', '2', '2'),
      offer('b:alpha-eu', '1.9', '2'),
      offer('a:alpha', '1', '1'),
    ]
    expect(ids(alternatives(prices))).toEqual(['a:alpha', 'b:alpha-eu', 'c:alpha'])
    expect(alternatives(prices).map(({ rank }) => rank)).toEqual([1, 2, 3])
  })

  test('in no known currency is compared with none', () => {
    const unknown = { currency: null }
    const rows = [moved('acme:alpha-2', tokens('1', '2'), tokens('2', '4'), unknown)]
    const found = alternatives([offer('a:alpha', '1.5', '3', unknown)], { rows })
    expect(found.map(({ cost_diff_pct }) => cost_diff_pct)).toEqual([null])
  })

  test('in another currency comes last and is not compared', () => {
    const prices = [offer('a:alpha', '0.5', '0.5', { currency: 'EUR' }), offer('b:alpha', '2', '2')]
    const found = alternatives(prices)
    expect(found.map(({ notes, cost_diff_pct }) => [notes, cost_diff_pct])).toEqual([
      ['b:alpha: input 2, output 2 USD per 1M tokens.', -20],
      ['a:alpha: input 0.5, output 0.5 EUR per 1M tokens.', null],
    ])
  })

  test('comes last, and without a difference, where it is free or its price is unknown', () => {
    const prices = [offer('a:alpha', '0', '0'), offer('b:alpha', null, '1'), offer('c:alpha', '9', '9')]
    expect(alternatives(prices).map(({ notes, cost_diff_pct }) => [notes?.[0], cost_diff_pct])).toEqual([
      ['c', 260],
      ['a', null],
      ['b', null],
    ])
  })

  test('has no difference in another currency, nor where the moved price is unknown', () => {
    expect(alternatives([offer('a:alpha', '1', '1', { currency: 'CNY' })])[0]?.cost_diff_pct).toBeNull()
    const rows = [moved('acme:alpha-2', { image_per_unit: '1' }, { image_per_unit: '2' })]
    expect(alternatives([offer('a:alpha', '1', '1')], { rows })[0]?.cost_diff_pct).toBeNull()
  })

  test('costs the same by 0 and not by -0', () => {
    expect(alternatives([offer('a:alpha', '2', '4')])[0]?.cost_diff_pct).toBe(0)
    expect(alternatives([offer('a:alpha', '1.9999999', '4')])[0]?.cost_diff_pct).toBe(0)
  })

  test('is compared with the cheapest of the rows that moved', () => {
    const rows = [...rise, moved('acme:eu:alpha-2', tokens('2', '4'), tokens('4', '8'))]
    expect(alternatives([offer('a:alpha', '2', '4')], { rows })[0]?.cost_diff_pct).toBe(0)
  })

  test('is neither a row of the change, nor a dearer one on its platforms, nor another product, nor without a platform', () => {
    const prices = [
      offer('acme:alpha-2', '1', '1'),
      offer('acme:alpha-2-eu', '9', '9'),
      offer('b:beta', '1', '1', { product_id: 'other/beta', vendor: 'other' }),
      offer('c:unlinked', '1', '1', { product_id: null, vendor: 'other' }),
      offer('nowhere', '1', '1', { platform: null }),
    ]
    expect(alternatives(prices)).toEqual([])
  })
})

describe('the next version', () => {
  const next = { product_id: 'acme/alpha-3' }

  test('comes before the same product elsewhere, as more work', () => {
    const found = alternatives([offer('acme:alpha-3', '1', '2', next), offer('b:alpha-2', '9', '9')])
    expect(found).toMatchObject([
      { product_id: 'acme/alpha-3', product_name: 'alpha-3 on acme', migration_effort: 'medium', cost_diff_pct: -50, rank: 1 }, // prettier-ignore
      { product_id: 'acme/alpha-2', migration_effort: 'low', rank: 2 },
    ])
  })

  test('is that of the platform one is on, else of its maker, else the cheapest', () => {
    const google = { vendor: 'google', product_id: 'google/alpha-3' }
    const rows = [moved('b:alpha', tokens('1', '1'), tokens('2', '2'), { vendor: 'google', product_id: 'google/alpha-2' })] // prettier-ignore
    const change = { product: 'google/alpha-2', rows }
    const here = offer('b:alpha-3', '9', '9', google)
    const maker = offer('google:alpha-3', '5', '5', google)
    const others = [offer('d:alpha-3', '2', '2', google), offer('c:alpha-3', '1', '1', google)]
    expect(ids(alternatives([...others, maker, here], change))).toEqual(['b:alpha-3'])
    expect(ids(alternatives([...others, maker], change))).toEqual(['google:alpha-3'])
    expect(ids(alternatives(others, change))).toEqual(['c:alpha-3'])
  })

  test('is of the same vendor and modality, and sold somewhere', () => {
    const prices = [
      offer('a:alpha-3', '1', '1', { ...next, vendor: 'other' }),
      offer('b:alpha-3', '1', '1', { ...next, modality: 'image' }),
      offer('c:alpha-3', '1', '1', { ...next, platform: null }),
    ]
    expect(alternatives(prices)).toEqual([])
  })

  test.each([
    [
      'a/claude-3-5-haiku',
      ['a/claude-haiku-5', 'a/claude-haiku-4-5', 'a/claude-sonnet-4-5'],
      'a/claude-haiku-4-5',
    ],
    ['a/gpt-4', ['a/gpt-5', 'a/gpt-4.1', 'a/gpt-4o', 'a/gpt-4.1-mini', 'a/gpt-3.5'], 'a/gpt-4.1'],
    ['a/gpt-4.9', ['a/gpt-4.10', 'a/gpt-5'], 'a/gpt-4.10'],
    ['a/o3-mini', ['a/o4-mini', 'a/gpt-4-mini', 'a/o4'], 'a/o4-mini'],
    ['a/llama-3.1-70b', ['a/llama-3.3-8b', 'a/llama-3.3-70b'], 'a/llama-3.3-70b'],
    ['a/gemini-3-pro-preview', ['a/gemini-3-pro', 'a/gemini-3.1-pro'], 'a/gemini-3-pro'],
    ['a/gemini-2.0-flash-exp', ['a/gemini-3-flash-preview', 'a/gemini-2.5-flash'], 'a/gemini-2.5-flash'],
    ['a/gemini-2.5-pro', ['a/gemini-3-pro-preview', 'a/gemini-2.5-pro'], null],
    ['a/gpt-4o', ['a/gpt-5'], null],
    ['a/mistral-large-2411', ['a/mistral-large-2512'], null],
    ['a/command', ['a/command-2'], null],
    ['ai21/jamba-large', ['ai21/jamba-large-2'], null],
    ['ai21/jamba-2', ['ai21/jamba-3'], 'ai21/jamba-3'],
  ])('of %s among %j is %s', (product, others, expected) => {
    expect(findSuccessor(product, others)).toBe(expected)
  })
})

describe('another version on the same platform', () => {
  const dated = (id: string) => offer(id, '1', '2')
  const retires = (id: string) =>
    ({ category: 'deprecation', rows: [retiring(id, null, '2026-09-01')] }) as const

  test('comes first: the newest that is no older, else the cheapest', () => {
    const snapshots = [dated('acme:alpha-2-20240513'), dated('acme:alpha-2-20250101'), dated('b:alpha-2')]
    expect(ids(alternatives(snapshots, retires('acme:alpha-2-20240806')))).toEqual([
      'acme:alpha-2-20250101',
      'b:alpha-2',
    ])
    const numbered = [offer('acme:alpha-2-0613', '1.5', '2'), offer('acme:alpha-2-0125', '0.5', '1.5')]
    expect(ids(alternatives(numbered, retires('acme:alpha-2-1106')))).toEqual(['acme:alpha-2-0125'])
  })

  test('is offered for a rise only where it costs less', () => {
    expect(ids(alternatives([offer('acme:alpha-2-0125', '1', '2')]))).toEqual(['acme:alpha-2-0125'])
    expect(ids(alternatives([offer('acme:alpha-2-0125', '2', '5')]))).toEqual([])
  })
})

describe('what the seller names in its place', () => {
  const [row] = [retiring('acme:alpha-2', null, '2026-09-01')]
  const named = {
    category: 'deprecation',
    rows: [{ ...row, after: { ...row.after!, replaced_by: 'beta-1.5' } }],
  } as const
  const beta = { product_id: 'acme/beta-1.5' }

  test('comes first, once, whatever it costs, and says who names it', () => {
    const next = offer('acme:alpha-3', '1', '2', { product_id: 'acme/alpha-3' })
    const found = alternatives([next, offer('acme:beta-1-5', '90', '180', beta)], named)
    expect(ids(found)).toEqual(['acme:beta-1-5', 'acme:alpha-3'])
    expect(found[0]).toMatchObject({ rank: 1, migration_effort: 'medium' })
    expect(found[0]?.notes).toMatch(/per 1M tokens\. Named by acme as the replacement\.( It costs|$)/)
    expect(found[1]?.notes).not.toContain('Named by')
    expect(ids(alternatives([{ ...next, resource_id: 'acme:beta-1.5' }], named))).toEqual(['acme:beta-1.5'])
  })

  test('is not offered where it retires soon too, on another platform, or under another name', () => {
    const prices = [offer('b:beta-1.5', '90', '180', beta), offer('acme:beta-1.5-mini', '90', '180', beta)]
    expect(ids(alternatives(prices, named))).toEqual([])
    const retirements = new Map([['acme:beta-1.5', '2026-09-02']])
    const context = wordingContext({ prices: [offer('acme:beta-1.5', '1', '2', beta)], retirements })
    expect(findAlternatives(draft(named), context)).toEqual([])
  })
})

describe('what is offered', () => {
  const retired = { category: 'deprecation', rows: [retiring('acme:alpha-2', null, '2026-09-01')] } as const
  const beta = { product_id: 'acme/alpha-4' }

  test('does not retire itself before a quarter has passed: the version after it is offered', () => {
    const prices = [
      offer('acme:alpha-3', '1', '2', { product_id: 'acme/alpha-3' }),
      offer('acme:alpha-4', '1', '2', beta),
    ]
    const offered = (day: string) =>
      ids(
        findAlternatives(
          draft(retired),
          wordingContext({ prices, retirements: new Map([['acme:alpha-3', day]]) }),
        ),
      )
    expect(offered('2026-11-29')).toEqual(['acme:alpha-4'])
    expect(offered('2026-11-30')[0]).toBe('acme:alpha-3')
  })

  test('says that it is more than twice as dear, is not many times dearer, and not suspiciously cheap', () => {
    const notes = (input: string) =>
      alternatives([offer('b:alpha-2', input, input)]).map(({ notes }) => notes)
    // 2.5 is the price of the blend.
    expect(notes('5')).toEqual(['b:alpha-2: input 5, output 5 USD per 1M tokens.'])
    expect(notes('6')).toEqual([
      'b:alpha-2: input 6, output 6 USD per 1M tokens. It costs 2.4 times as much.',
    ])
    expect(notes('21')).toEqual([])
    expect(notes('0.4')).toEqual([])
  })

  test('is a model of the same class where nothing nearer is sold, and of the same specialty', () => {
    const other = (id: string, input: string, fields: Partial<PriceRecord> = {}) =>
      offer(id, input, input, { product_id: null, vendor: 'other', ...fields })
    const prices = [
      other('acme:gamma', '2'),
      other('acme:gamma-tts', '2.5'),
      other('acme:delta', '6'),
      other('b:gamma', '2'),
      other('b:alpha-pro', '3', { vendor: 'acme' }),
      other('acme:image', '2', { modality: 'image' }),
    ]
    expect(ids(alternatives(prices))).toEqual(['acme:gamma', 'b:alpha-pro'])
  })
})

describe('alternatives are offered', () => {
  const prices = [offer('b:alpha-2', '1', '1')]
  const gone = [moved('acme:alpha-2', tokens('1', '2'), null)]

  test.each<[string, Partial<ChangeDraft>, number]>([
    ['for a rise', {}, 1],
    ['for a rise that is announced', { status: 'announced', effectiveOn: '2026-09-01' }, 1],
    ['for a removal', { category: 'model_removed', rows: gone }, 1],
    [
      'for a retirement',
      { category: 'deprecation', rows: [retiring('acme:alpha-2', null, '2027-01-01')] },
      1,
    ],
    ['not for a retirement that is called off', { category: 'deprecation', rows: [retiring('acme:alpha-2', '2027-01-01', null)] }, 0], // prettier-ignore
    ['not for what is withdrawn', { status: 'withdrawn', effectiveOn: '2026-09-01' }, 0],
    ['not for a cut', { category: 'price_cut' }, 0],
    ['not for tiers', { category: 'tier_change' }, 0],
    ['not for a correction', { category: 'correction' }, 0],
    ['not elsewhere for a row without a product', { product: 'acme:alpha-2', rows: [moved('acme:alpha-2', tokens('1', '2'), tokens('2', '4'), { product_id: null, vendor: 'unknown' })] }, 0], // prettier-ignore
  ])('%s', (_name, fields, expected) => {
    expect(alternatives(prices, fields)).toHaveLength(expected)
  })
})
