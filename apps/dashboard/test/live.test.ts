import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { live } from '../src/api/live.ts'

type Asked = Parameters<typeof live.refetchInterval>[0]
const query = (status: string, data: unknown) => ({ state: { status, data } }) as unknown as Asked

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

test('a page that is watched asks about once a second, and one that is left open every three seconds', () => {
  const asked = query('success', { used: 1 })
  expect(live.refetchInterval(asked)).toBe(900)
  vi.setSystemTime(59_000)
  expect(live.refetchInterval(asked)).toBe(900)
  vi.setSystemTime(61_000)
  expect(live.refetchInterval(asked)).toBe(3_000)
  // Something happened: it is watched again.
  asked.state.data = { used: 2 }
  expect(live.refetchInterval(asked)).toBe(900)
})

test('after a failure it rests', () => {
  expect(live.refetchInterval(query('error', undefined))).toBe(5_000)
})
