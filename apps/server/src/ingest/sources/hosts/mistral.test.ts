import { describe, expect, test } from 'vitest'
import { tarArchive } from '../../../../test/support/tar-archive.ts'
import { readMistralDocs } from './mistral.ts'
import { readDefaultExport } from './typescript-data.ts'

/** Files in the form of Mistral's documentation, hand-written. */
const now = new Date('2026-08-20T12:00:00Z')
const folder = 'docs-main/src/schema/models/models'

interface Parts {
  name?: string
  status?: string
  pricing?: string
  ids?: string
  output?: string
  metadata?: string
}
const model = ({
  name = 'Nine',
  status = 'Active',
  pricing = `free: false, input: [{ type: 'range', price: 0.5, denominator: '/M Tokens' }], output: [{ price: 1.5, denominator: '/M Tokens' }]`,
  ids = `'nine-2608'`,
  output = `'text'`,
  metadata = '',
}: Parts) => `import { StaticModel } from '../schema';
// What a model costs.
export default {
  name: '${name}',
  describe: (l) => ({ description: l.text(\`It costs { pricing: 99 }\`, { context: 'x' }) }),
  status: '${status}',
  pricing: { type: 'custom', ${pricing}, },
  identifiers: { apiNames: [${ids}] },
  capabilities: { input: ['text'], output: [${output}], },
  metadata: {${metadata}},
  playground: undefined,
} as const satisfies StaticModel;
`
const read = (files: Record<string, string>) =>
  readMistralDocs(
    tarArchive(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}.ts`, text])),
    ),
    now,
  )
const only = (parts: Parts) => {
  const { records, rejected } = read({ nine: model(parts) })
  expect(rejected).toEqual([])
  return records[0]!
}
const price = (side: string, denominator: string, more = '') =>
  `free: false, ${side}: [{ price: 4, denominator: '${denominator}'${more} }]`

describe("mistral's model data", () => {
  test('is a price for each id that a request may name', () => {
    const { records } = read({
      nine: model({ ids: `'nine-2608', 'nine-latest'` }),
      index: 'export const x = 1',
    })
    const amounts = { input_per_mtok: '0.5', output_per_mtok: '1.5', currency: 'USD', vendor: 'mistral' }
    expect(records).toMatchObject([
      { resource_id: 'mistral:nine-2608', ...amounts },
      { resource_id: 'mistral:nine-latest', ...amounts },
    ])
  })

  test.each([
    ['cached input', price('input', '/M Tokens', `, label: 'Cached input'`), { cached_input_per_mtok: '4' }],
    ['hearing', price('input', '/Min'), { audio_per_min: '4' }],
    ['one price for all', `free: false, price: 4, denominator: '/M Tokens'`, { input_per_mtok: '4' }],
    [
      'dollars beside euros',
      price('input', '/M Tokens', ', priceEur: 3.5'),
      { input_per_mtok: '4', currency: 'USD' },
    ],
    [
      'a price and the one before',
      price('input', '/M Tokens', ', originalPrice: 8'),
      { input_per_mtok: '4' },
    ],
    ['what is free', `free: true, price: 0, denominator: '/M Tokens'`, { input_per_mtok: '0' }],
    ['0 of what is not free', `free: false, price: 0, denominator: '/M Tokens'`, { input_per_mtok: null }],
  ])('reads %s', (_, pricing, expected) => {
    const { records, unknown_fields } = read({ nine: model({ pricing }) })
    expect(records[0]).toMatchObject(expected)
    expect(unknown_fields).toEqual([])
  })

  test.each([
    ['pages', 'input', '/1000 Pages', { meter: 'input_document_pages', unit: 'page', amount: '0.004' }],
    ['speech', 'output', '/M Chars', { meter: 'output_characters', unit: '1m_characters', amount: '4' }],
  ])('reads %s', (_, side, denominator, expected) => {
    expect(only({ pricing: price(side, denominator) }).rates).toMatchObject([expected])
  })

  test.each([
    [`retirementDate: '2026-08-31'`, '2026-08-31'],
    [`retirementDate: 'July 31, 2026'`, '2026-07-31'],
    [`retirementDate: ''`, null],
    [`retirementDate: 'soon'`, null],
  ])('says when a model ends: %s', (metadata, retires_on) => {
    expect(only({ metadata }).retires_on).toBe(retires_on)
  })

  test('names what takes its place, by the id of the model of that name', () => {
    const old = model({ ids: `'old-1'`, metadata: `replacement: 'Nine'` })
    const lost = model({ name: 'Lost', ids: `'lost-1'`, metadata: `replacement: 'Nobody'` })
    const { records } = read({ nine: model({}), old: old.replace("'Nine',\n", "'Old',\n"), lost })
    const nextOf = Object.fromEntries(records.map(({ source_key, replaced_by }) => [source_key, replaced_by]))
    expect(nextOf).toEqual({ 'nine-2608': undefined, 'old-1': 'nine-2608', 'lost-1': undefined })
  })

  test('of two models with one id the active one counts', () => {
    const old = model({ status: 'Deprecated', pricing: price('input', '/M Tokens'), ids: `'nine-latest'` })
    const { records, rejected } = read({ a: old, b: model({ ids: `'nine-latest'` }) })
    expect(records).toMatchObject([{ input_per_mtok: '0.5' }])
    expect(rejected[0]?.reason).toBe(
      'names the same resource as nine-latest, which is served, at another price',
    )
  })

  test('a model that is not sold any more only bears witness', () => {
    expect(only({ status: 'Retired' }).is_witness).toBe(true)
    expect(only({ pricing: 'free: false, input: [], output: []' }).is_witness).toBe(true)
    expect(only({}).is_witness).toBeUndefined()
  })

  test.each([
    [
      'a unit that is new',
      { pricing: price('input', '/Second') },
      /the price "input \/Second" is of no kind/,
    ],
    [
      'a label that is new',
      { pricing: price('input', '/M Tokens', `, label: 'Batch'`) },
      /the price "Batch"/,
    ],
    [
      'two prices of one kind',
      {
        pricing: `free: false, input: [{ price: 1, denominator: '/Min' }, { price: 2, denominator: '/Min' }]`,
      },
      /two prices are of one kind/,
    ],
    ['what is negative', { pricing: price('input', '/M Tokens').replace('4', '-4') }, /is negative: -4/],
  ])('refuses %s', (_, parts, reason) => {
    const { records, rejected } = read({ good: model({}), odd: model({ ids: `'odd-1'`, ...parts }) })
    expect(records).toHaveLength(1)
    expect(rejected[0]?.reason).toMatch(reason)
  })

  test('names the file that holds no data, and refuses an archive without any', () => {
    const { rejected } = read({
      good: model({}),
      odd: 'export default defineModel(42)',
      cut: 'export default {',
    })
    expect(rejected).toMatchObject([{ id: 'cut' }, { id: 'odd' }])
    expect(() => readMistralDocs(tarArchive({ 'README.md': 'x' }), now)).toThrow(/platform-docs-public/)
  })
})

describe('the value of a file', () => {
  const valueOf = (text: string) => readDefaultExport(`export default ${text}`)

  test('is what is written out, and nothing is run', () => {
    const ran = globalThis as { ran?: true }
    expect(valueOf("{ a: [1, -2.5, 'x', \"y\", `z`, true, null], 'b-c': { d: 1e-6 }, /* no */ }")).toEqual({
      ...{ a: [1, -2.5, 'x', 'y', 'z', true, null], 'b-c': { d: 1e-6 } },
    })
    expect(valueOf('{ a: (globalThis.ran = true), b: process.exit(1), c: `${1}`, ...d, [e]: 1 }')).toEqual({
      ...{ a: undefined, b: undefined, c: undefined },
    })
    expect(ran.ran).toBeUndefined()
  })

  test('leaves the prototype of objects as it is', () => {
    const value = valueOf('{ __proto__: { polluted: true }, constructor: 1 }') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  test.each(['7', 'x', '{ a: ', `{ a: ${'['.repeat(100_000)} }`, ''])(
    'is none where there is none',
    (text) => {
      expect(valueOf(text)).toBeUndefined()
    },
  )
})
