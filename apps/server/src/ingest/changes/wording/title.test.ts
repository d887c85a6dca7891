import { describe, expect, test } from 'vitest'
import {
  draft,
  evidence,
  moved,
  price,
  rate,
  recarded,
  retiring,
  state,
  wordingContext,
  announced,
  rise,
  tokens,
} from '../../../../test/support/drafts.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { writeTitle } from './title.ts'

const title = (fields: Partial<ChangeDraft>, context = wordingContext()) => writeTitle(draft(fields), context)

describe('the title of a price that moves', () => {
  test('says product, amounts and platform', () => {
    expect(title({ rows: rise })).toBe('Alpha 2 costs 50 % more on Acme ($2 → $3 in, $10 → $15 out)')
  })

  test('says each amount once, over all rows and platforms', () => {
    const rows = [
      moved('openai:alpha-2', tokens('10', '40'), tokens('2', '8')),
      moved('azure:alpha-2', tokens('10', '40'), tokens('6', '8')),
    ]
    expect(title({ category: 'price_cut', rows })).toBe(
      'Alpha 2 is 40 % to 80 % cheaper on Microsoft Azure and OpenAI',
    )
  })

  test('counts the amounts and platforms that have no room', () => {
    const all = { input_per_mtok: '1', output_per_mtok: '1', cached_input_per_mtok: '1', image_per_unit: '1', video_per_sec: '1' } // prettier-ignore
    const more = { input_per_mtok: '2', output_per_mtok: '2', cached_input_per_mtok: '2', image_per_unit: '2', video_per_sec: '2' } // prettier-ignore
    const rows = ['e', 'd', 'c', 'b', 'a'].map((platform) => moved(`${platform}:alpha-2`, all, more))
    expect(title({ rows })).toBe('Alpha 2 costs 100 % more on A, B, C and 2 more')
  })

  test('says the region of a single row, and no place where none is known', () => {
    const region = moved('bedrock:eu:alpha-2', tokens('1', '1'), tokens('2', '1'), { region: 'eu' })
    expect(title({ rows: [region] })).toBe(
      'Alpha 2 costs 100 % more for input on Amazon Bedrock (eu): $1 → $2 in',
    )
    expect(title({ rows: [region, ...rise] })).toBe(
      'Alpha 2 costs 50 % to 100 % more on Acme and Amazon Bedrock',
    )
    const nowhere = moved('alpha-2', tokens('1', '1'), tokens('2', '1'), { platform: null })
    expect(title({ rows: [nowhere] })).toBe('Alpha 2 costs 100 % more for input ($1 → $2 in)')
  })

  test('says what has no share of a price before', () => {
    const rows = [
      moved(
        'acme:alpha-2',
        { input_per_mtok: '0', image_per_unit: '1' },
        { input_per_mtok: '1', output_per_mtok: '1' },
      ),
    ]
    expect(title({ rows })).toBe(
      'Alpha 2 is no longer free for input, has a new price for output, no longer has a price for image on Acme',
    )
  })

  test('says that it changed where amounts cannot be compared', () => {
    const rows = [moved('acme:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '7', currency: 'CNY' })]
    expect(title({ rows })).toBe('Alpha 2 has new prices on Acme')
  })

  test('of a row without a product says its id', () => {
    const unlinked = { product_id: null, platform: 'bedrock', region: 'eu' }
    const rows = [moved('bedrock:eu:alpha', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'bedrock:eu:alpha', rows })).toBe(
      'Alpha costs 100 % more for input on Amazon Bedrock (eu): $1 → $2 in',
    )
    const odd = [moved('alpha:2', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'alpha:2', rows: odd })).toBe(
      'Alpha (2) costs 100 % more for input on Amazon Bedrock (eu): $1 → $2 in',
    )
  })

  test('has at most 200 characters, and says what happened all the same', () => {
    const id = `acme:${'x'.repeat(300)}`
    const rows = [moved(id, tokens('1', '1'), tokens('2', '1'), { product_id: null })]
    expect(title({ product: id, rows })).toBe(`X${'x'.repeat(78)}… costs 100 % more for input on Acme`)
    const platform = 'p'.repeat(300)
    const far = [moved(id, tokens('1', '1'), tokens('2', '1'), { product_id: null, platform })]
    expect(title({ product: id, rows: far })).toHaveLength(200)
  })
})

describe('the title of a dated price', () => {
  test.each([
    ['2026-09-02', 'From 2026-09-02: '],
    ['2026-09-01', 'In 30 days (2026-09-01): '],
    ['2026-08-09', 'In 7 days (2026-08-09): '],
    ['2026-08-03', 'Tomorrow (2026-08-03): '],
    ['2026-08-02', 'From 2026-08-02: '],
  ])('from %s begins with %s', (day, beginning) => {
    expect(title(announced(day))).toBe(
      `${beginning}Alpha 2 costs 50 % more on Acme ($2 → $3 in, $10 → $15 out)`,
    )
  })

  test('says since when it holds', () => {
    expect(title({ rows: rise, effectiveOn: '2026-08-02' })).toBe(
      'Alpha 2 costs 50 % more on Acme since 2026-08-02 ($2 → $3 in, $10 → $15 out)',
    )
    expect(title({ rows: rise, effectiveOn: '2026-08-03' })).toBe(
      'Alpha 2 costs 50 % more on Acme from 2026-08-03 ($2 → $3 in, $10 → $15 out)',
    )
  })

  test('says that it was withdrawn', () => {
    expect(title({ rows: rise, status: 'withdrawn', effectiveOn: '2026-09-01' })).toBe(
      'Called off: Alpha 2 costs 50 % more on Acme from 2026-09-01 ($2 → $3 in, $10 → $15 out)',
    )
    expect(title({ rows: rise, status: 'withdrawn' })).toBe(
      'Called off: Alpha 2 costs 50 % more on Acme ($2 → $3 in, $10 → $15 out)',
    )
  })

  test('is not one of a record that is corrected', () => {
    expect(title({ category: 'correction', rows: rise, effectiveOn: '2026-08-01' })).not.toContain('since')
  })
})

describe('the title of a product that comes or goes', () => {
  test('says the price of a new one', () => {
    const rows = [moved('bedrock:alpha-2', null, { ...tokens('3', '15'), image_per_unit: '0.04' })]
    expect(title({ category: 'model_added', rows })).toBe(
      'Alpha 2 is new on Amazon Bedrock ($3 in, $15 out, $0.04 per image)',
    )
  })

  test('counts several prices, and says when there is none', () => {
    const rows = [moved('a:x', null, tokens('3', '15')), moved('b:x', null, tokens('4', '15'))]
    expect(title({ category: 'model_added', rows })).toBe('Alpha 2 is new on A and B (2 prices)')
    expect(title({ category: 'model_added', rows: [moved('a:x', null, {})] })).toBe(
      'Alpha 2 is new on A (no price stated)',
    )
  })

  const gone = (id: string, retires_on: string | null) => ({
    resource_id: id,
    before: state(price(id), { retires_on }),
    after: null,
  })
  const removed = (sources: string[], rows: ReturnType<typeof gone>[], context = wordingContext()) =>
    title(
      {
        category: 'model_removed',
        rows,
        evidence: rows.flatMap(({ resource_id }) => sources.map((source) => evidence(resource_id, source))),
      },
      context,
    )

  test('says who lists it no longer, and that it is removed where its own list or two sources say so', () => {
    expect(removed(['litellm'], [gone('acme:x', null)])).toBe('LiteLLM no longer lists Alpha 2 on Acme')
    expect(removed(['litellm', 'portkey'], [gone('acme:x', null)])).toBe('Alpha 2 was removed from Acme')
    expect(removed(['own-csv'], [gone('acme:x', null)])).toBe('Alpha 2 was removed from Acme')
    expect(removed(['openrouter'], [gone('openrouter:x', null)])).toBe('Alpha 2 was removed from OpenRouter')
    // models.dev copies OpenRouter's list: the two are one origin, and OpenRouter's own list counts alone.
    expect(removed(['models.dev', 'portkey'], [gone('openrouter:x', null)])).toBe(
      'models.dev and Portkey no longer list Alpha 2 on OpenRouter',
    )
    expect(removed([], [gone('acme:x', null)])).toBe('Alpha 2 is no longer listed on Acme')
  })

  test('says no removal of a product that is still sold there', () => {
    const context = wordingContext({ prices: [price('acme:alpha-2')] })
    expect(removed(['litellm', 'portkey'], [gone('acme:alpha-2-0613', null)], context)).toBe(
      'LiteLLM and Portkey no longer list Alpha 2 0613 on Acme',
    )
  })

  test('says that a removal was announced only where all of it was', () => {
    expect(removed(['own-csv'], [gone('acme:x', '2026-08-01')])).toBe(
      'Alpha 2 was removed from Acme, as announced for 2026-08-01',
    )
    expect(removed(['own-csv'], [gone('acme:x', '2026-07-30'), gone('b:x', '2026-08-01')])).toBe(
      'Alpha 2 was removed from Acme and B, as announced for 2026-07-30 to 2026-08-01',
    )
    expect(removed(['own-csv'], [gone('acme:x', '2026-08-01'), gone('b:x', null)])).toBe(
      'Alpha 2 was removed from Acme and B',
    )
  })

  test.each<[string | null, string | null, string]>([
    [null, '2026-08-14', 'Alpha 2 retires from Acme on 2026-08-14 (in 12 days)'],
    [null, '2026-08-03', 'Alpha 2 retires from Acme on 2026-08-03 (tomorrow)'],
    [null, '2026-08-02', 'Alpha 2 retires from Acme on 2026-08-02 (today)'],
    [null, '2026-08-01', 'Alpha 2 retired from Acme on 2026-08-01'],
    [
      '2026-08-10',
      '2026-08-14',
      'Alpha 2 retires from Acme on 2026-08-14 instead of 2026-08-10 (in 12 days)',
    ],
    ['2026-08-10', null, 'Alpha 2 on Acme: retirement on 2026-08-10 no longer announced'],
  ])('of a retirement from %s to %s', (was, is, expected) => {
    expect(title({ category: 'deprecation', rows: [retiring('acme:x', was, is)] })).toBe(expected)
  })

  test('of retirements that differ says the first and the last, and for how many rows there is none', () => {
    const rows = [retiring('acme:x', '2026-08-10', '2026-09-10'), retiring('b:x', null, '2026-08-20')]
    expect(title({ category: 'deprecation', rows })).toBe(
      'Alpha 2 retires from Acme and B between 2026-08-20 and 2026-09-10 (in 18 days)',
    )
    const off = [retiring('acme:x', '2026-08-10', null), retiring('b:x', '2026-08-11', null)]
    expect(title({ category: 'deprecation', rows: off })).toBe(
      'Alpha 2 on Acme and B: retirement no longer announced',
    )
    const both = [retiring('acme:x', '2026-08-10', null), retiring('b:x', null, '2026-08-20')]
    expect(title({ category: 'deprecation', rows: both })).toBe(
      'Alpha 2 retires from Acme and B on 2026-08-20 (in 18 days); no longer announced for 1 of 2 listings',
    )
  })
})

describe('the name in a title', () => {
  const retires = (ids: string[], others: string[]) =>
    title(
      { category: 'deprecation', rows: ids.map((id) => retiring(id, null, '2026-08-14')) },
      wordingContext({ prices: others.map((id) => price(id)) }),
    ).split(/ retires? /)[0]

  test('is the product only where all its rows on the platform are meant', () => {
    expect(retires(['acme:alpha-2-0613'], ['bedrock:alpha-2'])).toBe('Alpha 2')
    expect(retires(['acme:alpha-2-0613'], ['acme:alpha-2'])).toBe('Alpha 2 0613')
    expect(retires(['acme:alpha-2-0613', 'acme:alpha-2-0314'], ['acme:alpha-2'])).toBe(
      'Alpha 2 0314 and Alpha 2 0613',
    )
  })

  test('counts the rows where they are many, or where names and places would mean others', () => {
    const four = ['1', '2', '3', '4'].map((n) => `acme:alpha-2-000${n}`)
    expect(retires(four, ['acme:alpha-2'])).toBe('4 of 5 listings of Alpha 2')
    expect(retires(['a:alpha-2-0613', 'b:alpha-2-0314'], ['a:alpha-2-0314'])).toBe(
      '2 of 3 listings of Alpha 2',
    )
  })

  test('leaves out what platforms put before a name', () => {
    const unlinked = { product_id: null, platform: 'fireworks' }
    const id = 'fireworks:accounts/fireworks/models/kimi-k2p5'
    const rows = [moved(id, null, tokens('1', '2'), unlinked)]
    expect(title({ category: 'model_added', product: id, rows })).toBe(
      'Kimi K2.5 is new on Fireworks ($1 in, $2 out)',
    )
    const taken = wordingContext({ prices: [price('fireworks:kimi-k2p5', unlinked)] })
    expect(title({ category: 'model_added', product: id, rows }, taken)).toMatch(
      /^accounts\/fireworks\/models\/kimi-k2p5 is new/,
    )
  })

  test('that another row has too is told apart by its own words, else by its region', () => {
    const other = { product_id: null, platform: 'bedrock' }
    const beside = (id: string, region: string | null = null, own = 'openai.gpt-5-luna') =>
      title(
        {
          category: 'model_added',
          product: 'acme/alpha-2',
          rows: [moved(`bedrock:${own}`, null, tokens('1', '2'), other)],
        },
        wordingContext({ prices: [price(id, { platform: 'bedrock', region, product_id: 'acme/alpha-2' })] }),
      )
    expect(beside('bedrock:gpt-5-luna')).toBe('GPT-5 Luna (openai) is new on Amazon Bedrock ($1 in, $2 out)')
    expect(beside('bedrock:gpt-5-v1', null, 'gpt-5-v1:0')).toMatch(/^gpt-5-v1:0 is new/)
    expect(beside('bedrock:eu:gpt-5-luna', 'eu')).toBe(
      'GPT-5 Luna is new on Amazon Bedrock (default region): $1 in, $2 out',
    )
  })
})

describe('the title of a disputed move', () => {
  test('says how many sources say so and how many deny it', () => {
    const says = (source: string, amount: string) => ({ ...evidence('acme:alpha-2', source), field: 'input_per_mtok', amount }) // prettier-ignore
    const told = [
      says('litellm', '3'),
      says('portkey', '2'),
      says('models.dev', '2.001'),
      says('openrouter', '9'),
    ]
    expect(title({ rows: rise, evidence: told })).toBe(
      'Alpha 2 costs 50 % more on Acme ($2 → $3 in, $10 → $15 out); 1 source says so, 2 deny it',
    )
    expect(title({ rows: rise, evidence: told.slice(0, 1) })).not.toContain('source')
  })

  test('that goes both ways says the rise first', () => {
    const rows = [moved('acme:alpha-2', tokens('4', '1'), tokens('1', '4'))]
    expect(title({ rows })).toBe(
      'Alpha 2 costs 300 % more for output, but 75 % less for input on Acme ($4 → $1 in, $1 → $4 out)',
    )
  })
})

describe('the title of', () => {
  test('a rate card says a new long-context price first, else what moved', () => {
    const batch = rate({ service_tier: 'batch' })
    const tiers = (before: (typeof batch)[], after: (typeof batch)[]) =>
      title({ category: 'tier_change', rows: [recarded('acme:x', before, after)] })
    expect(tiers([batch], [{ ...batch, amount: '2' }, rate({ threshold: 200_000 })])).toBe(
      'Alpha 2 has a new price above 200,000 tokens per request on Acme',
    )
    expect(tiers([batch], [{ ...batch, amount: '2' }])).toBe(
      'Alpha 2 costs 100 % more for batch input tokens on Acme ($1 → $2)',
    )
    expect(tiers([batch], [])).toBe('Alpha 2 no longer has a price for batch input tokens on Acme (was $1)')
    const units = [
      rate({ meter: 'input_dbus', unit: 'dbu' }),
      rate({ meter: 'characters', unit: '1m_characters' }),
    ]
    expect(tiers([], units)).toBe('Alpha 2 has a new price for input DBUs and 1 more on Acme')
    expect(tiers([], [])).toBe('Alpha 2 has new prices on Acme')
  })

  test('a correction says the amounts where all rows have the same', () => {
    const rows = [
      moved('a:x', tokens('4400', '1'), tokens('0.55', '2')),
      moved('a:y', tokens('4400', '3'), tokens('0.55', '4')),
    ]
    expect(title({ category: 'correction', rows })).toBe(
      'Corrected: Alpha 2 on A, input $4,400 → $0.55 and output',
    )
    const unknown = [moved('a:x', { input_per_mtok: '1' }, { image_per_unit: '2' }, { currency: null })]
    expect(title({ category: 'correction', rows: unknown })).toBe(
      'Corrected: Alpha 2 on A, input 1 → unknown and image unknown → 2',
    )
    const region = [moved('a:x', { region: null }, { region: 'eu' })]
    expect(title({ category: 'correction', rows: region })).toBe('Corrected: Alpha 2 on A (eu)')
  })

  test('a record says which of its fields changed', () => {
    const fields = (before: object, after: object) =>
      title({ category: 'metadata', rows: [moved('a:x', before, after)] })
    expect(fields({}, { unit: 'page', source_url: 'https://a.example' })).toBe(
      'Alpha 2 on A: unit and link to the source changed',
    )
    expect(fields({ modality: null }, { cached_input_per_mtok: '1' })).toBe(
      'Alpha 2 on A: cached input new; modality changed',
    )
    expect(fields({}, {})).toBe('Alpha 2 on A: record changed')
  })
})
