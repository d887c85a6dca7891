import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../platform/duration.ts'
import {
  addressedSources,
  findAddress,
  findInterval,
  findKey,
  nextDueAt,
  publicSources,
  readSchedule,
} from './schedule.ts'
import { hostAddresses } from '../sources/addresses.ts'
import { sources } from '../sources/index.ts'

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

describe('findKey', () => {
  const keys = { xai: 'xai-1', venice: 'v-1', litellm: 'l-1' }

  test.each([
    ['xai', 'https://api.x.ai/v1/language-models', 'xai-1'],
    ['venice', 'https://api.venice.ai/api/v1/models?type=text', 'v-1'],
    ["another's address", 'https://api.x.ai.prices.example/v1/models', undefined],
    ['no TLS', 'http://api.x.ai/v1/language-models', undefined],
    ['another port', 'https://api.x.ai:8443/v1/language-models', undefined],
    ['a file', 'file:///tmp/xai.json', undefined],
    ['no address', 'xai', undefined],
  ])('%s', (name, url, key) => {
    expect(findKey(name === 'venice' ? 'venice' : 'xai', url, keys)).toBe(key)
  })

  test('a source that answers with a key alone says which setting it needs, and shows no key', () => {
    const find = () => findKey('together', 'https://api.together.xyz/v1/models', keys)
    expect(find).toThrow('set FEED_KEYS to {"together":"…"}')
    expect(find).not.toThrow(/xai-1|v-1/)
    expect(findKey('venice', 'https://api.venice.ai/', {})).toBeUndefined()
  })
})

test("sellers' own lists are read only when they are named", () => {
  const named = Object.keys(hostAddresses) as (keyof typeof hostAddresses)[]
  expect(publicSources().filter((name) => Object.hasOwn(hostAddresses, name))).toEqual([])
  expect(addressedSources()).toEqual(expect.arrayContaining(named))
  for (const name of named) {
    expect(readSchedule([{ source: name }])).toMatchObject([
      { url: expect.stringMatching(/^https:/) as string },
    ])
  }
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
