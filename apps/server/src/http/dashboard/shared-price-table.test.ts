import { expect, test } from 'vitest'
import type { Db } from '../../database/connect.ts'
import type { PriceTable } from '../../catalog/price-table.ts'
import { SharedPriceTable } from './shared-price-table.ts'

const db = {} as Db

function source() {
  const world = { version: '1', made: 0, checked: 0, hold: Promise.resolve() }
  const table = new SharedPriceTable(db, {
    readVersion: () => Promise.resolve(world.version),
    readTable: async () => {
      const { version } = world
      world.made += 1
      await world.hold
      return { version, count: 0, columns: {} } as PriceTable
    },
    check: () => void (world.checked += 1),
  })
  const ask = async () => table.read(await table.readVersion())
  return { world, table, ask }
}

test('is made once for all who ask, until the list moves', async () => {
  const { world, ask } = source()
  const tables = await Promise.all(Array.from({ length: 50 }, ask))
  expect(new Set(tables).size).toBe(1)
  expect([world.made, world.checked]).toEqual([1, 1])
  world.version = '2'
  expect((await Promise.all(Array.from({ length: 50 }, ask)))[49]?.version).toBe('2')
  expect([world.made, world.checked]).toEqual([2, 2])
})

test('is compressed once for all who ask', async () => {
  const { ask } = source()
  const made = await ask()
  const [one, other] = await Promise.all([made.encode('br'), made.encode('br')])
  expect(one).toBe(other)
})

test('that was begun before the list moved is not enough for who came after', async () => {
  const { world, ask } = source()
  const held = Promise.withResolvers<void>()
  world.hold = held.promise
  const early = ask()
  await new Promise((resolve) => setImmediate(resolve))
  world.version = '2'
  const late = [ask(), ask(), ask()]
  held.resolve()
  expect((await early).version).toBe('1')
  expect((await Promise.all(late)).map(({ version }) => version)).toEqual(['2', '2', '2'])
  expect(world.made).toBe(2)
})
