import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readAlert } from '../src/payload.ts'
import { alert } from './builds.ts'

interface Contract {
  components: { schemas: Record<string, { additionalProperties?: boolean; [keyword: string]: unknown }> }
}

/** The contract's own schema, open for fields that a later version may add. */
function contractCheck() {
  const file = new URL('../../../openapi.yaml', import.meta.url)
  const { components } = parse(readFileSync(file, 'utf8')) as Contract
  for (const schema of Object.values(components.schemas)) delete schema.additionalProperties
  // The contract says how we write an instant. Readers accept every form of RFC 3339. The pattern is for what
  // ajv-formats lets through: spaces, and 25:59:00+02:00, which it takes for a leap second.
  components.schemas.Timestamp = {
    type: 'string',
    format: 'date-time',
    pattern: '^\\S{11}([01]\\d|2[0-3])\\S*$',
  }
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema({ $id: 'contract', components })
  return ajv.compile({ $ref: 'contract#/components/schemas/ChangeAlert' })
}

const byContract = contractCheck()

function byUs(value: unknown): boolean {
  try {
    readAlert(JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(
    '',
    ' ',
    0,
    1,
    5,
    6,
    1.5,
    -1,
    1e400,
    true,
    null,
    [],
    {},
    [''],
    'x'.repeat(200),
    'x'.repeat(201),
  ),
  fc.constantFrom(
    '😀'.repeat(200),
    '😀'.repeat(201),
    '😀'.repeat(2_001),
    '😀'.repeat(4_000),
    'é'.repeat(4_001),
  ),
  fc.constantFrom('change.alert', ['change.alert'], ['2026-01-02T03:04:05.678000Z'], ['https://a.example']),
)

const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
const timestamps = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('0000', '1900', '2000', '2024', '2026', '9999', '26'),
      two(13),
      two(32),
      two(25),
      two(61),
      two(62),
      fc.constantFrom('', '.', '.1', '.123456', '.1234567890123'),
      fc.constantFrom('Z', 'z', '', '+02:00', '-23:59', '+24:00', '-00:60'),
    )
    .map(
      ([year, month, day, hour, minute, second, fraction, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
    ),
  fc.constantFrom(
    '2026-01-02T03:04:05.678Z',
    '2026-01-02T03:04:05Z',
    '2026-01-02 03:04:05.678000Z',
    '2026-01-02T03:04:05.678000+00:00',
  ),
  fc.constantFrom(
    '2026-01-02t03:04:05.678000z',
    '2026-01-02T03:04:05.678000Z\n',
    '2026-01-02T03:04:05.999999Z',
    '2026-02-29T00:00:00.000000Z',
  ),
  fc.constantFrom(
    '2024-02-29T00:00:00.000000Z',
    '2026-04-31T00:00:00.000000Z',
    '2026-01-01T24:00:00.000000Z',
    '-2026-01-02T03:04:05.67800Z',
  ),
)

const urls = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .string({ unit: fc.constantFrom(...`ab1:/?#@%.-_~!$&'()*+,;=2F \\^|<é`), maxLength: 14 })
    .map((text) => 'https:' + text),
  fc.string({ unit: fc.constantFrom(...'ab1:/?#@%20'), maxLength: 10 }),
  fc.constantFrom(
    'mailto:a@b.example',
    'urn:x:y',
    'https://h:80/x',
    'https://h:80a/',
    'https://u:p@h/',
    'https://u@v@h/',
    '//h/x',
    '/x',
  ),
)

type Draft = Record<string, unknown> & { changes: Record<string, unknown>[] }
const field = fc.constantFrom(...Object.keys(alert.changes[0] ?? {}))
const mutation = fc.oneof(
  fc
    .tuple(fc.constantFrom('event', 'timestamp', 'changes', 'extra'), odd)
    .map(([name, value]) => (draft: Draft) => {
      ;(draft as Record<string, unknown>)[name] = value
    }),
  fc.constantFrom('event', 'timestamp', 'changes').map((name) => (draft: Draft) => {
    delete (draft as Record<string, unknown>)[name]
  }),
  fc.tuple(field, odd).map(
    ([name, value]) =>
      (draft: Draft) =>
        Object.assign(draft.changes[0] ?? {}, { [name]: value }),
  ),
  field.map((name) => (draft: Draft) => delete draft.changes[0]?.[name]),
  odd.map((value) => (draft: Draft) => draft.changes.push(value as never)),
  fc.integer({ min: 0, max: 102 }).map((count) => (draft: Draft) => {
    draft.changes = Array.from({ length: count }, () => ({ ...alert.changes[0] }))
  }),
  timestamps.map((timestamp) => (draft: Draft) => Object.assign(draft, { timestamp })),
  urls.map((url) => (draft: Draft) => Object.assign(draft.changes[0] ?? {}, { url })),
  fc.constant(() => {}),
)

describe('the check of a payload', () => {
  test('says the same as the contract on 10,000 mutated alerts', () => {
    const tally = { true: 0, false: 0 }
    fc.assert(
      fc.property(mutation, (mutate) => {
        const draft = structuredClone(alert) as unknown as Draft
        mutate(draft)
        // Through JSON on both sides: a value that JSON cannot write cannot be received.
        const received: unknown = JSON.parse(JSON.stringify(draft))
        const expected = byContract(received)
        tally[`${expected}`] += 1
        expect(byUs(received)).toBe(expected)
      }),
      { numRuns: 10_000 },
    )
    expect(Math.min(tally.true, tally.false)).toBeGreaterThan(1_000)
  })

  test('says the same as the contract on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(byUs(value)).toBe(byContract(value))
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    'https://[::1]/x',
    'https://[2001:db8::1]:80/?a#b',
    'https://a/%41%5b?%5D#%42',
    'https://',
    'urn:a',
    'urn:ab',
  ])('takes %s as an address', (url) => {
    const draft = { ...alert, changes: [{ ...alert.changes[0], url }] }
    expect(byContract(draft)).toBe(true)
    expect(byUs(draft)).toBe(true)
  })

  test.each([
    'https://a/[x]',
    'https://[g]/',
    'https://[::1/',
    'https://a/#b#c',
    'https://a/#%41#',
    'https://a/%4',
    'https://a/#%g0',
    'https://a b/',
  ])('refuses %s', (url) => {
    const draft = { ...alert, changes: [{ ...alert.changes[0], url }] }
    expect(byContract(draft)).toBe(false)
    expect(byUs(draft)).toBe(false)
  })

  test.each(['@:/', '%41', 'a%41', '#', '[::1]'])('a hostile address of %s is judged in time', (part) => {
    const draft = { ...alert, changes: [{ ...alert.changes[0], url: `https:${part.repeat(50_000)} ` }] }
    expect(byUs(draft)).toBe(false)
  })

  test('a timestamp that no text can be made of is refused like any other', () => {
    const body = JSON.stringify({ ...alert, timestamp: { toString: 1, valueOf: 1 } })
    expect(() => readAlert(body)).toThrow(
      expect.objectContaining({ code: 'invalid_payload', hint: 'timestamp' }),
    )
  })
})
