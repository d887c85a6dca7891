import { describe, expect, test } from 'vitest'
import type { Rate } from '../../catalog/rate-card.ts'
import { feedPolicy } from '../policy.ts'
import { noAmounts, type SourceRecord } from '../source-record.ts'
import { firstClaim, restate, type Claim } from '../claims/claim.ts'
import { judgeAll } from './judge-all.ts'
import type { Verdict } from './judge-resource.ts'

// What is served of one row, by the word of some sources: the rules of docs/feed.md, one by one.

const day = (date: number) => new Date(Date.UTC(2026, 2, date)).toISOString()

type Row = [input: number | null, output: number | null, cached?: number | null]

function record([input, output, cached = null]: Row, rates: Rate[] = [], id = 'acme:alpha'): SourceRecord {
  const text = (amount: number | null) => (amount === null ? null : String(amount))
  return {
    ...noAmounts,
    resource_id: id,
    product_id: null,
    vendor: 'acme',
    platform: id.split(':')[0]!,
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: text(input),
    output_per_mtok: text(output),
    cached_input_per_mtok: text(cached),
    currency: 'USD',
    source_url: null,
    effective_at: null,
    source_key: id,
    model_name: id.split(':')[1]!,
    is_named: true,
    rates,
    retires_on: null,
    scheduled: [],
  }
}

const batch = (amount: number, meter = 'input_tokens', threshold: number | null = null): Rate => ({
  ...{ meter, unit: '1m_tokens', amount: String(amount), service_tier: 'batch' },
  ...{ variant: null, threshold, hours: null },
})

/** What a source has said, state by state; it still said the last one at `until`. */
function claim(
  source: string,
  states: [date: number, row: Row, rates?: Rate[]][],
  until = 1,
  served: Row | null = null,
): Claim {
  const [[first, row, rates], ...later] = states as [(typeof states)[0], ...typeof states]
  const at = { at: day(first) }
  let said = firstClaim(source, 'acme:alpha', record(row, rates), at)
  for (const [date, next, card] of later)
    said = restate(said, record(next, card), {
      ...{ at: day(date), served: served && record(served), policy: feedPolicy },
    })
  return { ...said, lastSeen: day(until) }
}

function judge(claims: Claim[], date = 30): Verdict {
  const verdict = judgeAll(claims, day(date), feedPolicy).get('acme:alpha')!
  const reversed = judgeAll(claims.toReversed(), day(date), feedPolicy).get('acme:alpha')
  expect(reversed).toEqual(verdict)
  return verdict
}

function tupleOf({ amounts }: Verdict): (number | null)[] {
  return [amounts.input_per_mtok, amounts.output_per_mtok, amounts.cached_input_per_mtok].map(({ value }) =>
    value === null ? null : Number(value),
  )
}

describe('a row', () => {
  test('is one thing: what is served together is stated together', () => {
    const verdict = judge([
      claim('genai-prices', [[1, [1, 4, 0.1]]]),
      claim('litellm', [[1, [1, 5, 0.2]]]),
      claim('models.dev', [[1, [1, 5, 0.2]]]),
      claim('portkey', [[1, [2, 4, 0.1]]]),
    ])
    expect([tupleOf(verdict), verdict.rule, verdict.isConfirmed]).toEqual([[1, 5, 0.2], 'agreed', true])
  })

  test('is filled by another source only where the first leaves it open', () => {
    const agreeing = judge([claim('genai-prices', [[1, [1, 4]]]), claim('litellm', [[1, [1, 4, 0.1]]])])
    expect(tupleOf(agreeing)).toEqual([1, 4, 0.1])
    const contradicting = judge([
      claim('models.dev', [[1, [1, 4]]]),
      claim('portkey', [[1, [1, 4]]]),
      claim('litellm', [[1, [2, 4, 0.1]]]),
    ])
    expect(tupleOf(contradicting)).toEqual([1, 4, null])
  })

  const impossible: [string, Row, Row][] = [
    ['cached input above input', [1, 4, 2], [1, 4, null]],
    ['cached input by a slip of the unit', [1, 4, 0.001], [1, 4, null]],
    ['a row with an amount that nobody charges', [5_000, 6, 50], [null, null, null]],
    ['a row with an output of another unit', [2, 0.03, 0.2], [null, null, null]],
  ]
  test.each(impossible)('holds %s', (_, stated, served) => {
    const verdict = judge([claim('litellm', [[1, stated]])])
    expect(tupleOf(verdict)).toEqual(served)
    expect(verdict.held.length).toBe(stated.filter((amount, place) => amount !== served[place]).length)
  })

  test('that more deny than state is not confirmed', () => {
    const verdict = judge([
      claim('models.dev', [[1, [1, 4]]]),
      claim('portkey', [[1, [1, 4]]]),
      claim('litellm', [[1, [2, 4]]]),
      claim('genai-prices', [[1, [3, 4]]]),
      claim('llm-prices', [[1, [4, 4]]]),
    ])
    expect([tupleOf(verdict), verdict.isConfirmed]).toEqual([[1, 4, null], false])
  })
})

describe('a move', () => {
  const was: Row = [2, 8]
  const is: Row = [1, 4]
  const moved = (source: string, date: number, until: number) =>
    claim(
      source,
      [
        [1, was],
        [date, is],
      ],
      until,
      was,
    )

  test.each([
    [3, [2, 8], 'waiting'],
    [4, [1, 4], 'alone'],
  ])('by half of one source alone stands for a day (%d)', (until, served, rule) => {
    const verdict = judge([moved('litellm', 3, until)])
    expect([tupleOf(verdict).slice(0, 2), verdict.rule]).toEqual([served, rule])
  })

  test.each([
    [13, [2, 8]],
    [14, [1, 4]],
  ])(
    'that another source denies is served after eleven days, however many are stale (%d)',
    (until, served) => {
      const stale = ['genai-prices', 'models.dev', 'portkey'].map((source) =>
        claim(source, [[1, was]], until),
      )
      expect(tupleOf(judge([moved('litellm', 3, until), ...stale])).slice(0, 2)).toEqual(served)
    },
  )

  test('is denied by a source whose rows came in a flood, though it is not heard yet', () => {
    const flooded = { ...claim('models.dev', [[2, was]], 4), isFlood: true }
    const small = claim(
      'litellm',
      [
        [1, was],
        [3, [2.1, 8]],
      ],
      4,
    )
    expect(tupleOf(judge([small, flooded])).slice(0, 2)).toEqual([2, 8])
    expect(tupleOf(judge([small])).slice(0, 2)).toEqual([2.1, 8])
  })

  test('of two sources is served at once, whoever is stale', () => {
    const stale = ['genai-prices', 'llm-prices', 'portkey'].map((source) => claim(source, [[1, was]], 4))
    const verdict = judge([moved('litellm', 3, 4), moved('models.dev', 4, 4), ...stale])
    expect([tupleOf(verdict).slice(0, 2), verdict.rule]).toEqual([[1, 4], 'agreed'])
  })

  test('is still denied by a source that has looked since', () => {
    const looked = { ...claim('models.dev', [[1, was]], 30), checkedAt: day(10) }
    const other = { ...claim('portkey', [[1, was]], 30), checkedAt: day(10) }
    expect(tupleOf(judge([moved('litellm', 3, 30), looked, other])).slice(0, 2)).toEqual([2, 8])
  })

  test.each([
    [13, [2, 8]],
    [14, [20, 8]],
  ])('by ten times stands for eleven days (%d)', (until, served) => {
    const slipped = claim(
      'litellm',
      [
        [1, was],
        [3, [20, 8]],
      ],
      until,
      was,
    )
    expect(tupleOf(judge([slipped])).slice(0, 2)).toEqual(served)
  })

  test('that a person rejected is served once another source has stood by the same', () => {
    const rejected = moved('models.dev', 3, 30)
    for (const move of Object.values(rejected.moves)) move.decided = 'rejected'
    expect(tupleOf(judge([rejected, claim('litellm', [[1, was]], 30)])).slice(0, 2)).toEqual(was)
    const second = (until: number) => moved('litellm', 10, until)
    expect(tupleOf(judge([rejected, second(10)])).slice(0, 2)).toEqual(was)
    expect(tupleOf(judge([rejected, second(30)])).slice(0, 2)).toEqual([1, 4])
  })

  test('waits with the whole row that moved', () => {
    const slipped = claim(
      'litellm',
      [
        [1, [2, 8, 0.2]],
        [3, [20, 9, 0.3]],
      ],
      4,
      [2, 8, 0.2],
    )
    expect(tupleOf(judge([slipped]))).toEqual([2, 8, 0.2])
  })

  test('that is taken back before it was believed was none', () => {
    const back = claim(
      'litellm',
      [
        [1, was],
        [3, [20, 8]],
        [4, was],
      ],
      5,
      was,
    )
    expect(back.moves).toEqual({})
  })
})

describe('a rate', () => {
  test('is served from any source whose base is the served one, key by key', () => {
    const verdict = judge([
      claim('genai-prices', [[1, [2, 8], []]]),
      claim('litellm', [[1, [2, 8], [batch(1)]]]),
      claim('models.dev', [[1, [2, 8], [batch(4, 'output_tokens')]]]),
      claim('portkey', [[1, [3, 8], [batch(1, 'output_tokens', 200_000)]]]),
    ])
    expect(verdict.rates.map(({ meter, amount }) => [meter, amount])).toEqual([
      ['input_tokens', '1'],
      ['output_tokens', '4'],
    ])
    expect(Object.values(verdict.rateEvidence).map(({ said_by }) => said_by)).toEqual([
      ['litellm'],
      ['models.dev'],
    ])
  })

  test('of two amounts is the one that weighs more, and the other is in the evidence', () => {
    const verdict = judge([
      claim('genai-prices', [[1, [2, 8], [batch(1.5)]]]),
      claim('litellm', [[1, [2, 8], [batch(1)]]]),
      claim('models.dev', [[1, [2, 8], [batch(1)]]]),
    ])
    expect(verdict.rates.map(({ amount }) => amount)).toEqual(['1'])
    expect(Object.values(verdict.rateEvidence)).toEqual([
      { said_by: ['litellm', 'models.dev'], denied_by: { 'genai-prices': '1.5' } },
    ])
  })

  test.each([
    ['a batch above the standard price', 3],
    ['a tier that slips by 1,000', 0.001],
  ])('is held: %s', (_, amount) => {
    const verdict = judge([claim('litellm', [[1, [2, 8], [batch(amount)]]])])
    expect([verdict.rates, verdict.held.map(({ reason }) => reason)]).toEqual([[], ['card']])
  })

  test('that doubles is believed after a day', () => {
    const until = (date: number) =>
      claim(
        'litellm',
        [
          [1, [2, 8], [batch(0.5)]],
          [3, [2, 8], [batch(1)]],
        ],
        date,
      )
    expect(judge([until(3)]).rates.map(({ amount }) => amount)).toEqual(['0.5'])
    expect(judge([until(4)]).rates.map(({ amount }) => amount)).toEqual(['1'])
  })
})
