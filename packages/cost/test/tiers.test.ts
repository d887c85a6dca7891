import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { costOf } from '../src/index.ts'
import { shippedCatalog } from '../src/catalog.ts'

// The rules of tiers against the tables of OpenAI's page, cell by cell, on a day on which the page held.

const page = join(process.env['PRICE_DATA_DIR'] ?? '', 'official/openai/2026-07-15-pricing.md')
const day = '2026-07-20'
const meters = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'] as const

/** The rows of a table: four amounts, or three where nothing is written to a cache; null where it has none. */
function* readTables(text: string): Generator<{ tier: string; model: string; amounts: (number | null)[] }> {
  for (const [, tier = '', rows = ''] of text.matchAll(/tier="(\w+)"[\s\S]*?rows=\{\[([\s\S]*?)\]\}\n/g))
    for (const [, name = '', cells = ''] of rows.matchAll(/\["([^"]+)", ([^\]]+)\]/g)) {
      const stated = cells.split(', ').map((cell) => (/^\d/.test(cell) ? Number(cell) : null))
      const amounts = stated.length === 4 ? stated : [stated[0]!, stated[1]!, null, stated[2]!]
      yield { tier, model: name.replace(/ \(.*/, ''), amounts }
    }
}

test.skipIf(!existsSync(page))(
  "each price of OpenAI's tables of batch, flex and priority, and none that it lacks (skipped without PRICE_DATA_DIR)",
  () => {
    const catalog = shippedCatalog()
    const apart: string[] = []
    let equal = 0
    for (const { tier, model, amounts } of readTables(readFileSync(page, 'utf8')))
      for (const [at, meter] of meters.entries()) {
        const told = { catalog, model, platform: 'openai', at: day, ...(tier !== 'standard' && { tier }) }
        const { lines } = costOf({ counts: { [meter]: 1 } }, told)
        const rate = lines[0] === undefined ? null : Number(lines[0].rate)
        if (rate !== amounts[at])
          apart.push(`${tier} ${model} ${meter}: ${rate}, and the page has ${amounts[at]}`)
        else if (rate !== null) equal += 1
      }
    expect(apart).toEqual([])
    expect(equal).toBeGreaterThan(300)
  },
)
