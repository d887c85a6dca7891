import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from './errors.ts'
import { readQuery } from '@ratecard/contract/input'

const types = new Map([
  ['vendor', 'string'],
  ['product', 'string'],
  ['limit', 'integer'],
  ['min_severity', 'integer'],
  ['include_incidents', 'boolean'],
])

const text = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter((value) => !value.includes('\0') && value.isWellFormed())
const integer = fc.bigInt({ min: 1n, max: 10n ** 30n }).map(String)
const query = fc.record(
  {
    vendor: text,
    product: text,
    limit: integer,
    min_severity: integer,
    include_incidents: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
)

function refusal(given: string): string | null {
  try {
    readQuery(given, types)
    return null
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message
    throw error
  }
}

describe('readQuery', () => {
  test('reads back what was encoded, however it was encoded', () => {
    fc.assert(
      fc.property(query, (values) => {
        const pairs = Object.entries(values)
        const encoded = pairs.map((pair) => pair.map(encodeURIComponent).join('='))
        expect(readQuery(encoded.join('&'), types)).toEqual(values)
        expect(readQuery(new URLSearchParams(pairs).toString(), types)).toEqual(values)
        const everyByte = pairs.map(([name, value]) => `${percent(name)}=${percent(value)}`)
        expect(readQuery(`&${everyByte.join('&&')}&`, types)).toEqual(values)
      }),
    )
  })

  test('reserved characters may stand as they are, but for & # % and +', () => {
    const reserved = fc.string({ unit: fc.constantFrom(...':/?[]@!$\'()*,;=.-_~{}|^`"<>az09'), minLength: 1 })
    fc.assert(
      fc.property(reserved, (value) => {
        expect(readQuery(`vendor=${value}`, types)).toEqual({ vendor: value })
      }),
    )
  })

  test('a raw + is a space, an encoded one a plus', () => {
    expect(readQuery('vendor=a+b%2Bc', types)).toEqual({ vendor: 'a b+c' })
  })

  test('whatever comes, it is read or refused with 400: nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), messy), (given) => {
        refusal(given)
      }),
      { numRuns: 1_000 },
    )
  })

  test('what is read is known, not empty, well-formed and without NUL', () => {
    fc.assert(
      fc.property(messy, (given) => {
        if (refusal(given) !== null) return
        for (const [name, value] of Object.entries(readQuery(given, types))) {
          expect(types.has(name)).toBe(true)
          expect(value).not.toBe('')
          expect(value.isWellFormed() && !value.includes('\0')).toBe(true)
          if (types.get(name) === 'integer') expect(value).toMatch(/^[1-9][0-9]*$/)
          if (types.get(name) === 'boolean') expect(['true', 'false']).toContain(value)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('a name that is not known is refused, those of every object too', () => {
    const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const name = fc.oneof(text, fc.constantFrom(...inherited)).filter((value) => !types.has(value))
    fc.assert(
      fc.property(name, text, (unknown, value) => {
        expect(refusal(`${encodeURIComponent(unknown)}=${encodeURIComponent(value)}`)).toMatch(
          /^There is no query parameter/,
        )
      }),
    )
  })

  test('a name given twice is refused, spelled differently too', () => {
    expect(refusal('vendor=a&vendor=a')).toBe('vendor is given more than once.')
    expect(refusal('vendor=a&%76endor=b')).toBe('vendor is given more than once.')
  })

  test('the message names what there is', () => {
    expect(refusal('vendr=a')).toBe(
      'There is no query parameter "vendr". It takes vendor, product, limit, min_severity, include_incidents.',
    )
    expect(refusal('vendor=')).toBe('vendor is empty. Leave it out, or give it a value.')
    expect(refusal('limit=0x10')).toBe(
      'limit must be a whole number in plain digits, without sign or leading zero.',
    )
    expect(refusal('vendor=%zz')).toBe('vendor is not valid percent-encoded UTF-8 without NUL.')
  })

  test.each(['0', '-1', '+1', '01', '1.0', '1e2', '0x10', ' 1', '1 ', '1_000', '١', '', 'NaN', 'Infinity'])(
    'no integer: %j',
    (value) => {
      expect(refusal(`limit=${encodeURIComponent(value)}`)).not.toBeNull()
    },
  )

  test.each(['TRUE', 'False', '1', '0', 'yes', 'on', ' true', 'true ', ''])('no boolean: %j', (value) => {
    expect(refusal(`include_incidents=${encodeURIComponent(value)}`)).not.toBeNull()
  })
})

const messy = fc
  .array(fc.constantFrom('vendor', 'limit', 'x', '=', '&', '%', '%0', '%00', '%ff', '%C3%A9', '+', '1', 'true', '#', '?'))
  .map((parts) => parts.join('')) // prettier-ignore

/** Every byte percent-encoded, also where there is no need. */
function percent(value: string): string {
  return [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
