import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountColumns } from '../../../apps/server/src/catalog/price-record.ts'
import { seededRandom, shuffled } from '../frame/random.ts'
import { scoreFaults, scoreMoves, type Planted } from './score.ts'
import type { Played, Served, ServedAmounts, Told } from './timeline.ts'

const key = 'openai-gpt-9'
const planted: Planted = {
  key,
  amounts: [{ column: 'input_per_mtok', truth: '2', wrong: '4', deniers: 2 }],
  rates: [],
}

function servedOn(day: number, input: string | null): Served {
  const none = Object.fromEntries(amountColumns.map((column) => [column, null])) as ServedAmounts
  const amounts = new Map([[key, { ...none, input_per_mtok: input }]])
  return { at: `2026-08-0${day}T23:00:00Z`, amounts, rates: new Map() }
}

function told(category: string, severity: number, input: number, run = 0): Told {
  const after = new Map([[key, { input_per_mtok: input }]])
  return { category, severity, title: 'gpt-9', run, before: new Map(), after }
}

function played(more: Partial<Played>): Played {
  return { runs: [], days: [], told: [], ...more }
}

void test('a false value counts once a day, and as denied when two sources say otherwise', () => {
  const days = [servedOn(1, '4.000000000'), servedOn(2, '4'), servedOn(3, '2')]
  const score = scoreFaults([planted], played({ days }))
  assert.equal(score.falseDays, 2)
  assert.equal(score.falseDeniedDays, 2)
  const [amount] = planted.amounts
  const undenied = { ...planted, amounts: [{ ...amount!, deniers: 1 }] }
  assert.equal(scoreFaults([undenied], played({ days })).falseDeniedDays, 0)
})

void test('nothing served is a loss only where another source states the amount', () => {
  const days = [servedOn(1, null)]
  const [amount] = planted.amounts
  assert.equal(scoreFaults([planted], played({ days })).lostDays, 1)
  const alone = { ...planted, amounts: [{ ...amount!, deniers: 0 }] }
  assert.equal(scoreFaults([alone], played({ days })).lostDays, 0)
})

void test('an alert is a change above severity 2 about a planted row', () => {
  const changes = [told('price_rise', 5, 4), told('correction', 1, 2)]
  assert.equal(scoreFaults([planted], played({ told: changes })).alerts, 1)
})

void test('a true move is late by the runs after its second witness', () => {
  const move = { key, after: '1', first: 0, second: 2 } as const
  const at = (day: number) => `2026-08-0${day}T06:00:00Z`
  const runs = [1, 2, 3, 4, 5].map((day) => {
    return { id: `run_${day}`, source: 'litellm', at: at(day), outcome: 'applied', message: null } as const
  })
  const scoreOf = (changes: Told[]) => scoreMoves([move], played({ runs: [...runs], told: changes }))
  assert.deepEqual(scoreOf([told('price_cut', 3, 1, 2)]).runsAfterSecond, [0])
  assert.equal(scoreOf([told('price_cut', 3, 1, 3)]).late, 0)
  assert.equal(scoreOf([told('price_cut', 3, 1, 4)]).late, 1)
  assert.equal(scoreOf([told('correction', 1, 1, 2)]).untold, 1)
  assert.equal(scoreOf([told('price_cut', 3, 0.5, 2)]).untold, 1)
})

void test('the same seed chooses the same rows', () => {
  const values = Array.from({ length: 20 }, (_, index) => index)
  assert.deepEqual(shuffled(values, seededRandom(15)), shuffled(values, seededRandom(15)))
  assert.notDeepEqual(shuffled(values, seededRandom(15)), shuffled(values, seededRandom(16)))
})
