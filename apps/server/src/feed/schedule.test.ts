import { describe, expect, test } from 'vitest'
import { parseDuration } from '../platform/duration.ts'
import { findAddress, findInterval, nextDueAt, publicSources, readSchedule } from './schedule.ts'
import { sources } from './sources/index.ts'

describe('readSchedule', () => {
  test('reads sources with their interval, those that come with the program without a URL', () => {
    const url = 'https://prices.example/litellm.json'
    expect(
      readSchedule([
        { source: 'genai-prices', every: '6h' },
        { source: 'litellm', url, every: '90s' },
      ]),
    ).toEqual([
      { source: 'genai-prices', url: null, everyMs: 21_600_000 },
      { source: 'litellm', url, everyMs: 90_000 },
    ])
  })

  test('without a URL and an interval a source is read at its public address, as often as it is worth', () => {
    const items = publicSources().map((source) => ({ source }))
    const feeds = readSchedule(items)
    for (const { source, url, everyMs } of feeds) {
      expect(url).toBe(source === 'genai-prices' ? null : sources[source as 'litellm'].url)
      expect(everyMs).toBe(parseDuration(findInterval({ source }) ?? ''))
      expect(findAddress(source, items)).toMatch(/^https:/)
    }
    expect(feeds).toHaveLength(6)
    expect(findAddress('own-csv', [])).toBeNull()
  })

  test.each([
    ['a source there is not', { source: 'toString', every: '1h' }, /"toString".*genai-prices.*litellm/],
    ['no URL where one is needed', { source: 'own-csv', every: '1h' }, /no url for own-csv/],
    [
      'no interval where one is needed',
      { source: 'own-csv', url: 'file:///p.csv' },
      /how often to read own-csv/,
    ],
    [
      'a password',
      { source: 'litellm', every: '1h', url: 'https://me:hunter2@x.example/' },
      /^FEED_SOURCES (?!.*hunter2)/,
    ],
  ])('names the variable for %s', (_, item, message) => {
    expect(() => readSchedule([item])).toThrow(message)
    expect(() => readSchedule([item])).toThrow(/^FEED_SOURCES /)
  })
})

describe('nextDueAt', () => {
  test.each([
    ['2026-09-01T12:00:00Z', '2026-09-01T13:00:00.000Z'],
    ['2026-08-31T23:30:00Z', '2026-09-01T00:00:30.000Z'],
    ['2026-09-01T00:00:00Z', '2026-09-01T00:00:30.000Z'],
    ['2026-09-01T00:00:30Z', '2026-09-01T01:00:30.000Z'],
  ])('after %s is %s', (now, next) => {
    expect(nextDueAt(new Date(now)).toISOString()).toBe(next)
  })
})
