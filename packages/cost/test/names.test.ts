import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resolve } from '../src/index.ts'
import { shippedCatalog } from '../src/catalog.ts'

// Names as they stand in lists, in files of other tools and in vendors' documents, with the record that each means; `-` where
// the catalog has none, or nobody can know. Each was judged by hand.

const names = readFileSync(new URL('names.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [name: string, platform: string, expected: string])

test('no name of many leads to another record', () => {
  const catalog = shippedCatalog()
  const wrong = names.flatMap(([name, platform, expected]) => {
    const found = resolve(name, { catalog, platform })
    const where = found.isResolved && found.region !== null ? ` in ${found.region}` : ''
    const record = found.isResolved ? `${found.record.resource_id}${where}` : '-'
    return record === expected ? [] : [`${name} on ${platform}: ${record} instead of ${expected}`]
  })
  expect(names.length).toBeGreaterThanOrEqual(300)
  expect(wrong).toEqual([])
})

test.each([
  ['moonshotai/kimi-k2-instruct', true],
  ['groq/moonshotai/kimi-k2-instruct', undefined],
  ['accounts/fireworks/models/kimi-k2p5', undefined],
])('%s: the platform is assumed: %s', (name, isPlatformAssumed) => {
  expect(resolve(name, { catalog: shippedCatalog() })).toMatchObject({
    isResolved: true,
    ...(isPlatformAssumed && { isPlatformAssumed }),
  })
  if (!isPlatformAssumed)
    expect(resolve(name, { catalog: shippedCatalog() })).not.toHaveProperty('isPlatformAssumed')
})
