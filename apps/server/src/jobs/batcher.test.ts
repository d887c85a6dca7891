import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

class Outage extends Error {}

function collect(refuse: (item: number, attempt: number) => Error | null) {
  const written: number[] = []
  const batches: number[] = []
  let attempt = 0
  const batcher = new Batcher<number>({
    write: async (items) => {
      attempt += 1
      await Promise.resolve()
      const error = items.map((item) => refuse(item, attempt)).find((problem) => problem !== null)
      if (error) throw error
      written.push(...items)
      batches.push(items.length)
    },
    isOutage: (error) => error instanceof Outage,
    onError: () => undefined,
  })
  return { batcher, written, batches }
}

const items = Array.from({ length: 1_000 }, (_, index) => index)

test('everything is written once, in order, in few batches', async () => {
  const { batcher, written, batches } = collect(() => null)
  for (const item of items) batcher.add(item)
  await batcher.drain()
  expect(written).toEqual(items)
  expect(batches.length).toBeLessThan(5)
})

test('one item that cannot be written holds up no other', async () => {
  const { batcher, written } = collect((item) => (item === 137 ? new Error('no such row') : null))
  for (const item of items) batcher.add(item)
  await batcher.drain()
  expect(written).toEqual(items.filter((item) => item !== 137))
})

test('during an outage nothing is lost and nothing is written twice', async () => {
  const { batcher, written } = collect((_, attempt) => (attempt <= 2 ? new Outage() : null))
  for (const item of items) batcher.add(item)
  await batcher.drain()
  expect(written).toEqual(items)
})
