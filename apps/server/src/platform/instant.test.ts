import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDateText, isInstantText, parseInstant } from './instant.ts'

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** Instants that every RFC 3339 reader takes, with what they are in milliseconds by the platform's own parser. */
const moment = fc.record({
  day: fc.date({ min: new Date('0002-01-01T00:00:00Z'), max: new Date('9998-12-31T23:59:59Z'), noInvalidDate: true }), // prettier-ignore
  micros: fc.integer({ min: 0, max: 999_999 }),
  offset: fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 }),
})

describe('parseInstant', () => {
  test('agrees with the platform on the instant, whatever the offset, and keeps microseconds', () => {
    fc.assert(
      fc.property(moment, ({ day, micros, offset }) => {
        const seconds = day.toISOString().slice(0, 19)
        const size = Math.abs(offset)
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
        const parsed = parseInstant(`${seconds}.${pad(micros, 6)}${zone}`)
        const expected = new Date(Date.parse(`${seconds}${zone}`)).toISOString().slice(0, 19)
        expect(parsed).toBe(`${expected}.${pad(micros, 6)}Z`)
      }),
    )
  })

  test('what it returns is what we write, and parsing that changes nothing', () => {
    fc.assert(
      fc.property(moment, ({ day, micros }) => {
        const text = `${day.toISOString().slice(0, 19)}.${pad(micros, 6)}Z`
        expect(isInstantText(text)).toBe(true)
        expect(parseInstant(text)).toBe(text)
      }),
    )
  })

  test('sorts as text in the order of time', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [first, second] = [a, b].map(({ day }) => parseInstant(day.toISOString()) ?? '')
        const byTime = Math.sign(a.day.getTime() - b.day.getTime())
        expect((first ?? '') < (second ?? '') ? -1 : first === second ? 0 : 1).toBe(byTime)
      }),
    )
  })

  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.100000Z'],
    ['2026-01-31T12:00:00.1234569Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.999999999999Z', '2026-01-31T12:00:00.999999Z'],
    ['2026-01-01T00:00:00+05:30', '2025-12-31T18:30:00.000000Z'],
    ['2026-12-31T23:59:59-23:59', '2027-01-01T23:58:59.000000Z'],
    ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant)
  })

  test.each([
    ...['', '2026', '2026-01-31', '2026-01-31T12:00:00', '2026-01-31 12:00:00Z', '2026-01-31T12:00Z'],
    ...['2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-00-01T00:00:00Z'],
    ...['2026-13-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-31T24:00:00Z'],
    ...['2026-01-31T00:60:00Z', '2026-01-31T00:00:60Z', '2016-12-31T23:59:60Z', '2026-01-31T00:00:00.Z'],
    ...['2026-01-31T00:00:00,5Z', '2026-01-31T00:00:00+24:00', '2026-01-31T00:00:00+00:60'],
    ...[
      '2026-01-31T00:00:00+0530',
      '2026-01-31T00:00:00+05',
      '2026-01-31T00:00:00 05:30',
      '2026-01-31T00:00:00',
    ],
    ...['0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '-001-01-01T00:00:00Z', '+002026-01-01T00:00:00Z'],
    ...['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '٢٠٢٦-01-31T00:00:00Z'],
    ...[' 2026-01-31T00:00:00Z', '2026-01-31T00:00:00Z ', '2026-01-31T00:00:00Z\n', 'infinity', 'now'],
  ])('%j is no instant', (text) => {
    expect(parseInstant(text)).toBeNull()
  })

  test('any text is read or refused, and what is read is an instant as we write it', () => {
    const nearly = fc.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        const parsed = parseInstant(text)
        expect(parsed === null || isInstantText(parsed)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('isInstantText', () => {
  test.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.00000Z', '2026-01-31T12:00:00.0000000Z'])(
    'wants exactly six decimals: %s',
    (text) => {
      expect(isInstantText(text)).toBe(false)
    },
  )
  test.each(['2026-01-31t12:00:00.000000Z', '2026-01-31T12:00:00.000000z', '2026-01-31T12:00:00.0+00:00'])(
    'wants T and Z: %s',
    (text) => {
      expect(isInstantText(text)).toBe(false)
    },
  )
})

describe('isDateText', () => {
  test('is true of every day of the calendar', () => {
    fc.assert(fc.property(moment, ({ day }) => isDateText(day.toISOString().slice(0, 10))))
  })

  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '0000-01-01',
    '2026-01-01T',
    ' 2026-01-01',
    '20260101',
    '',
  ])('%j is no date', (text) => {
    expect(isDateText(text)).toBe(false)
  })
})
