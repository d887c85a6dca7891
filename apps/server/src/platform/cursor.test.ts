import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor, type Cursor } from './cursor.ts'
import { parseInstant } from './instant.ts'

const cursors: fc.Arbitrary<Cursor> = fc.record({
  updatedAt: fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => parseInstant(date.toISOString()) ?? ''), // prettier-ignore
  id: fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter((id) => id.isWellFormed() && !id.includes('\0')),
})
const base64url = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
const updatedAt = '2026-01-31T12:00:00.000001Z'
const encode = (text: string) => Buffer.from(text).toString('base64url')

describe('a cursor', () => {
  test('comes back as the place it was made of', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = encodeCursor(cursor)
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodeCursor(text)).toEqual(cursor)
      }),
    )
  })

  test('is what the interface says: base64url without padding of the JSON pair', () => {
    expect(encodeCursor({ updatedAt, id: 'a:b' })).toBe(encode(`["${updatedAt}","a:b"]`))
  })

  test('has one spelling: what decodes, encodes to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...base64url) })), (text) => {
        const cursor = decodeCursor(text)
        if (cursor) expect(encodeCursor(cursor)).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })

  test('that was altered never decodes to the same place, nor to one that is not its own', () => {
    const edit = fc.record({
      position: fc.nat(300),
      character: fc.constantFrom(...base64url, '=', '+', '/', ' ', '.', '%'),
      kind: fc.constantFrom('replace', 'insert', 'remove'),
    })
    fc.assert(
      fc.property(cursors, edit, (cursor, { position, character, kind }) => {
        const text = encodeCursor(cursor)
        const at = position % text.length
        const rest = text.slice(kind === 'insert' ? at : at + 1)
        const altered = text.slice(0, at) + (kind === 'remove' ? '' : character) + rest
        if (altered === text) return
        const decoded = decodeCursor(altered)
        expect(decoded).not.toEqual(cursor)
        if (decoded) expect(encodeCursor(decoded)).toBe(altered)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['padding', `${encode(`["${updatedAt}","abc"]`)}=`],
    ['standard base64', Buffer.from(`["${updatedAt}","??>"]`).toString('base64')],
    ['a blank between', encode(`["${updatedAt}", "a"]`)],
    ['a blank before', encode(` ["${updatedAt}","a"]`)],
    ['a needless escape', encode(`["${updatedAt}","\\u0061"]`)],
    ['an escaped slash', encode(`["${updatedAt}","a\\/b"]`)],
    ['one element', encode(`["${updatedAt}"]`)],
    ['three elements', encode(`["${updatedAt}","a",1]`)],
    ['an object', encode(`{"0":"${updatedAt}","1":"a","length":2}`)],
    ['a number for the id', encode(`["${updatedAt}",1]`)],
    ['null for the id', encode(`["${updatedAt}",null]`)],
    ['an empty id', encode(`["${updatedAt}",""]`)],
    ['an id with NUL', encode(JSON.stringify([updatedAt, 'a\0']))],
    ['an id with half a surrogate pair', encode(JSON.stringify([updatedAt, '\ud83d']))],
    ['an id of 513 characters', encode(JSON.stringify([updatedAt, 'a'.repeat(513)]))],
    ['a time with milliseconds', encode('["2026-01-31T12:00:00.000Z","a"]')],
    ['a time with an offset', encode('["2026-01-31T12:00:00.000000+00:00","a"]')],
    ['a day that is none', encode('["2026-02-30T12:00:00.000000Z","a"]')],
    ['infinity', encode('["infinity","a"]')],
    [
      'invalid UTF-8',
      Buffer.from([...Buffer.from(`["${updatedAt}","`), 0xff, 0x22, 0x5d]).toString('base64url'),
    ],
    ['a null', encode('null')],
    ['no JSON', encode('{')],
  ])('is refused: %s', (_name, text) => {
    expect(decodeCursor(text)).toBeNull()
  })
})
