import { describe, expect, it, test } from 'vitest'
import { shippedCatalog } from '../src/catalog.ts'
import { fractionOf, isSame, resultOf } from './table/fraction.ts'
import { costOfRow, rows } from './table/rows.ts'

describe('the working of a row', () => {
  it.each([
    ['0', '0'],
    ['86 x 1.25 + 1920 x 0.125 + 300 x 10, per million', '0.0033475'],
    ['1 x 2, per million; 2 x 0.01', '0.020002'],
    ['27 x 0.006, per 60', '0.0027'],
  ])('%s is %s', (working, expected) => {
    expect(isSame(resultOf(working), fractionOf(expected))).toBe(true)
    expect(isSame(resultOf(working), fractionOf(`${expected === '0' ? '0.0' : expected}1`))).toBe(false)
  })

  it.each(['', '1 x -2', '1e3 x 2', '1 x 2, per dozen', '3 x 0,5'])('%j is refused', (working) => {
    expect(() => resultOf(working)).toThrow('is no plain decimal')
  })
})

describe('a usage object as its vendor answers it', () => {
  test.each(rows.map((row) => [row.id, row] as const))('%s', (_, row) => {
    const cost = costOfRow(row)
    const unpriced = cost.unpriced.map(({ meter, reason }) => [meter, reason])
    expect(unpriced.sort()).toEqual([...(row.unpriced ?? [])].sort())
    const amount = cost.isWhole ? cost.total : cost.atLeast
    expect({ amount, isRight: isSame(fractionOf(amount), resultOf(row.working)) }).toEqual({
      amount,
      isRight: true,
    })
    expect(cost.isWhole).toBe(row.unpriced === undefined)
    if (row.doubts !== undefined) expect(cost.doubts).toEqual(row.doubts)
  })

  it('is of many vendors, models and conditions, and none is there twice', () => {
    const catalog = shippedCatalog()
    const records = rows.flatMap((row) => catalog.get(costOfRow(row).resourceId ?? '') ?? [])
    expect(rows.length).toBeGreaterThanOrEqual(200)
    expect(new Set(records.map(({ platform }) => platform)).size).toBeGreaterThanOrEqual(12)
    expect(new Set(records.map(({ resource_id }) => resource_id)).size).toBeGreaterThanOrEqual(40)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(
      new Set(rows.map(({ platform, answer, told }) => JSON.stringify([platform, answer, told]))).size,
    ).toBe(rows.length)
  })
})
