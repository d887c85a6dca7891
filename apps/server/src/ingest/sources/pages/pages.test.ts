import { describe, expect, test } from 'vitest'
import {
  anthropicPage,
  deepseekHtmlPage,
  deepseekHtmlPageCn,
  deepseekPage,
  deepseekPageCn,
  openaiIslands,
  openaiPage,
} from '../../../../test/support/price-pages.ts'
import {
  googlePage,
  moonshotPage,
  moonshotPageCn,
  voyagePage,
  xaiPage,
  zaiPage,
} from '../../../../test/support/more-price-pages.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { resourceKey } from '../../match/names.ts'
import type { SourceReading, SourceRecord } from '../../source-record.ts'
import { sources, type SourceName } from '../index.ts'

const summer = new Date('2026-08-10T12:00:00Z')

function read(source: SourceName, text: string, now = summer): SourceReading {
  const reading = sources[source].read({ text, now })
  if (reading instanceof Promise) throw new Error('a page is read at once')
  return reading
}

/** Every amount of a row, the columns first. */
function amountsOf(record: SourceRecord | undefined): Record<string, string | null> {
  if (!record) return {}
  const rates = record.rates.map((rate) => [nameRate(rate), rate.amount])
  const { input_per_mtok, output_per_mtok, cached_input_per_mtok } = record
  return {
    in: input_per_mtok,
    out: output_per_mtok,
    hit: cached_input_per_mtok,
    ...Object.fromEntries(rates),
  } as never
}

function nameRate({ meter, service_tier, variant, threshold, hours }: Rate): string {
  return [service_tier, variant, threshold, hours, meter.replace('_tokens', '')]
    .filter((part) => part !== null)
    .join(' ')
}

function rowOf({ records }: SourceReading, id: string): SourceRecord | undefined {
  return records.find(({ resource_id }) => resource_id === id)
}

const forms: [SourceName, string, string, number][] = [
  ['anthropic-page', 'markdown', anthropicPage, 9],
  ['openai-page', 'source', openaiPage, 8],
  ['openai-page', 'HTML', openaiIslands, 8],
  ['deepseek-page', 'markdown', deepseekPage, 2],
  ['deepseek-page', 'HTML', deepseekHtmlPage, 2],
  ['deepseek-page-cn', 'markdown', deepseekPageCn, 2],
  ['deepseek-page-cn', 'HTML', deepseekHtmlPageCn, 2],
  ['google-page', 'markdown', googlePage, 5],
  ['moonshot-page', 'source', moonshotPage, 3],
  ['moonshot-page-cn', 'HTML', moonshotPageCn, 2],
  ['voyage-page', 'markdown', voyagePage, 5],
  ['xai-page', 'HTML', xaiPage, 3],
  ['zai-page', 'HTML', zaiPage, 6],
]

test.each(forms)('%s, %s: every amount is quoted with the bytes that state it', (source, _, text, count) => {
  const { records, quotes } = read(source, text)
  expect(records).toHaveLength(count)
  const bytes = Buffer.from(text)
  for (const record of records) {
    const own = quotes?.get(resourceKey(record.resource_id)) ?? []
    for (const quote of own) expect(bytes.subarray(quote.from, quote.to).toString()).toBe(quote.text)
    const stated = own.flatMap(({ of }) => of)
    const columns = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'] as const
    const needed = [
      ...columns.filter((column) => record[column] !== null),
      ...record.rates.map(rateKey),
      ...(record.scheduled.length > 0 ? ['scheduled'] : []),
    ]
    expect(needed.filter((name) => !stated.includes(name))).toEqual([])
    expect(stated).toHaveLength(new Set(stated).size)
  }
})

describe("Anthropic's page", () => {
  test('states writes to the cache, batch, fast mode and long requests beside its prices', () => {
    const reading = read('anthropic-page', anthropicPage)
    expect(amountsOf(rowOf(reading, 'anthropic:claude-opus-5'))).toEqual({
      ...{ in: '5', out: '25', hit: '0.5', cache_write: '6.25', '1h cache_write': '10' },
      ...{ 'batch input': '2.5', 'batch output': '12.5', 'fast input': '10', 'fast output': '50' },
    })
    expect(amountsOf(rowOf(reading, 'anthropic:claude-sonnet-4-5'))).toEqual({
      ...{ in: '3', out: '15', hit: '0.3', cache_write: '3.75', '1h cache_write': '6' },
      ...{ 'batch input': '1.5', 'batch output': '7.5', '200000 input': '6', '200000 output': '22.5' },
    })
    expect(rowOf(reading, 'anthropic:claude-haiku-4-5-20251001')).toMatchObject({
      currency: 'USD',
      vendor: 'anthropic',
    })
  })

  test('a price that ends has the one that begins on the next day; on that day it is the price', () => {
    const id = 'anthropic:claude-sonnet-5'
    const before = rowOf(read('anthropic-page', anthropicPage, new Date('2026-08-31T23:00:00Z')), id)
    expect(amountsOf(before)).toMatchObject({ in: '2', out: '10', hit: '0.2', 'batch input': '1' })
    expect(before?.scheduled).toMatchObject([
      {
        starts_on: '2026-09-01',
        amounts: { input_per_mtok: '3', output_per_mtok: '15', cached_input_per_mtok: '0.3' },
      },
    ])
    const after = rowOf(read('anthropic-page', anthropicPage, new Date('2026-09-01T00:00:00Z')), id)
    expect(amountsOf(after)).toMatchObject({
      in: '3',
      out: '15',
      hit: '0.3',
      cache_write: '3.75',
      'batch input': '1.5',
    })
    expect([after?.effective_at, after?.scheduled]).toEqual(['2026-09-01', []])
  })

  test('what it no longer sells, and a price in a sentence, are refused', () => {
    const { rejected } = read('anthropic-page', anthropicPage)
    expect(rejected).toMatchObject([
      {
        id: expect.stringMatching(/^Claude Opus 4 \(/) as string,
        reason: expect.stringMatching(/^is no longer sold/) as string,
      },
      {
        id: expect.stringMatching(/^Note 2$/) as string,
        reason: expect.stringMatching(/sentence.*Some pay/) as string,
      },
    ])
  })

  const odd: [string, string | RegExp, string, string[], RegExp, string[]?][] = [
    ['an unknown name', '| Claude Haiku 4.5 | $1 ', '| Claude Haiku 4.6 | $1 ', ['Claude Haiku 4.6'], /^its name is not in the table/, ['claude-haiku-4-5', 'claude-haiku-4-5-20251001']],
    ['an unknown state', /\(\[deprecated\]/g, '([paused]', ['Claude Opus 4.1 ([paused](/ends))'], /^is in an unknown state: paused/, ['claude-opus-4-1', 'claude-opus-4-1-20250805']],
    ['a footnote on an amount', '| $1.25 / MTok |', '| $1.25 / MTok1 |', ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'], /5m Cache Writes is not .*MTok1/],
    ['a write that is no multiple', '$6.25', '$6.52', ['claude-opus-5'], /its 5m cache write, 6.52, is not 1.25 times its input, 5/],
    ['a batch that is not half', '$2.50 / MTok | $12.50 ', '$2.50 / MTok | $13 ', ['claude-opus-5'], /its batch output, 13, is not half/],
    ['a row that is there twice', /^\| Claude Opus 5 \| \$5 .*$/m, '$&\n$&', ['claude-opus-5'], /is there twice/],
    ['a row without its batch', /^\| Claude Opus 5 \| \$2\.50.*\n/m, '', ['claude-opus-5'], /is not in the batch table/],
    ['days that do not meet', /September 1,/g, 'September 2,', ['claude-sonnet-5'], /its days are not/],
    ['a long request of another multiple', '$22.50', '$225', ['Claude Sonnet 4.5, long context'], /is not the price of its models/, []],
    ['a fast mode of two multiples', '$50 / MTok |\n\n### B', '$55 / MTok |\n\n### B', ['Fast mode pricing'], /has more than one multiple of its models' prices: 2, 2.2/, []],
    ['a dated price without its note', 'through August 31, 2026, after', 'through August 30, 2026, after', ['claude-sonnet-5'], /which no note confirms/],
  ] // prettier-ignore
  test.each(odd)('%s is refused alone', (_, found, replacement, ids, reason, lostKeys = ids) => {
    const before = read('anthropic-page', anthropicPage)
    const text =
      typeof found === 'string'
        ? anthropicPage.replace(found, () => replacement)
        : anthropicPage.replace(found, replacement)
    const after = read('anthropic-page', text)
    const [refused] = after.rejected.filter(({ id }) => id === ids[0])
    expect(refused?.reason).toMatch(reason)
    expect(refused?.reason).toMatch(/bytes \d+ to \d+/)
    const keys = new Set(after.records.map(({ source_key }) => source_key))
    const lost = before.records.flatMap(({ source_key }) => (keys.has(source_key) ? [] : [source_key]))
    expect(lost).toEqual(lostKeys)
  })

  const wrong: [string, string | RegExp, string, RegExp][] = [
    ['another currency', 'All prices are in USD.', 'All prices are in EUR.', /its currency is unknown/],
    ['another header', '| Base Input Tokens |', '| Input Tokens |', /Stored: .*Base Input Tokens.*Found: \| Model \| Input Tokens/],
    ['no batch table', '### Batch processing', '### Batches', /"Batch processing" cannot be read: there are 0 tables/],
    ['an example by another price', 'at $1/MTok', 'at $2/MTok', /its table has Claude Haiku 4.5 at 1 and 5, and its example says/],
    ['no multiples', /^\| 1-hour.*$/m, '', /does not state the price of "1-hour cache write"/],
    ['names that shifted', /^\| Claude (.*) \| \$(.*) \| \$(.*) \| \$(.*) \| \$(.*) \| \$(.*) \|$/gm, '| Claude $1 | $$1 / MTok | $$2 / MTok | $$3 / MTok | $$4 / MTok | $$5 / MTok |', /rows contradict the page itself/],
  ] // prettier-ignore
  test.each(wrong)('%s refuses the page', (_, found, replacement, reason) => {
    const text = anthropicPage.replace(found, replacement)
    expect(text).not.toBe(anthropicPage)
    expect(() => read('anthropic-page', text)).toThrow(reason)
  })
})

describe("OpenAI's page", () => {
  test.each([
    ['its source', openaiPage],
    ['as it is served', openaiIslands],
  ])('%s: states tiers beside its prices', (_, text) => {
    const reading = read('openai-page', text)
    expect(amountsOf(rowOf(reading, 'openai:gpt-5.6-sol'))).toEqual({
      ...{ in: '5', out: '30', hit: '0.5', cache_write: '6.25' },
      ...{
        'batch input': '2.5',
        'batch output': '15',
        'batch cached_input': '0.25',
        'batch cache_write': '3.125',
      },
      ...{
        'flex input': '2.5',
        'flex output': '15',
        'flex cached_input': '0.25',
        'flex cache_write': '3.125',
      },
      ...{
        'priority input': '10',
        'priority output': '60',
        'priority cached_input': '1',
        'priority cache_write': '12.5',
      },
    })
    expect(amountsOf(rowOf(reading, 'openai:gpt-5.4'))).toEqual({
      ...{ in: '2.5', out: '15', hit: '0.25' },
      ...{ 'batch input': '1.25', 'batch output': '7.5', 'batch cached_input': '0.13' },
    })
    expect(amountsOf(rowOf(reading, 'openai:gpt-5-pro'))).toMatchObject({ in: '15', out: '120', hit: null })
    expect(reading.rejected).toMatchObject([
      { id: 'gpt-3.5-turbo', reason: expect.stringMatching(/^is not in the batch table.*bytes/) as string },
    ])
  })

  const odd: [string, string, string, string, RegExp][] = [
    ['an output below its input', '["gpt-5.2", 1.75, 0.175, 14]', '["gpt-5.2", 14, 0.175, 1.75]', 'gpt-5.2', /its output, 1.75, is less/],
    ['another share of cached input', '["gpt-4.1", 2, 0.5, 8]', '["gpt-4.1", 2, 0.51, 8]', 'gpt-4.1', /its cached input, 0.51, is not/],
    ['a batch that is not half', '["gpt-4.1", 1, "-", 4]', '["gpt-4.1", 1, "-", 41]', 'gpt-4.1', /^batch: its output, 41, is not 0.50 times/],
    ['a write that is no multiple', '0.5, 6.25, 30]', '0.5, 6.5, 30]', 'gpt-5.6-sol', /its write to the cache, 6.5, is not 1.25 times/],
    ['a priority of two multiples', '["gpt-4o", 4.25, 2.125, 17]', '["gpt-4o", 4.25, 2.125, 18]', 'gpt-4o', /^priority: its output, 18/],
    ['a priority of another model', '["gpt-4o", 4.25, 2.125, 17]', '["gpt-4o", 8.5, 4.25, 34]', 'gpt-4o', /is 3.40 times the standard one/],
    ['a value too many', '["gpt-5.2", 1.75, 0.175, 14]', '["gpt-5.2", 1.75, 0.175, 14, 1, 2]', 'gpt-5.2', /has 5 values/],
    ['a name that is no id', '["gpt-5.2", 1.75', '["GPT 5.2", 1.75', 'GPT 5.2', /has a name that is no id/],
    ['no input', '["gpt-5.2", 1.75, 0.175, 14]', '["gpt-5.2", "-", 1.75, 14]', 'gpt-5.2', /has no input/],
  ] // prettier-ignore
  test.each(odd)('%s is refused alone', (_, found, replacement, id, reason) => {
    const { records, rejected } = read('openai-page', openaiPage.replace(found, replacement))
    expect(records).toHaveLength(7)
    expect(rejected.find((row) => row.id === id)?.reason).toMatch(reason)
    expect(rejected.find((row) => row.id === id)?.reason).toMatch(/bytes \d+ to \d+/)
  })

  test('cached input that no other tier confirms is left out', () => {
    const text = openaiPage.replace('["o4-mini", 0.55, 0.138, 2.2]', '["o4-mini", 0.55, "-", 2.2]')
    const reading = read('openai-page', text.replace('["o4-mini", 2, 0.5, 8]', '["o4-mini", 2, "-", 8]'))
    expect(amountsOf(rowOf(reading, 'openai:o4-mini'))).toMatchObject({ in: '1.1', out: '4.4', hit: null })
    expect(reading.mended).toMatchObject([{ id: 'o4-mini' }])
    expect(reading.mended[0]?.reason).toMatch(/its cached input, 0.275, is left out.*bytes/)
  })

  test('a row that cannot be parsed is refused by its place', () => {
    const { rejected } = read(
      'openai-page',
      openaiPage.replace('["gpt-5.2", 1.75,', '["gpt-5.2", €1.75,').replace('€', '~'),
    )
    expect(rejected.map(({ id }) => id)).toContainEqual(expect.stringMatching(/^standard at byte \d+$/))
  })

  const wrong: [string, string | RegExp, string, RegExp][] = [
    ['another unit', 'Prices per 1M tokens.', 'Prices per 1K tokens.', /the unit of "standard" is "Prices per 1K tokens."/],
    ['another currency', '$10.00', '€10.00', /its amounts are not in "\$" alone, but in "€"/],
    ['a pane of another tier', 'data-value="batch"', 'data-value="flex"', /a table "batch" stands in the pane "flex"/],
    ['a table that is cut', /\n *\]\}\n *\/>[^]*$/, '', /of 1 tables 0 have an end/],
    ['no batch', /<div data-content-switcher-pane data-value="batch">[^]*$/, '$10', /it has 0 tables of text tokens of the tier batch/],
    ['a row that is there twice', /^ *\["gpt-4.1", 2.*$/m, '$&\n$&', /standard has gpt-4.1 twice/],
    ['another component', /TextTokenPricingTables/g, 'TokenTables', /it has 0 tables/],
  ] // prettier-ignore
  test.each(wrong)('%s refuses the page', (_, found, replacement, reason) => {
    const text = openaiPage.replace(found, replacement)
    expect(text).not.toBe(openaiPage)
    expect(() => read('openai-page', text)).toThrow(reason)
  })

  test.each([
    ['props that are not JSON', '{&quot;tier', '&quot;tier', /its table at byte \d+ has no tier or no rows/],
    ['no unit', 'Prices per 1M tokens', 'Prices', /it does not say "Prices per 1M tokens"/],
  ])('as it is served, %s refuse the page', (_, found, replacement, reason) => {
    expect(() => read('openai-page', openaiIslands.replace(found, replacement))).toThrow(reason)
  })
})

describe("DeepSeek's page", () => {
  const flash = 'deepseek:deepseek-v4-flash'
  const flashCn = 'deepseek:cn:deepseek-v4-flash'

  test.each([
    ['deepseek-page', deepseekPage, flash, 'USD', { in: '0.14', out: '0.28', hit: '0.0028' }],
    ['deepseek-page', deepseekHtmlPage, flash, 'USD', { in: '0.14', out: '0.28', hit: '0.0028' }],
    ['deepseek-page-cn', deepseekPageCn, flashCn, 'CNY', { in: '1', out: '2', hit: '0.02' }],
    ['deepseek-page-cn', deepseekHtmlPageCn, flashCn, 'CNY', { in: '1', out: '2', hit: '0.02' }],
  ] as const)('%s: the two lists are two rows in two currencies', (source, text, id, currency, amounts) => {
    const row = rowOf(read(source, text), id)
    expect([row?.currency, amountsOf(row)]).toEqual([currency, amounts])
  })

  test('prices that are announced begin with the first whole day, and from their hour on are the prices', () => {
    const before = rowOf(read('deepseek-page', deepseekPage, new Date('2026-08-16T15:59:59Z')), flash)
    expect(before?.scheduled).toMatchObject([
      {
        starts_on: '2026-08-17',
        amounts: { input_per_mtok: '0.22', output_per_mtok: '0.66', cached_input_per_mtok: '0.007' },
      },
    ])
    const after = rowOf(read('deepseek-page', deepseekPage, new Date('2026-08-16T16:00:00Z')), flash)
    expect([after?.effective_at, after?.scheduled]).toEqual(['2026-08-16T16:00:00.000Z', []])
    expect(amountsOf(after)).toEqual({
      ...{ in: '0.22', out: '0.66', hit: '0.007' },
      ...{ '01:00-04:00 input': '0.44', '01:00-04:00 output': '1.32', '01:00-04:00 cached_input': '0.014' },
      ...{ '06:00-10:00 input': '0.44', '06:00-10:00 output': '1.32', '06:00-10:00 cached_input': '0.014' },
    })
  })

  test('the Chinese page tells the same hours in the time of Beijing', () => {
    const after = rowOf(read('deepseek-page-cn', deepseekPageCn, new Date('2026-08-16T16:00:00Z')), flashCn)
    expect(amountsOf(after)).toMatchObject({
      in: '1.5',
      out: '4.5',
      hit: '0.05',
      '01:00-04:00 output': '9',
      '06:00-10:00 input': '3',
    })
  })

  test.each([
    [
      'a footnote on an amount',
      deepseekPage.replace('$0.14 |', '$0.14(3) |'),
      /1M INPUT TOKENS \(CACHE MISS\) is not "\$1.23"/,
    ],
    [
      'a raised footnote',
      deepseekHtmlPage.replace('$0.14<', '$0.14<sup>1</sup><'),
      /CACHE MISS\) is not.*\$0.14\^1/,
    ],
    ['an old price beside it', deepseekHtmlPage.replace('$0.14<', '$0.14 <del>$0.28</del><'), /~~\$0.28~~/],
    [
      'a digit too many',
      deepseekPage.replace('$0.0028', '$0.00281'),
      /its input, 0.14, is not 50 or 120 times a hit/,
    ],
    [
      'another output',
      deepseekPage.replace('$0.28 ', '$0.29 '),
      /its output, 0.29, is not 2 times its input/,
    ],
  ])('%s refuses the model', (_, text, reason) => {
    const { records, rejected } = read('deepseek-page', text)
    expect(records.map(({ source_key }) => source_key)).toEqual(['deepseek-v4-pro'])
    expect(rejected).toMatchObject([
      { id: 'deepseek-v4-flash', reason: expect.stringMatching(reason) as string },
    ])
    expect(rejected[0]?.reason).toMatch(/bytes \d+ to \d+/)
  })

  test.each([
    ['the other language', 'deepseek-page', deepseekPageCn, /it does not say "The prices listed below/],
    ['the other language', 'deepseek-page-cn', deepseekPage, /it does not say "下表/],
    [
      'a row of prices that it does not know',
      'deepseek-page',
      deepseekPage.replace('| LIMIT(2) | | 2500', '| STORAGE | | $2'),
      /a row of prices that is not known/,
    ],
    [
      'another label',
      'deepseek-page',
      deepseekPage.replace('1M OUTPUT TOKENS | $0.28', '1K OUTPUT TOKENS | $0.28'),
      /it has 0 rows "1M OUTPUT TOKENS"/,
    ],
    [
      'a row that is there twice',
      'deepseek-page',
      deepseekPage.replace(/^\| 1M OUTPUT.*$/m, '$&\n$&'),
      /it has 2 rows/,
    ],
    [
      'a model too many',
      'deepseek-page',
      deepseekPage.replace('| deepseek-v4-pro |', '| deepseek-v4-pro | beta |'),
      /does not name each model once/,
    ],
    [
      'other words of the announcement',
      'deepseek-page',
      deepseekPage.replace('all other hours', 'most other hours'),
      /are not announced in one known sentence/,
    ],
    [
      'an announcement without its table',
      'deepseek-page',
      deepseekPage.slice(0, deepseekPage.indexOf('as follows:') + 11),
      /are not announced/,
    ],
    [
      'a peak that is not twice',
      'deepseek-page',
      deepseekPage.replace('$0.44 ', '$0.45 '),
      /the prices to come of "deepseek-v4-flash" are not two rows/,
    ],
    [
      'a moment that is none',
      'deepseek-page',
      deepseekPage.replace('August 16, 2026', 'August 36, 2026'),
      /are not announced/,
    ],
  ] as const)('%s refuses the page', (_, source, text, reason) => {
    expect(() => read(source, text)).toThrow(reason)
  })
})
