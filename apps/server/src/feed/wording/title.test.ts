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
} from '../../../test/support/drafts.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { writeTitle } from './title.ts'

const title = (fields: Partial<ChangeDraft>, context = wordingContext()) => writeTitle(draft(fields), context)

describe('the title of a price that moves', () => {
  test('says product, amounts and platform', () => {
    expect(title({ rows: rise })).toBe('alpha-2: input +50 %, output +50 % on acme')
  })

  test('says each amount once, over all rows and platforms', () => {
    const rows = [
      moved('openai:alpha-2', tokens('10', '40'), tokens('2', '8')),
      moved('azure:alpha-2', tokens('10', '40'), tokens('6', '8')),
    ]
    expect(title({ category: 'price_cut', rows })).toBe(
      'alpha-2: input −80 % to −40 %, output −80 % on azure and openai',
    )
  })

  test('counts the amounts and platforms that have no room', () => {
    const all = { input_per_mtok: '1', output_per_mtok: '1', cached_input_per_mtok: '1', image_per_unit: '1', video_per_sec: '1' } // prettier-ignore
    const more = { input_per_mtok: '2', output_per_mtok: '2', cached_input_per_mtok: '2', image_per_unit: '2', video_per_sec: '2' } // prettier-ignore
    const rows = ['e', 'd', 'c', 'b', 'a'].map((platform) => moved(`${platform}:alpha-2`, all, more))
    expect(title({ rows })).toBe(
      'alpha-2: input +100 %, output +100 %, cached input +100 % and 2 more on a, b, c and 2 more',
    )
  })

  test('says the region of a single row, and no place where none is known', () => {
    const region = moved('bedrock:eu:alpha-2', tokens('1', '1'), tokens('2', '1'), { region: 'eu' })
    expect(title({ rows: [region] })).toBe('alpha-2: input +100 % on bedrock (eu)')
    expect(title({ rows: [region, ...rise] })).toBe(
      'alpha-2: input +50 % to +100 %, output +50 % on acme and bedrock',
    )
    const nowhere = moved('alpha-2', tokens('1', '1'), tokens('2', '1'), { platform: null })
    expect(title({ rows: [nowhere] })).toBe('alpha-2: input +100 %')
  })

  test('says what has no share of a price before', () => {
    const rows = [
      moved(
        'acme:alpha-2',
        { input_per_mtok: '0', image_per_unit: '1' },
        { input_per_mtok: '1', output_per_mtok: '1' },
      ),
    ]
    expect(title({ rows })).toBe('alpha-2: input from free, output new, image no longer stated on acme')
  })

  test('says that it changed where amounts cannot be compared', () => {
    const rows = [moved('acme:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '7', currency: 'CNY' })]
    expect(title({ rows })).toBe('alpha-2: price changed on acme')
  })

  test('of a row without a product says its id', () => {
    const unlinked = { product_id: null, platform: 'bedrock', region: 'eu' }
    const rows = [moved('bedrock:eu:alpha', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'bedrock:eu:alpha', rows })).toBe('alpha: input +100 % on bedrock (eu)')
    const odd = [moved('alpha:2', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'alpha:2', rows: odd })).toBe('alpha:2: input +100 % on bedrock (eu)')
  })

  test('has at most 200 characters, and says what happened all the same', () => {
    const id = `acme:${'x'.repeat(300)}`
    const rows = [moved(id, tokens('1', '1'), tokens('2', '1'), { product_id: null })]
    expect(title({ product: id, rows })).toBe(`${'x'.repeat(79)}…: input +100 % on acme`)
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
    expect(title(announced(day))).toBe(`${beginning}alpha-2: input +50 %, output +50 % on acme`)
  })

  test('says since when it holds', () => {
    expect(title({ rows: rise, effectiveOn: '2026-08-02' })).toBe(
      'alpha-2: input +50 %, output +50 % on acme since 2026-08-02',
    )
    expect(title({ rows: rise, effectiveOn: '2026-08-03' })).toBe(
      'alpha-2: input +50 %, output +50 % on acme from 2026-08-03',
    )
  })

  test('says that it was withdrawn', () => {
    expect(title({ rows: rise, status: 'withdrawn', effectiveOn: '2026-09-01' })).toBe(
      'Withdrawn: alpha-2: input +50 %, output +50 % on acme, announced for 2026-09-01',
    )
    expect(title({ rows: rise, status: 'withdrawn' })).toBe(
      'Withdrawn: alpha-2: input +50 %, output +50 % on acme',
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
      'alpha-2: new on bedrock, input 3, output 15 USD per 1M tokens; image 0.04 USD per image',
    )
  })

  test('counts several prices, and says when there is none', () => {
    const rows = [moved('a:x', null, tokens('3', '15')), moved('b:x', null, tokens('4', '15'))]
    expect(title({ category: 'model_added', rows })).toBe('alpha-2: new on a and b, at 2 prices')
    expect(title({ category: 'model_added', rows: [moved('a:x', null, {})] })).toBe(
      'alpha-2: new on a, price not stated',
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
    expect(removed(['litellm'], [gone('acme:x', null)])).toBe('alpha-2: no longer listed by litellm on acme')
    expect(removed(['litellm', 'portkey'], [gone('acme:x', null)])).toBe('alpha-2: removed from acme')
    expect(removed(['own-csv'], [gone('acme:x', null)])).toBe('alpha-2: removed from acme')
    expect(removed(['openrouter'], [gone('openrouter:x', null)])).toBe('alpha-2: removed from openrouter')
    // models.dev copies OpenRouter's list: the two are one origin, and OpenRouter's own list counts alone.
    expect(removed(['models.dev', 'portkey'], [gone('openrouter:x', null)])).toBe(
      'alpha-2: no longer listed by models.dev and portkey on openrouter',
    )
    expect(removed([], [gone('acme:x', null)])).toBe('alpha-2: no longer listed on acme')
  })

  test('says no removal of a product that is still sold there', () => {
    const context = wordingContext({ prices: [price('acme:alpha-2')] })
    expect(removed(['litellm', 'portkey'], [gone('acme:alpha-2-0613', null)], context)).toBe(
      'alpha-2-0613: no longer listed by litellm and portkey on acme',
    )
  })

  test('says that a removal was announced only where all of it was', () => {
    expect(removed(['own-csv'], [gone('acme:x', '2026-08-01')])).toBe(
      'alpha-2: removed from acme, as announced for 2026-08-01',
    )
    expect(removed(['own-csv'], [gone('acme:x', '2026-07-30'), gone('b:x', '2026-08-01')])).toBe(
      'alpha-2: removed from acme and b, as announced for 2026-07-30 to 2026-08-01',
    )
    expect(removed(['own-csv'], [gone('acme:x', '2026-08-01'), gone('b:x', null)])).toBe(
      'alpha-2: removed from acme and b',
    )
  })

  test.each<[string | null, string | null, string]>([
    [null, '2026-08-14', 'alpha-2: retires on 2026-08-14 (in 12 days) on acme'],
    [null, '2026-08-03', 'alpha-2: retires on 2026-08-03 (tomorrow) on acme'],
    [null, '2026-08-02', 'alpha-2: retires on 2026-08-02 (today) on acme'],
    [null, '2026-08-01', 'alpha-2: retired since 2026-08-01 on acme'],
    ['2026-08-10', '2026-08-14', 'alpha-2: retires on 2026-08-14 instead of 2026-08-10 (in 12 days) on acme'],
    ['2026-08-10', null, 'alpha-2: retirement on 2026-08-10 called off on acme'],
  ])('of a retirement from %s to %s', (was, is, expected) => {
    expect(title({ category: 'deprecation', rows: [retiring('acme:x', was, is)] })).toBe(expected)
  })

  test('of retirements that differ says the first and the last, and for how many rows there is none', () => {
    const rows = [retiring('acme:x', '2026-08-10', '2026-09-10'), retiring('b:x', null, '2026-08-20')]
    expect(title({ category: 'deprecation', rows })).toBe(
      'alpha-2: retires between 2026-08-20 and 2026-09-10 (in 18 days) on acme and b',
    )
    const off = [retiring('acme:x', '2026-08-10', null), retiring('b:x', '2026-08-11', null)]
    expect(title({ category: 'deprecation', rows: off })).toBe('alpha-2: retirement called off on acme and b')
    const both = [retiring('acme:x', '2026-08-10', null), retiring('b:x', null, '2026-08-20')]
    expect(title({ category: 'deprecation', rows: both })).toBe(
      'alpha-2: retires on 2026-08-20 (in 18 days); called off for 1 of 2 rows on acme and b',
    )
  })
})

describe('the name in a title', () => {
  const retires = (ids: string[], others: string[]) =>
    title(
      { category: 'deprecation', rows: ids.map((id) => retiring(id, null, '2026-08-14')) },
      wordingContext({ prices: others.map((id) => price(id)) }),
    ).split(': retires')[0]

  test('is the product only where all its rows on the platform are meant', () => {
    expect(retires(['acme:alpha-2-0613'], ['bedrock:alpha-2'])).toBe('alpha-2')
    expect(retires(['acme:alpha-2-0613'], ['acme:alpha-2'])).toBe('alpha-2-0613')
    expect(retires(['acme:alpha-2-0613', 'acme:alpha-2-0314'], ['acme:alpha-2'])).toBe(
      'alpha-2-0314 and alpha-2-0613',
    )
  })

  test('counts the rows where they are many, or where names and places would mean others', () => {
    const four = ['1', '2', '3', '4'].map((n) => `acme:alpha-2-000${n}`)
    expect(retires(four, ['acme:alpha-2'])).toBe('4 of 5 rows of alpha-2')
    expect(retires(['a:alpha-2-0613', 'b:alpha-2-0314'], ['a:alpha-2-0314'])).toBe('2 of 3 rows of alpha-2')
  })

  test('leaves out what platforms put before a name', () => {
    const unlinked = { product_id: null, platform: 'fireworks' }
    const id = 'fireworks:accounts/fireworks/models/kimi-k2p5'
    const rows = [moved(id, null, tokens('1', '2'), unlinked)]
    expect(title({ category: 'model_added', product: id, rows })).toBe(
      'kimi-k2p5: new on fireworks, input 1, output 2 USD per 1M tokens',
    )
    const taken = wordingContext({ prices: [price('fireworks:kimi-k2p5', unlinked)] })
    expect(title({ category: 'model_added', product: id, rows }, taken)).toMatch(/^accounts\/fireworks\//)
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
      'alpha-2: input +50 %, output +50 % on acme (1 source says so, 2 deny it)',
    )
    expect(title({ rows: rise, evidence: told.slice(0, 1) })).not.toContain('source')
  })

  test('that goes both ways says the rise first', () => {
    const rows = [moved('acme:alpha-2', tokens('4', '1'), tokens('1', '4'))]
    expect(title({ rows })).toBe('alpha-2: output +300 %, but input −75 % on acme')
  })
})

describe('the title of', () => {
  test('a rate card says a new long-context price first, else what moved', () => {
    const batch = rate({ service_tier: 'batch' })
    const tiers = (before: (typeof batch)[], after: (typeof batch)[]) =>
      title({ category: 'tier_change', rows: [recarded('acme:x', before, after)] })
    expect(tiers([batch], [{ ...batch, amount: '2' }, rate({ threshold: 200_000 })])).toBe(
      'alpha-2: new price above 200,000 tokens per request on acme',
    )
    expect(tiers([batch], [{ ...batch, amount: '2' }])).toBe('alpha-2: batch input tokens +100 % on acme')
    expect(tiers([batch], [])).toBe('alpha-2: batch input tokens no longer stated on acme')
    const units = [
      rate({ meter: 'input_dbus', unit: 'dbu' }),
      rate({ meter: 'characters', unit: '1m_characters' }),
    ]
    expect(tiers([], units)).toBe('alpha-2: input DBUs new, characters new on acme')
    expect(tiers([], [])).toBe('alpha-2: special rates changed on acme')
  })

  test('a correction says the amounts where all rows have the same', () => {
    const rows = [
      moved('a:x', tokens('4400', '1'), tokens('0.55', '2')),
      moved('a:y', tokens('4400', '3'), tokens('0.55', '4')),
    ]
    expect(title({ category: 'correction', rows })).toBe(
      'alpha-2: record corrected on a: input 4400 → 0.55 and output (USD per 1M tokens)',
    )
    const unknown = [moved('a:x', { input_per_mtok: '1' }, { image_per_unit: '2' }, { currency: null })]
    expect(title({ category: 'correction', rows: unknown })).toBe(
      'alpha-2: record corrected on a: input 1 → unknown and image unknown → 2',
    )
    const region = [moved('a:x', { region: null }, { region: 'eu' })]
    expect(title({ category: 'correction', rows: region })).toBe('alpha-2: record corrected on a (eu)')
  })

  test('a record says which of its fields changed', () => {
    const fields = (before: object, after: object) =>
      title({ category: 'metadata', rows: [moved('a:x', before, after)] })
    expect(fields({}, { unit: 'page', source_url: 'https://a.example' })).toBe(
      'alpha-2: unit and link to the source changed on a',
    )
    expect(fields({ modality: null }, { cached_input_per_mtok: '1' })).toBe(
      'alpha-2: cached input new; modality changed on a',
    )
    expect(fields({}, {})).toBe('alpha-2: record changed on a')
  })
})
