import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparisonOf } from './table/comparison.ts'

const folder = process.env['PRICE_DATA_DIR'] ?? ''

test.skipIf(folder === '')(
  'the document of the comparison is what it would be now (skipped without PRICE_DATA_DIR)',
  () => {
    const written = readFileSync(new URL('../../../docs/cost-comparison.md', import.meta.url), 'utf8')
    expect(written).toBe(comparisonOf(folder))
  },
)
