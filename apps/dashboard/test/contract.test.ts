import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { operations, type Obj } from '../../../packages/contract/test/document.ts'
import { rules } from '../../../packages/contract/test/house-rules.ts'

const contract = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')) as Obj

// The rules of the public contract, without those that concern it alone.
test.each([
  'describedOperations',
  'typedValues',
  'boundedIntegers',
  'sixDecimals',
  'boundedInput',
  'described',
  'validExamples',
] as const)('openapi.yaml keeps the house rule %s', (name) => {
  expect(rules[name](contract)).toEqual([])
})

test('every media type has an example, and every answer but "unchanged" has a body', () => {
  expect(rules.haveExamples(contract)).toEqual([
    'getPriceTable 304 has no content',
    'getPriceFile 304 has no content',
  ])
})

test('objects are closed, but for what sources say by name, headers by name and an event in the form of a payment provider', () => {
  expect(rules.closedObjects(contract)).toEqual([
    expect.stringContaining('#/components/schemas/PriceRate/properties/denied_by '),
    expect.stringContaining('#/components/schemas/Exchange/properties/request_headers '),
    expect.stringContaining('#/components/schemas/ExchangeAnswer/properties/headers '),
    expect.stringContaining('#/components/schemas/StripeEvent '),
  ])
})

test('operations have names and paths of their own, below /dashboard/api', () => {
  const all = operations(contract)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.filter(({ url }) => !url.startsWith('/dashboard/api/'))).toEqual([])
})
