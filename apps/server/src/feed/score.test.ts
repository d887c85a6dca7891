import { describe, expect, test } from 'vitest'
import type { AmountColumn } from '../features/prices/price-record.ts'
import { feedPolicy } from './policy.ts'
import { emptyTally, scoreOf, scoreSources, type Score, type ScoreCell, type ScoreFacts } from './score.ts'
import { proposePrecedence } from './score-precedence.ts'
import { noAmounts, type Amounts } from './source-record.ts'

// Each case is small enough to be counted by hand. Days are of July 2026; all is of one resource unless it says otherwise.

const since = '2026-07-01T00:00:00Z'
const day = (date: number) => new Date(Date.UTC(2026, 6, date)).toISOString()
const input = (amount: number | null): Amounts => ({
  ...noAmounts,
  input_per_mtok: amount === null ? null : String(amount),
})

type States = [date: number, input: number | null][]

/** What sources said of `platform:m`, in USD per million tokens of input; the last state is that of now. */
function said(bySource: Record<string, States>, platform = 'acme'): ScoreFacts {
  const key = `${platform}:m`
  const sources = Object.entries(bySource)
  return {
    claims: sources.map(([source, states]) => ({
      ...{ source, key, platform },
      amounts: input(states.at(-1)![1]),
    })),
    histories: sources.map(([source, states]) => ({
      ...{ source, key, platform },
      states: states.map(([date, amount]) => ({ at: day(date), amounts: input(amount) })),
    })),
    holds: [],
  }
}

function scoreIn(facts: ScoreFacts, source: string): Score {
  const cells = scoreSources(facts, since, feedPolicy).filter((cell) => cell.source === source)
  return scoreOf(cells, feedPolicy)
}

describe('what a source states now', () => {
  test('alone it is neither right nor wrong', () => {
    expect(scoreIn(said({ litellm: [[1, 2]] }), 'litellm')).toMatchObject({
      ...{ stated: 1, witnessed: 0, agreed: 0, outvoted: 0, judged: 0, right: 0, right_share: null },
    })
  })

  test('two that agree are right, and the third is outvoted', () => {
    const facts = said({ litellm: [[1, 2]], portkey: [[1, 2]], 'llm-prices': [[1, 4]] })
    expect(scoreIn(facts, 'litellm')).toMatchObject({ witnessed: 1, agreed: 1, judged: 1, right: 1 })
    expect(scoreIn(facts, 'llm-prices')).toMatchObject({
      ...{ witnessed: 1, agreed: 0, outvoted: 1, judged: 1, right: 0 },
    })
  })

  test('rounding is no disagreement', () => {
    const facts = said({ litellm: [[1, 2]], portkey: [[1, 2.009]] })
    expect(scoreIn(facts, 'litellm')).toMatchObject({ agreed: 1, right: 1 })
  })

  test('one against one, and two against two, decide nothing', () => {
    const one = said({ litellm: [[1, 2]], portkey: [[1, 4]] })
    expect(scoreIn(one, 'litellm')).toMatchObject({ witnessed: 1, agreed: 0, outvoted: 0, judged: 0 })
    const two = said({
      ...{ litellm: [[1, 2]], portkey: [[1, 2]] },
      ...{ 'models.dev': [[1, 4]], 'llm-prices': [[1, 4]] },
    })
    expect(scoreIn(two, 'litellm')).toMatchObject({ agreed: 1, outvoted: 0, judged: 0 })
  })

  test("copies of one list are one voice, and the platform's own list decides there", () => {
    const facts = said(
      { openrouter: [[1, 2]], 'models.dev': [[1, 2]], portkey: [[1, 2]], litellm: [[1, 4]] },
      'openrouter',
    )
    expect(scoreIn(facts, 'models.dev')).toMatchObject({ witnessed: 1, agreed: 0, judged: 0 })
    expect(scoreIn(facts, 'litellm')).toMatchObject({ outvoted: 0, judged: 1, right: 0 })
  })
})

describe('moves', () => {
  test('an amount that appears, vanishes, comes back or is rounded has not moved', () => {
    const states: States = [[1, null], [2, 2], [3, null], [4, 2], [5, 2.005]] // prettier-ignore
    expect(scoreIn(said({ litellm: states }), 'litellm')).toMatchObject({ moves: 0 })
    // What it was before the gap counts.
    expect(scoreIn(said({ litellm: [[1, 2], [2, null], [3, 4]] }), 'litellm')).toMatchObject({ moves: 1 }) // prettier-ignore
  })

  test('nobody knows of one that nobody else states', () => {
    expect(scoreIn(said({ litellm: [[1, 2], [2, 4]] }), 'litellm')).toMatchObject({ moves: 1, judged: 0 }) // prettier-ignore
  })

  test('a slip is one move, wrong, and its end is none', () => {
    const facts = said({ litellm: [[1, 2], [5, 2_000], [6, 2]] }) // prettier-ignore
    expect(scoreIn(facts, 'litellm')).toMatchObject({ moves: 1, reversed: 1, judged: 1, right: 0 })
  })

  test('what is taken back after the time of a return is another move', () => {
    const facts = said({ litellm: [[1, 2], [2, 4], [32, 2]] }) // prettier-ignore
    expect(scoreIn(facts, 'litellm')).toMatchObject({ moves: 2, reversed: 0 })
    const sooner = said({ litellm: [[1, 2], [3, 4], [32, 2]] }) // prettier-ignore
    expect(scoreIn(sooner, 'litellm')).toMatchObject({ moves: 1, reversed: 1 })
  })

  test('two made one: the first is first, the second is late by the days between, both are right', () => {
    const facts = said({ litellm: [[1, 2], [3, 4]], portkey: [[1, 2], [8, 4]] }) // prettier-ignore
    // The move and the amount that is stated now.
    expect(scoreIn(facts, 'litellm')).toMatchObject({ first: 1, late: 0, days_behind: null, right: 2, judged: 2 }) // prettier-ignore
    expect(scoreIn(facts, 'portkey')).toMatchObject({ first: 0, late: 1, days_behind: 5, right: 2 })
  })

  test('of three, each is measured against the first, by the median', () => {
    const facts = said({ litellm: [[1, 2], [3, 4]], portkey: [[1, 2], [4, 4]], 'models.dev': [[1, 2], [13, 4]] }) // prettier-ignore
    const [near, far] = ['portkey', 'models.dev'].map((source) => scoreIn(facts, source).days_behind)
    expect([near, far]).toEqual([1, 10])
    const cells = scoreSources(facts, since, feedPolicy)
    expect(scoreOf(cells, feedPolicy)).toMatchObject({ late: 2, first: 1, days_behind: 5.5 })
  })

  test('a copy is neither late nor a witness', () => {
    const facts = said(
      { openrouter: [[1, 2], [3, 4]], portkey: [[1, 2], [5, 4]] }, // prettier-ignore
      'openrouter',
    )
    expect(scoreIn(facts, 'portkey')).toMatchObject({ moves: 1, late: 0, first: 0, judged: 0 })
  })

  test('to what another states all along is right; away from what two state is wrong', () => {
    const mended = said({ litellm: [[1, 2], [5, 4]], portkey: [[1, 4]] }) // prettier-ignore
    expect(scoreIn(mended, 'litellm')).toMatchObject({ moves: 1, first: 0, late: 0, judged: 2, right: 2 })
    const strayed = said({ litellm: [[1, 2], [5, 4]], portkey: [[1, 2]], 'models.dev': [[1, 2]] }) // prettier-ignore
    expect(scoreIn(strayed, 'litellm')).toMatchObject({ outvoted: 1, moves: 1, judged: 2, right: 0 })
  })

  test('before the time that is asked for do not count, but show who was first', () => {
    const facts = said({ litellm: [[-9, 2], [-3, 4]], portkey: [[-9, 2], [2, 4]] }) // prettier-ignore
    expect(scoreIn(facts, 'litellm')).toMatchObject({ moves: 0, first: 0 })
    expect(scoreIn(facts, 'portkey')).toMatchObject({ moves: 1, late: 1, days_behind: 5 })
  })

  test('a person decides', () => {
    const facts = said({ litellm: [[1, 2], [5, 40]] }) // prettier-ignore
    const hold = { source: 'litellm', key: 'acme:m', platform: 'acme', before: input(2), after: input(40) }
    const decided = (state: 'accepted' | 'rejected' | 'open') => ({ ...facts, holds: [{ ...hold, state }] })
    expect(scoreIn(decided('rejected'), 'litellm')).toMatchObject({ held: 1, judged: 1, right: 0 })
    expect(scoreIn(decided('accepted'), 'litellm')).toMatchObject({ held: 1, judged: 1, right: 1 })
    expect(scoreIn(decided('open'), 'litellm')).toMatchObject({
      ...{ held: 1, held_by_state: { open: 1, rejected: 0 }, judged: 0 },
    })
  })
})

describe('a figure', () => {
  const cell = (source: string, right: number, judged: number, column: AmountColumn = 'input_per_mtok') => ({
    ...{ source, platform: 'acme', column, tally: { ...emptyTally(), right, judged } },
  })
  const proposalsOf = (...cells: ScoreCell[]) => proposePrecedence(cells, feedPolicy)
  const orders = (...cells: ScoreCell[]) => {
    const [all] = proposalsOf(...cells)
    return [all?.present.join(), all?.proposed.join()]
  }

  test('is shown from twenty on', () => {
    expect(scoreOf([cell('litellm', 19, 19)], feedPolicy).right_share).toBeNull()
    expect(scoreOf([cell('litellm', 19, 20)], feedPolicy).right_share).toBe(0.95)
    // Of two columns together.
    const both = [cell('litellm', 10, 10), cell('litellm', 5, 10, 'output_per_mtok')]
    expect(scoreOf(both, feedPolicy).right_share).toBe(0.75)
  })

  test('puts a source before another where chance does not explain it', () => {
    expect(orders(cell('llm-prices', 160, 200), cell('litellm', 195, 200))).toEqual([
      ...['llm-prices,litellm', 'litellm,llm-prices'],
    ])
    // 95 % and 100 % of twenty: one case.
    expect(orders(cell('llm-prices', 19, 20), cell('litellm', 20, 20))).toEqual([
      ...['llm-prices,litellm', 'llm-prices,litellm'],
    ])
  })

  test('says nothing of a source with too few: it keeps its place', () => {
    expect(
      orders(cell('genai-prices', 100, 200), cell('llm-prices', 1, 2), cell('litellm', 199, 200)),
    ).toEqual(['genai-prices,llm-prices,litellm', 'litellm,llm-prices,genai-prices'])
  })

  test("moves neither the operator's word nor a platform's own list", () => {
    const of = (source: string, right: number) => ({ ...cell(source, right, 200), platform: 'openrouter' })
    const [own] = proposalsOf(of('own-csv', 20), of('openrouter', 50), of('portkey', 100), of('litellm', 20))
    expect(own).toMatchObject({
      ...{ platform: 'openrouter', column: 'input_per_mtok' },
      present: ['own-csv', 'openrouter', 'litellm', 'portkey'],
      proposed: ['own-csv', 'openrouter', 'portkey', 'litellm'],
    })
  })

  test('is proposed for platforms and columns of which two sources have one', () => {
    const proposals = proposalsOf(
      cell('litellm', 20, 20),
      cell('portkey', 20, 20),
      cell('litellm', 20, 20, 'output_per_mtok'),
      cell('portkey', 2, 2, 'output_per_mtok'),
    )
    expect(proposals.map(({ platform, column }) => [platform, column])).toEqual([
      [null, null],
      ['acme', 'input_per_mtok'],
    ])
  })
})
