import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantMs } from '../src/instant.ts'
import { alert, allBuilds, codeOf, delivery, now, secret, time } from './builds.ts'

// `timestamp` is any RFC 3339 instant with a zone.

describe.each(allBuilds)('%s', (_, build) => {
  test.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.6Z',
    '2026-01-02T03:04:05.678000Z',
    '2026-01-02T03:04:05.678123456789012345Z',
    '2026-01-02t03:04:05.678z',
    '2026-01-02T05:04:05.678+02:00',
    '2026-01-01T21:34:05.678-05:30',
    '2026-01-02T03:04:05.678-00:00',
  ])('takes %s', async (timestamp) => {
    const { body, headers } = delivery(JSON.stringify({ ...alert, timestamp }))
    await expect(build.verify(body, headers, { secret, now, toleranceSeconds: 1 })).resolves.toMatchObject({
      timestamp,
    })
  })

  test.each([
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    '2026-01-02',
    '2026-02-30T03:04:05Z',
    '2025-02-29T03:04:05Z',
    '2026-13-01T03:04:05Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T25:59:00+02:00',
    '2026-01-02T03:60:05Z',
    '2026-01-02T03:04:61Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05,5Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05+02:60',
    '2026-01-02T03:04:05+0200',
    '2026-01-02T03:04:05+02',
    '+002026-01-02T03:04:05Z',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z\n',
    '٢٠٢٦-01-02T03:04:05Z',
    '1767323045',
  ])('refuses %j', async (timestamp) => {
    const { body, headers } = delivery(JSON.stringify({ ...alert, timestamp }))
    expect(await codeOf(build.verify(body, headers, { secret, now, toleranceSeconds: Infinity }))).toBe(
      'invalid_payload',
    )
  })
})

test('a leap second is taken where there can be one, as the second after it', () => {
  const after = Date.parse('2017-01-01T00:00:00Z')
  expect(instantMs('2016-12-31T23:59:60Z')).toBe(after)
  expect(instantMs('2016-12-31T23:59:60.5z')).toBe(after + 500)
  expect(instantMs('2017-01-01T05:29:60+05:30')).toBe(after)
  expect(instantMs('2016-12-31T15:59:60-08:00')).toBe(after)
  // In UTC this is of the year -1, which a date writes with a sign and six digits.
  expect(instantMs('0000-01-01T01:59:60+02:00')).toBe(Date.parse('0000-01-01T00:00:00Z'))
  for (const text of ['2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00']) expect(instantMs(text)).toBeNaN()
})

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

test('agrees with arithmetic on any instant, in any zone, with any fraction', () => {
  const wall = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 })
  fc.assert(
    fc.property(wall, offset, fc.stringMatching(/^\d{0,20}$/), (date, minutes, digits) => {
      const zone = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
      const text = date.toISOString().slice(0, 19) + (digits && `.${digits}`) + zone
      const whole = Math.floor(+date / 1_000) * 1_000
      expect(instantMs(text)).toBe(whole - minutes * 60_000 + Number(digits.slice(0, 3).padEnd(3, '0')))
    }),
    { numRuns: 5_000 },
  )
})

test('what is near to now is judged by the zone', async () => {
  const [[, build]] = allBuilds as [(typeof allBuilds)[number]]
  const local = new Date(time).toISOString().replace('Z', '+02:00')
  const { body, headers } = delivery(JSON.stringify({ ...alert, timestamp: local }))
  expect(await codeOf(build.verify(body, headers, { secret, now }))).toBe('timestamp_too_old')
})
