import fc from 'fast-check'
import { waitForUpdate } from '@pydantic/genai-prices'
import { beforeAll, describe, expect, test } from 'vitest'
import { mendRecord } from '../../src/catalog/price-check.ts'
import { readSource } from '../../src/ingest/run/read-source.ts'
import type { SourceName } from '../../src/ingest/sources/index.ts'
import { rowCheck, type RowCheck } from '../../src/platform/row-check.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { priceDataDir, priceFile, skipTitle } from '../support/price-files.ts'

// Real files with an error at a random position: no crash, every row is accepted or reported, and accepted rows pass
// the contract's schema of a served price.

const now = new Date('2026-08-21T12:00:00Z')
let check: RowCheck
beforeAll(async () => {
  check = await rowCheck()
})

/** Values that upstream files have contained, or that an attacker would write, as JSON. */
const oddValues = [
  ...[
    'null',
    'true',
    '-1',
    '0',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-324',
    '1e308',
    '""',
    '"0"',
    '" "',
    '"NaN"',
    '"-0"',
  ],
  ...[
    '"\\u0000"',
    '"a\\ud800"',
    '"\\udc00b"',
    '"\\u001b[31m"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"\\u202e"',
  ],
  ...[
    '"1e99999"',
    '"0x10"',
    '"0000-00-00"',
    '"0000-01-01"',
    '"9999-12-31"',
    '"2026-02-30"',
    '"javascript:alert(1)"',
  ],
  ...[
    '"https://a b/"',
    '"https://a/ü {}|"',
    '"https://u:p@a/"',
    '"http://[::1]/%zz"',
    '"file:///etc/passwd"',
    '"//a"',
  ],
  ...[
    '[]',
    '{}',
    '[[]]',
    '{"__proto__": {"a": 1}}',
    '{"a": {"a": {"a": {}}}}',
    '[null]',
    '{"": ""}',
    '{"price": -1}',
  ],
  ...[
    JSON.stringify('a'.repeat(3_000)),
    JSON.stringify('/'.repeat(3_000)),
    `"https://${'a'.repeat(3_000)}/"`,
  ],
  ...[`${'['.repeat(3_000)}${']'.repeat(3_000)}`, '1'.repeat(400), `"${'9'.repeat(400)}"`],
]
const oddNames = [
  '',
  '__proto__',
  'constructor',
  'a\u0000',
  '\ud800',
  'input_cost_per_\u0007',
  'a'.repeat(3_000),
  'a_above_99999999999999999999k_tokens',
  '*',
  '/',
]

interface Mutation {
  /** Where to go down, at each level. */
  steps: number[]
  kind: 'value' | 'name' | 'remove' | 'add'
  value: string
  name: string
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  steps: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('value', 'name', 'remove', 'add'),
  value: fc.constantFrom(...oddValues),
  name: fc.constantFrom(...oddNames),
})

/** A mark that no file has. It is replaced by text that JSON values cannot express, such as 1e400. */
const mark = (n: number) => `#odd value ${n}#`

function mutated(json: unknown, mutations: readonly Mutation[]): string {
  const copy = structuredClone(json)
  for (const [n, { steps, kind, name }] of mutations.entries()) {
    let at = copy as Record<string, unknown>
    for (const [level, step] of steps.entries()) {
      const keys = Object.keys(at)
      const key = keys[step % Math.max(1, keys.length)]
      if (key === undefined) break
      const next = at[key]
      if (level < steps.length - 1 && typeof next === 'object' && next !== null) {
        at = next as Record<string, unknown>
        continue
      }
      const isList = Array.isArray(at)
      if (kind === 'value' || isList) at[key] = mark(n)
      if (kind === 'remove' && !isList) Reflect.deleteProperty(at, key)
      if (kind === 'add' || kind === 'name') {
        const value = kind === 'name' ? next : mark(n)
        Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true })
      }
      break
    }
  }
  return mutations.reduce(
    (text, { value }, n) => text.replaceAll(JSON.stringify(mark(n)), () => value),
    JSON.stringify(copy),
  )
}

async function expectSound(
  source: SourceName,
  text: string,
  rowsMin: (json: unknown) => number,
): Promise<void> {
  const input = { text, now, name: 'openai.json' }
  const reading = await readSource(source, input).catch((error: unknown) => error as Error)
  if (reading instanceof UserError) {
    expect(reading.message).not.toBe('')
    return
  }
  if (reading instanceof Error) throw reading
  const { records, rejected, mended, version } = reading
  for (const record of records) expect(mendRecord(check, record)).toEqual({ row: record, complaints: [] })
  expect(records.length + rejected.length).toBeGreaterThanOrEqual(rowsMin(JSON.parse(text)))
  for (const { reason } of rejected) expect(reason).not.toBe('')
  // PostgreSQL accepts it: no NUL and no half character in any position.
  const stored = JSON.stringify({ records, rejected, mended, version })
  expect(stored).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i)
  expect(({} as Record<string, unknown>).a).toBeUndefined()
}

const size = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
const modelsOf = (providers: unknown) =>
  Object.values(providers ?? {}).reduce((sum: number, one: unknown) => sum + size(fieldOf(one, 'models')), 0)

/** Rows that a file has at least. */
const rowsOf: Record<string, (json: unknown) => number> = {
  litellm: size,
  'models.dev': modelsOf,
  'genai-prices': modelsOf,
  openrouter: (json) => size(fieldOf(json, 'data')),
  'llm-prices': () => 0,
  portkey: () => 0,
}

const runs = { numRuns: 25 }

test('genai-prices, as it comes with the program', async () => {
  const whole = (await waitForUpdate()) as unknown[]
  // Some providers of it: a run of the whole takes long.
  const json = whole.slice(0, 8)
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 12 }), (mutations) =>
      expectSound('genai-prices', mutated(json, mutations), modelsOf),
    ),
    runs,
  )
})

describe.skipIf(priceDataDir === undefined)(skipTitle('files as published'), () => {
  const part = (json: Record<string, unknown>, count: number) =>
    Object.fromEntries(Object.entries(json).filter((_, index) => index % Math.ceil(size(json) / count) === 0))
  const files: [SourceName, () => unknown][] = [
    [
      'litellm',
      () =>
        part(JSON.parse(priceFile('litellm/model_prices_2026-08-01.json')) as Record<string, unknown>, 150),
    ],
    [
      'models.dev',
      () =>
        part(
          JSON.parse(priceFile('models.dev/api_equivalent_2026-07-02.json')) as Record<string, unknown>,
          12,
        ),
    ],
    ['openrouter', () => JSON.parse(priceFile('openrouter/models_2026-08-01.json')) as unknown],
    [
      'llm-prices',
      () => JSON.parse(priceFile('llm-prices/historical-v1_equivalent_2026-08-05.json')) as unknown,
    ],
  ]
  test.each(files)('%s', async (source, read) => {
    const json = read()
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 12 }), (mutations) =>
        expectSound(source, mutated(json, mutations), rowsOf[source]!),
      ),
      runs,
    )
  })
})
