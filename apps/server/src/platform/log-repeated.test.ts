import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logRepeated } from './log-repeated.ts'
import { createLogger } from './logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first line is written at once, then one a second with the count, for each kind', () => {
  const lines: { kind: string; repeats?: number }[] = []
  const write = (text: string) => {
    const { kind, repeats } = JSON.parse(text) as { kind: string; repeats?: number }
    lines.push(repeats === undefined ? { kind } : { kind, repeats })
  }
  const logger = createLogger('info', { write })
  const log = (kind: string) => logRepeated(logger, 'warn', { kind, facts: { kind }, message: 'away' })
  for (let count = 0; count < 500; count += 1) log('a')
  log('b')
  expect(lines.splice(0)).toEqual([{ kind: 'a' }, { kind: 'b' }])
  vi.advanceTimersByTime(1_000)
  expect(lines.splice(0)).toEqual([{ kind: 'a', repeats: 499 }])
  log('a')
  log('b')
  vi.advanceTimersByTime(1_000)
  expect(lines.splice(0)).toEqual([{ kind: 'b' }, { kind: 'a', repeats: 1 }])
  vi.advanceTimersByTime(5_000)
  expect(vi.getTimerCount()).toBe(0)
  log('a')
  expect(lines).toEqual([{ kind: 'a' }])
})
