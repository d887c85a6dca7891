import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Obj } from '../../../packages/contract/test/document.ts'
import { rules } from '../../../packages/contract/test/house-rules.ts'
import { dashboardContract, toJsonSchema } from '../src/http/dashboard/document.ts'
import { definitions } from '../src/http/dashboard/registry.ts'

// What the forms of the operations say together.

const { document } = dashboardContract()
const contract = document as unknown as Obj

test.each(['typedValues', 'boundedIntegers', 'boundedInput'] as const)(
  'the forms keep the house rule %s of the public contract',
  (name) => {
    expect(rules[name](contract)).toEqual([])
  },
)

test('objects are closed, but for what sources say by name, headers by name and an event of Stripe', () => {
  const open = rules
    .closedObjects(contract)
    .filter((problem) => !/\/(denied_by|request_headers|headers)( |\/)/.test(problem))
  expect(open).toEqual([
    expect.stringContaining('#/paths/~1dashboard~1api~1billing~1stripe/post/requestBody'),
  ])
})

test('instants have six decimals', () => {
  const text = JSON.stringify(document)
  const patterns =
    text.match(/"pattern":"[^"]*","format":"date-time"|"format":"date-time","pattern":"[^"]*"/g) ?? []
  expect(patterns.length).toBe(text.match(/"format":"date-time"/g)?.length)
  for (const pattern of patterns) expect(pattern).toContain(String.raw`\\.\\d{6}Z$`)
})

test('no two operations have a route, and none is found for the path of another', () => {
  const all = Object.values(definitions).map(({ route }) => route)
  const shapes = all.map(
    (route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  )
  for (const route of all)
    expect(
      shapes.filter((shape) => shape.test(route)),
      route,
    ).toHaveLength(1)
})

test.each([
  ['a refinement', z.string().refine((text) => text !== '')],
  ['a change of the text', z.strictObject({ name: z.string().trim() })],
  ['a transformation', z.string().transform(Number)],
])('%s is refused, since only what JSON Schema says is checked', (_what, schema) => {
  expect(() => toJsonSchema(schema)).toThrow('A form cannot have')
})
