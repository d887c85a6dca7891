import { readFileSync, writeFileSync } from 'node:fs'
import { comparisonOf } from '../test/table/comparison.ts'

// Writes docs/cost-comparison.md; with --check it says whether that is what it would write.

const out = new URL('../../../docs/cost-comparison.md', import.meta.url)
const folder = process.env['PRICE_DATA_DIR']
if (folder === undefined) {
  console.error('PRICE_DATA_DIR is not set: name the folder with the price lists of others.')
  process.exit(1)
}
const text = comparisonOf(folder)
if (!process.argv.includes('--check')) writeFileSync(out, text)
else if (readFileSync(out, 'utf8') !== text) {
  console.error('docs/cost-comparison.md is not up to date: run packages/cost/scripts/compare.ts.')
  process.exit(1)
}
