import { describe, expect, it, test } from 'vitest'
import { findBook } from '../src/book.ts'
import { shippedCatalog } from '../src/catalog.ts'
import { estimate, type Use } from '../src/estimate.ts'
import { costOf } from '../src/index.ts'

const catalog = shippedCatalog()
const records = findBook(catalog).snapshot.resources.filter(
  ({ input_per_mtok, output_per_mtok }) => input_per_mtok !== null && output_per_mtok !== null,
)
const use: Use = { input: '2000', output: '500', cached: '0', isBatch: false, isOneRequest: true }

/** Prompts around the thresholds that the shipped cards have, and their neighbours'. */
const lengths = [2_000, 128_000, 200_000, 256_000, 272_000, 512_000].flatMap((edge) => [
  edge - 1,
  edge,
  edge + 1,
])

describe('what a calculator says of any shipped record is what the library says', () => {
  test.each(lengths)('at a prompt of %i tokens', (tokens) => {
    const differing = records.flatMap((record) => {
      const said = estimate(record, { ...use, input: String(tokens) })
      const counts = { input_tokens: tokens, output_tokens: 500 }
      const known = costOf({ counts }, { catalog, model: record.resource_id })
      const isSame =
        said.total === known.total && said.unpriced.length === known.unpriced.length && said.fee === null
      return isSame ? [] : [`${record.resource_id}: ${said.total}, and ${known.total}`]
    })
    expect(differing).toEqual([])
  })

  test.each([true, false])('of a month of many requests, in a batch: %s', (isBatch) => {
    const month = { input: '100000000', output: '20000000', cached: '25', isBatch, isOneRequest: false }
    const counts = { input_tokens: 75e6, cached_input_tokens: 25e6, output_tokens: 20e6 }
    let fees = 0
    for (const record of records) {
      const said = estimate(record, month)
      const tier = isBatch ? 'batch' : undefined
      const known = costOf({ counts, requests: 1_000 }, { catalog, model: record.resource_id, tier })
      const fee = known.lines.find(({ meter }) => meter === 'requests')
      expect(said.fee, record.resource_id).toBe(fee?.rate ?? null)
      fees += fee === undefined ? 0 : 1
      const tokens = known.lines.filter((line) => line !== fee)
      const sum = tokens.reduce((all, { amount }) => all + Number(amount), 0)
      if (said.total === null) expect(known.total, record.resource_id).toBeNull()
      else expect(Number(said.total), record.resource_id).toBeCloseTo(sum, 6)
    }
    expect(fees).toBe(2)
  })
})

const deepseek = records.find(({ resource_id }) => resource_id === 'deepseek:deepseek-v4-pro')!

it('has no price where the hour decides, and none in no currency', () => {
  expect(estimate(deepseek, use)).toMatchObject({ total: null, unpriced: [{ reason: 'time_needed' }, {}] })
  const [plain] = records.filter(({ rates, currency }) => rates?.length === 0 && currency === 'USD')
  expect(estimate(plain!, use).total).not.toBeNull()
  expect(estimate({ ...plain!, currency: null }, use).total).toBeNull()
})
