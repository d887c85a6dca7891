import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('a burst goes at once, then one after the other, and who would wait too long is refused', () => {
  const pace = new Pace({ perSecond: 100, burst: 3, waitMsMax: 25 })
  const waits = Array.from({ length: 8 }, () => pace.take(1_000))
  expect(waits).toEqual([0, 0, 0, 0, 10, 20, null, null])
  // A refused one takes no turn.
  expect(pace.take(1_010)).toBe(20)
  expect(pace.take(9_000)).toBe(0)
})
