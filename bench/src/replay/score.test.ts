import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLitellm } from '../../../apps/server/src/ingest/sources/lists/litellm.ts'
import { addReading, type Lists, type VendorMove } from './lists.ts'
import {
  judgeRow,
  judgeRows,
  repeatsIn,
  returnsOf,
  type Evidence,
  type ToldChange,
  type ToldRow,
} from './score.ts'

// Readings of lists as [list, day, input]; the output is four times the input.
type Reading = readonly [string, string, number]

function evidenceOf(readings: readonly Reading[], moves: readonly VendorMove[] = []): Evidence {
  const lists: Lists = new Map()
  for (const [name, day, input] of readings) {
    const costs = { input_cost_per_token: input / 1e6, output_cost_per_token: (4 * input) / 1e6 }
    const { records } = readLitellm({ 'gpt-9': { litellm_provider: 'openai', mode: 'chat', ...costs } })
    addReading(lists, name, `${day}T00:00:00Z`, records)
  }
  return { lists, moves, productOf: (key) => (key.startsWith('openai:gpt-9') ? 'openai/gpt-9' : undefined) }
}

const alertAt = '2025-06-10T06:00:00Z'
const row: ToldRow = {
  resource_id: 'openai:gpt-9',
  platform: 'openai',
  before: { input_per_mtok: '10', output_per_mtok: '40' },
  after: { input_per_mtok: '2', output_per_mtok: '8' },
  isReturn: false,
}
const mover: Reading[] = [
  ['a', '2025-01-01', 10],
  ['a', '2025-06-09', 2],
]
const judged = (readings: readonly Reading[], moves?: readonly VendorMove[], of = row) => {
  const { verdict, by } = judgeRow(of, alertAt, evidenceOf([...mover, ...readings], moves))
  return [verdict, by]
}

void test('two other lists decide by what they state a month later', () => {
  const followed: Reading[] = [
    ['b', '2025-06-20', 2],
    ['b', '2025-07-20', 2],
    ['c', '2025-07-11', 2],
  ]
  assert.deepEqual(judged(followed), ['true', 'two lists'])
  assert.deepEqual(judged(followed.map(([name, day]) => [name, day, 10])), ['false', 'two lists'])
  assert.deepEqual(judged(followed.slice(0, 2)), ['true', 'one other list'])
  // A day before the month is over, it is not asked yet.
  followed.splice(2, 0, ['c', '2025-07-10', 10])
  assert.deepEqual(judged(followed), ['true', 'two lists'])
})

void test('the list that moved first, and a list that was read before the month or long after it, decide nothing', () => {
  assert.deepEqual(judged([['a', '2025-08-01', 2]]), ['not judged', 'nobody'])
  assert.deepEqual(judged([['b', '2025-06-20', 2]]), ['not judged', 'nobody'])
  assert.deepEqual(judged([['b', '2026-01-01', 5]]), ['not judged', 'nobody'])
})

void test('what another list stated for more than a month is a catch-up, and no news', () => {
  const early: Reading[] = [['b', '2025-05-01', 2]]
  assert.deepEqual(judged(early), ['false', 'catch-up'])
  assert.deepEqual(judged([['b', '2025-05-20', 2]]), ['not judged', 'nobody'])
})

void test("a vendor's move decides before the lists do", () => {
  const move: VendorMove = {
    ...{ resource_id: 'openai:gpt-9', on: '2025-06-08', why: 'cut' },
    ...{ before: [10, 40], after: [2, 8] },
  }
  const denied: Reading[] = [
    ['b', '2025-07-20', 10],
    ['c', '2025-07-20', 10],
  ]
  assert.deepEqual(judged(denied, [move]), ['true', 'vendor'])
  const snapshot = { ...row, resource_id: 'openai:gpt-9-2025-06-01' }
  assert.deepEqual(judged([], [move], snapshot), ['true', 'vendor'])
  assert.deepEqual(judged(denied, [{ ...move, on: '2025-06-20' }]), ['false', 'two lists'])
  const other = { ...move, on: '2025-06-01', after: [5, 20] } as const
  assert.deepEqual(judged([], [other]), ['false', 'vendor'])
  assert.deepEqual(judged([], [{ ...move, before: [9, 9], after: [9, 9] }]), ['false', 'vendor'])
})

void test('an alert is what most of its judged rows are', () => {
  const evidence = evidenceOf([...mover, ['b', '2025-07-20', 2], ['c', '2025-07-20', 2]])
  const other = { ...row, after: { input_per_mtok: '3' } }
  const unknown = { ...row, resource_id: 'openai:gpt-8' }
  const verdictOf = (rows: ToldRow[]) => judgeRows(rows, alertAt, evidence).verdict
  assert.equal(verdictOf([row, unknown, unknown]), 'true')
  assert.equal(verdictOf([row, other]), 'false')
  assert.equal(verdictOf([unknown]), 'not judged')
})

void test('the same move again, or a return to what was served, is a repetition', () => {
  const told = (day: number, more: Partial<ToldRow> = {}): ToldChange => ({
    ...{ at: `2025-06-${day}T00:00:00Z`, category: 'price_cut', severity: 3, status: 'in_effect' },
    rows: [{ ...row, ...more }],
  })
  const changes = [
    told(10),
    told(11),
    told(12, { after: { input_per_mtok: '1' } }),
    told(13, { isReturn: true }),
  ]
  assert.deepEqual(
    changes.map((change) => repeatsIn(changes).has(change)),
    [false, true, false, true],
  )
  const pairs = ['10', '2', '10', '2', '3'].map((input, day) => ({ at: String(day), input, output: input }))
  assert.deepEqual(
    returnsOf(pairs).map(({ at }) => at),
    ['2', '3'],
  )
})
