import { equal, deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { doneWithin, pagesPerSecond, recoveryMs, serviceOf, within, type Sample } from './judge.ts'

const limits = { endedMs: 1_000, nowMs: 4_000, limitMs: 15 }

function page(intendedMs: number, latencyMs = 3, status = 200): Sample {
  return { intendedMs, latencyMs, kind: 'page', status, what: 'listPrices' }
}

function pages(fromMs: number, toMs: number, latencyMs?: number): Sample[] {
  const count = ((toMs - fromMs) * pagesPerSecond) / 1_000
  return Array.from({ length: count }, (_, n) => page(fromMs + n * 20, latencyMs))
}

void test('a customer who is served as before has recovered at once', () => {
  equal(recoveryMs(pages(1_000, 3_000), limits), 0)
})

void test('slow pages put the recovery off until a whole second has none but one', () => {
  const samples = [...pages(1_000, 1_500, 900), ...pages(1_500, 3_000)]
  equal(recoveryMs(samples, limits), 500)
})

void test('a failure puts it off, of whatever kind the request is', () => {
  const failed: Sample = { intendedMs: 1_210, latencyMs: 2, kind: 'other', status: 503, what: 'getUsage' }
  equal(recoveryMs([...pages(1_000, 4_000), failed], limits), 300)
})

void test('requests that are still waiting are no recovery', () => {
  equal(recoveryMs(pages(1_000, 1_700), limits), null)
  equal(recoveryMs([], limits), null)
})

void test('a second that is not over yet says nothing', () => {
  equal(recoveryMs(pages(1_000, 2_000), { ...limits, nowMs: 1_990 }), null)
})

void test('what is no success is counted by status and operation', () => {
  const lost: Sample = { ...page(0, 10_000, 0), what: 'listPrices: ECONNRESET' }
  const { failures, pages: served } = serviceOf([
    page(0),
    page(20, 7),
    page(40, 3, 503),
    page(60, 3, 503),
    lost,
  ])
  deepEqual(failures, { '503 listPrices': 2, 'no answer listPrices: ECONNRESET': 1 })
  deepEqual(served, { count: 5, p50Ms: 3, p99Ms: 10_000, worstMs: 10_000 })
})

void test('a phase has its first instant and not its last', () => {
  deepEqual(within([page(0), page(20), page(40)], 0, 40), [page(0), page(20)])
})

void test('a request that is under way when an attack begins counts neither before nor under it', () => {
  const samples = [page(0), page(20), page(36, 5)]
  deepEqual(doneWithin(samples, 0, 40), [page(0), page(20)])
  deepEqual(within(samples, 40, 80), [])
})
