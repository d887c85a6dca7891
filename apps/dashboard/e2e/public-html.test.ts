import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProduct, type Product } from './product.ts'
import { everyKind, findPage, oddPages } from './public-pages.ts'
import { searches } from './searches.ts'

// What a page is before a browser has it: no browser is needed here.

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

const read = async (path: string) =>
  (await fetch(product.url + path, { headers: { accept: 'text/html' } })).text()

describe('HTML that a checker finds nothing in', () => {
  const checker = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    // A region that scrolls is named, and is no section of the document's outline.
    rules: { 'prefer-native-element': ['error', { exclude: ['region'] }] },
  })

  test.each([...everyKind, ...oddPages, '/docs/'])('%s', async (kind) => {
    const { results } = await checker.validateString(await read(await findPage(product.url, kind)))
    const found = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, line, message }) => `${ruleId}, line ${line}: ${message}`),
    )
    expect(found).toEqual([])
  })
})

test('60 searches as people type them: the model that is wanted is first in 58 or more', async () => {
  const missed: string[] = []
  for (const [typed, id] of searches) {
    const page = await read(`/models?q=${encodeURIComponent(typed)}`)
    const first = /title="([\w-]+\/[^"]+)"/.exec(page.slice(page.indexOf('<tbody')))?.[1]
    if (first !== id) missed.push(`${typed}: ${first ?? 'nothing'} instead of ${id}`)
  }
  console.log(`${searches.length - missed.length} of ${searches.length} searches, missed:`, missed)
  expect(searches).toHaveLength(60)
  expect(missed.length).toBeLessThanOrEqual(2)
})
