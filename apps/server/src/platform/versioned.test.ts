import { expect, test } from 'vitest'
import { readOnceIn } from './versioned.ts'

test('what is asked for again within the time is read once, and what is asked for otherwise anew', async () => {
  let reads = 0
  let nowMs = 0
  const read = readOnceIn(
    1_000,
    (version: string) => Promise.resolve(`${version}, read ${(reads += 1)}`),
    () => nowMs,
  )
  expect([await read('1'), await read('1')]).toEqual(['1, read 1', '1, read 1'])
  expect(await read('2')).toBe('2, read 2')
  nowMs = 1_000
  expect(await read('2')).toBe('2, read 3')
})
