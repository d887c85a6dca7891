import { describe, expect, test } from 'vitest'
import type { Scheduler } from '../../platform/scheduler.ts'
import {
  linesAMinute,
  RequestRecorder,
  type RequestCount,
  type RequestLine,
  type RequestNote,
} from './request-recorder.ts'

/** Time that stands until it is moved. */
class ManualTime implements Scheduler {
  ms = 0
  #work: { atMs: number; run: () => void }[] = []
  nowMs = () => this.ms
  soon = (run: () => void) => void this.#work.push({ atMs: this.ms, run })
  after = (ms: number, run: () => void) => {
    const entry = { atMs: this.ms + ms, run }
    this.#work.push(entry)
    return () => void (this.#work = this.#work.filter((other) => other !== entry))
  }
  get waiting(): number {
    return this.#work.length
  }
  async pass(ms: number): Promise<void> {
    this.ms += ms
    const due = this.#work.filter(({ atMs }) => atMs <= this.ms)
    this.#work = this.#work.filter(({ atMs }) => atMs > this.ms)
    for (const { run } of due) run()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
}

function setUp(write?: (counts: RequestCount[], lines: RequestLine[]) => Promise<void>) {
  const time = new ManualTime()
  const [counts, lines, lost]: [RequestCount[], RequestLine[], number[]] = [[], [], []]
  const recorder = new RequestRecorder({
    scheduler: time,
    parameters: new Set(['limit']),
    onLost: (requests) => void lost.push(requests),
    write:
      write ??
      ((newCounts, newLines) => {
        counts.push(...newCounts)
        lines.push(...newLines)
        return Promise.resolve()
      }),
  })
  return { time, recorder, counts, lines, lost }
}

let requests = 0
const note = (values: Partial<RequestNote> = {}): RequestNote => ({
  requestId: `req_${(requests += 1)}`,
  keyId: 'key_a',
  accountId: 'acct_a',
  keyHash: undefined,
  operation: 'listPrices',
  target: '/v1/prices',
  status: 200,
  error: undefined,
  durationMs: 1,
  ...values,
})
const sum = (counts: RequestCount[]) => counts.reduce((total, { requests }) => total + requests, 0)

describe('of very many requests', () => {
  test('a bounded number of an account has a line each minute, and all are counted', async () => {
    const { time, recorder, counts, lines, lost } = setUp()
    for (let minute = 1; minute <= 2; minute += 1) {
      for (let n = 0; n < 1_000; n += 1) recorder.note(note({ status: 200 + (n % 4) }))
      for (let n = 0; n < 5; n += 1) recorder.note(note({ accountId: 'acct_b', keyId: 'key_b' }))
      await time.pass(60_000)
      expect(sum(counts)).toBe(minute * 1_005)
      expect(lines.filter(({ key_id }) => key_id === 'key_a')).toHaveLength(minute * linesAMinute.account)
      expect(lines.filter(({ key_id }) => key_id === 'key_b')).toHaveLength(minute * 5)
    }
    expect(counts).toHaveLength(10)
    expect(lost).toEqual([])
  })

  test('those that are alike do not take the lines of the others', async () => {
    const { time, recorder, lines } = setUp()
    for (let n = 0; n < 10_000; n += 1) recorder.note(note())
    recorder.note(note({ status: 403, error: 'forbidden' }))
    await time.pass(1_000)
    expect(lines.filter(({ status }) => status === 200)).toHaveLength(linesAMinute.alike)
    expect(lines.filter(({ status }) => status === 403)).toHaveLength(1)
  })

  test('strangers with keys of their own making fill nothing', async () => {
    const { time, recorder, counts, lines, lost } = setUp()
    for (let n = 0; n < 50_000; n += 1) {
      recorder.note(
        note({ keyId: undefined, accountId: undefined, keyHash: `${n}`, status: 401, error: 'unauthorized' }),
      )
    }
    recorder.note(note())
    await time.pass(1_000)
    expect(counts).toHaveLength(101)
    expect(lines).toHaveLength(101)
    expect(sum(counts) + lost.reduce((total, number) => total + number, 0)).toBe(50_001)
  })
})

test('what could not be written is lost, counted, and delays nobody', async () => {
  let fails = true
  const written: number[] = []
  const { time, recorder, lost } = setUp((counts) => {
    if (fails) return Promise.reject(new Error('no database'))
    written.push(sum(counts))
    return Promise.resolve()
  })
  for (let n = 0; n < 40; n += 1) recorder.note(note())
  await time.pass(1_000)
  expect(lost).toEqual([40])
  fails = false
  recorder.note(note())
  await time.pass(1_000)
  expect([lost, written]).toEqual([[40], [1]])
})

test('one writing at a time, and a rest after each that is many times as long', async () => {
  const under: (() => void)[] = []
  const { time, recorder } = setUp(() => new Promise<void>((resolve) => under.push(resolve)))
  recorder.note(note())
  await time.pass(1_000)
  recorder.note(note())
  await time.pass(5_000)
  expect(under).toHaveLength(1)
  under[0]?.()
  await time.pass(0)
  await time.pass(99_000)
  expect(under, 'after 5 s of writing').toHaveLength(1)
  await time.pass(1_000)
  expect(under).toHaveLength(2)
})

test('nothing is asked of a database when there is nothing to write, and the end writes what waits', async () => {
  const { time, recorder, counts } = setUp()
  expect(time.waiting).toBe(0)
  recorder.note(note())
  await recorder.close()
  expect(sum(counts)).toBe(1)
  recorder.note(note())
  expect(time.waiting).toBe(0)
})
