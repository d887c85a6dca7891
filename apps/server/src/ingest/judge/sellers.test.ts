import { describe, expect, test } from 'vitest'
import { feedPolicy } from '../policy.ts'
import { noAmounts, type SourceReading, type SourceRecord } from '../source-record.ts'
import { firstClaim, restate, type Claim } from '../claims/claim.ts'
import { judgeAll } from './judge-all.ts'
import { takeReading } from '../claims/take-reading.ts'

// The seller's own word: what a page alone may move, what a witness may say, and what a list of one's own decides.

const day = (date: number) => new Date(Date.UTC(2026, 2, date)).toISOString()

function record(id: string, input: number, more: Partial<SourceRecord> = {}): SourceRecord {
  const [platform, name] = id.split(':') as [string, string]
  return {
    ...noAmounts,
    ...{ resource_id: id, product_id: null, vendor: platform, platform, modality: 'llm', region: null },
    ...{ unit: '1m_tokens', currency: 'USD', source_url: null, effective_at: null },
    ...{ source_key: id, model_name: name, is_named: true, rates: [], retires_on: null, scheduled: [] },
    ...{ input_per_mtok: String(input), output_per_mtok: String(4 * input) },
    ...more,
  }
}

const key = 'anthropic:alpha'

/** What a source has said of the row: first of the first day, and a second amount from another day on. */
function claim(
  source: string,
  input: number,
  {
    to,
    on = 10,
    until = 28,
    id = key,
    ...more
  }: { to?: number; on?: number; until?: number; id?: string } & Partial<SourceRecord> = {},
): Claim {
  const first = firstClaim(source, id, record(id, input, more), { at: day(1) })
  if (to === undefined) return { ...first, lastSeen: day(until) }
  const options = { at: day(on), served: null, policy: feedPolicy }
  return { ...restate(first, record(id, to, more), options), lastSeen: day(until) }
}

const verdictOf = (claims: Claim[], id = key) => judgeAll(claims, day(28), feedPolicy).get(id)
const inputOf = (claims: Claim[]) => verdictOf(claims)?.amounts.input_per_mtok.value

describe('a page', () => {
  test('moves a price at once, though lists still state the one before', () => {
    expect(inputOf([claim('anthropic-page', 1, { to: 1.8, until: 10 }), claim('litellm', 1)])).toBe('1.8')
  })

  test('alone moves it by no more than twice, however long it stands', () => {
    const page = claim('anthropic-page', 1, { to: 2.5 })
    expect(inputOf([page])).toBe('1')
    expect(verdictOf([page])?.held.map(({ reason }) => reason)).toContain('large')
    expect(inputOf([page, claim('litellm', 1, { to: 2.5 })])).toBe('2.5')
  })

  test('that is read for the first time does not move it by more than twice either', () => {
    const late = { ...claim('anthropic-page', 5), firstSeen: day(5) }
    expect(inputOf([claim('litellm', 1), late])).toBe('1')
    expect(inputOf([claim('litellm', 1), { ...claim('models.dev', 5), firstSeen: day(5) }, late])).toBe('5')
  })

  test.each([
    [3, 'moves'],
    [4, 'waits, as a column may have been read for another'],
  ])('of which %i rows move %s', (count) => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `anthropic:${name}`)
    const read = (inputs: readonly number[]): SourceReading => ({
      records: ids.map((id, index) => record(id, inputs[index]!)),
      ...{ rejected: [], mended: [], version: null, data_at: null, unknown_fields: [] },
    })
    const taking = (date: number) => ({
      ...{ source: 'anthropic-page', at: day(date), lastObservedAt: null, findServed: () => null },
      ...{ acceptGone: false, acceptAll: false, policy: feedPolicy },
    })
    const first = takeReading(read(ids.map(() => 1)), new Map(), taking(1))
    const second = takeReading(read(ids.map((_, index) => (index < count ? 1.5 : 1))), first, taking(2))
    const stood = [...second.values()].map((one) => ({ ...one, lastSeen: day(28) }))
    const served = [...judgeAll(stood, day(28), feedPolicy).values()].map(
      ({ amounts }) => amounts.input_per_mtok.value,
    )
    expect(served.filter((amount) => amount === '1.5')).toHaveLength(count > 3 ? 0 : count)
  })
})

describe('beside a list', () => {
  test('a page without a date leaves the day that the list states for the same price', () => {
    const dated = { effective_at: '2026-03-13' }
    const page = claim('anthropic-page', 1)
    expect(verdictOf([page, claim('litellm', 1, dated)])?.record.effective_at).toBe('2026-03-13')
    expect(verdictOf([page, claim('litellm', 2, dated)])?.record.effective_at).toBeNull()
  })

  test('what a maker says of others of its models makes no copy of the list', () => {
    const others = ['anthropic-page', 'anthropic-retirements'].map((source) =>
      claim(source, 9, { id: 'anthropic:claude-opus-9' }),
    )
    const id = 'anthropic:claude-sonnet-9'
    const routed = claim('genai-prices', 1, {
      ...{ id: 'openrouter:claude-sonnet-9', vendor: 'anthropic' },
    })
    const verdict = verdictOf([claim('genai-prices', 1, { id }), ...others, routed], id)
    expect(verdict?.amounts.input_per_mtok.value).toBe('1')
  })
})

describe('a witness', () => {
  test('makes nothing exist, and confirms what others state', () => {
    expect(verdictOf([claim('anthropic-page', 1, { is_witness: true })])).toBeUndefined()
    expect(
      verdictOf([claim('anthropic-page', 1, { is_witness: true }), claim('litellm', 1)])?.isConfirmed,
    ).toBe(true)
  })

  test('denies what it does not state', () => {
    const { amounts, isConfirmed } = verdictOf([
      claim('anthropic-page', 1.5, { is_witness: true }),
      claim('litellm', 1),
    ])!
    expect([amounts.input_per_mtok.value, isConfirmed]).toEqual(['1.5', false])
    expect(amounts.input_per_mtok.deniedBy).toEqual([{ source: 'litellm', value: '1' }])
  })
})

describe('amounts of two currencies', () => {
  const euro = { id: 'scaleway:alpha', currency: 'EUR' }
  test('neither confirm nor deny each other', () => {
    const verdict = verdictOf(
      [
        claim('models.dev', 1, euro),
        claim('portkey', 1, euro),
        claim('litellm', 1, { id: 'scaleway:alpha' }),
      ],
      'scaleway:alpha',
    )!
    expect(verdict.record.currency).toBe('EUR')
    expect(verdict.amounts.input_per_mtok).toEqual({
      value: '1',
      saidBy: ['models.dev', 'portkey'],
      deniedBy: [],
    })
  })

  test('are no measure for what a model costs elsewhere', () => {
    const elsewhere = ['a', 'b', 'c', 'd'].map((platform) =>
      claim('litellm', 90, { id: `${platform}:alpha`, currency: 'CNY', product_id: 'x/alpha' }),
    )
    expect(inputOf([claim('litellm', 1, { product_id: 'x/alpha' }), ...elsewhere])).toBe('1')
  })
})
