import { describe, expect, test } from 'vitest'
import { priceDataDir, priceFile, skipTitle } from '../../../../test/support/price-files.ts'
import { UserError } from '../../../platform/user-error.ts'
import { sources, type SourceName } from '../index.ts'

// What stands in the documents, read by eye: input, output and cached input, and rates as `tier or variant meter`.

const haiku3 = [
  'claude-3-haiku-20240307',
  '0.25 1.25 0.03',
  { write: '0.3', '1h write': '0.5', 'batch in': '0.125' },
] as const
const opus5 = [
  'claude-opus-5',
  '5 25 0.5',
  {
    write: '6.25',
    '1h write': '10',
    'batch in': '2.5',
    'batch out': '12.5',
    'fast in': '10',
    'fast out': '50',
  },
] as const
const intro = { write: '2.5', '1h write': '4', 'batch in': '1', 'batch out': '5', '2026-09-01': '3 15 0.3' }
const flash = ['deepseek-v4-flash', '0.14 0.28 0.0028', {}] as const
const pro = ['deepseek-v4-pro', '0.435 0.87 0.003625', {}] as const
const flashCn = ['deepseek-v4-flash', '1 2 0.02', {}] as const
const proCn = ['deepseek-v4-pro', '3 6 0.025', {}] as const
const gpt41 = [
  'gpt-4.1',
  '2 8 0.5',
  { 'batch in': '1', 'batch out': '4', 'priority in': '3.5', 'priority hit': '0.875' },
] as const

type Row = readonly [key: string, columns: string, rates: Readonly<Record<string, string>>]
const states: [SourceName, path: string, read: number, refused: number, rows: readonly Row[]][] = [
  ['anthropic-page', 'anthropic/2025-12-11-pricing.md', 14, 1, [
    ['claude-opus-4-1', '15 75 1.5', { write: '18.75', '1h write': '30', 'batch in': '7.5', 'batch out': '37.5' }],
    ['claude-3-5-haiku-20241022', '0.8 4 0.08', { write: '1', '1h write': '1.6', 'batch in': '0.4', 'batch out': '2' }],
    haiku3,
  ]],
  ['anthropic-page', 'anthropic/2026-02-08-pricing.md', 15, 1, [
    ['claude-opus-4-6', '5 25 0.5', { '200000 in': '10', '200000 out': '37.5', 'batch out': '12.5' }],
    ['claude-sonnet-4-20250514', '3 15 0.3', { '200000 in': '6', '200000 out': '22.5', write: '3.75' }],
    haiku3,
  ]],
  ['anthropic-page', 'anthropic/2026-04-17-pricing.md', 17, 1, [
    ['claude-opus-4-7', '5 25 0.5', { write: '6.25', '1h write': '10', 'batch in': '2.5' }],
    ['claude-3-opus-20240229', '15 75 1.5', { write: '18.75', '1h write': '30', 'batch out': '37.5' }],
    haiku3,
  ]],
  ['anthropic-page', 'anthropic/2026-05-11-pricing.md', 17, 1, [
    ['claude-sonnet-4-6', '3 15 0.3', { write: '3.75', '1h write': '6', 'batch in': '1.5', 'batch out': '7.5' }],
    ['claude-haiku-4-5-20251001', '1 5 0.1', { write: '1.25', '1h write': '2', 'batch in': '0.5', 'batch out': '2.5' }],
    haiku3,
  ]],
  ['anthropic-page', 'anthropic/2026-07-24-pricing.md', 16, 4, [
    ['claude-opus-4-7', '5 25 0.5', { write: '6.25', 'batch in': '2.5' }],
    ['claude-mythos-5', '10 50 1', { write: '12.5', '1h write': '20', 'batch in': '5', 'batch out': '25' }],
    ['claude-sonnet-5', '2 10 0.2', intro],
  ]],
  ['anthropic-page', 'anthropic/2026-08-06-pricing.md', 14, 4, [opus5, ['claude-sonnet-5', '2 10 0.2', intro]]],
  ['anthropic-page', 'anthropic/2026-08-11-pricing.md', 14, 5, [
    opus5,
    ['claude-fable-5', '10 50 1', { 'batch out': '25' }],
    ['claude-sonnet-5', '2 10 0.2', { write: '2.5', '1h write': '4', 'batch in': '1', 'batch out': '5' }],
  ]],
  ['openai-page', 'openai/2026-04-03-pricing.md', 37, 4, [
    gpt41,
    ['gpt-5.4', '2.5 15 0.25', { 'batch hit': '0.13', 'flex out': '7.5', 'priority in': '5', 'priority out': '30' }],
    ['o4-mini', '1.1 4.4 0.275', { 'flex hit': '0.138', 'batch in': '0.55', 'priority out': '8' }],
    ['babbage-002', '0.4 0.4 -', { 'batch in': '0.2' }],
  ]],
  ['openai-page', 'openai/2026-07-15-pricing.md', 42, 4, [
    gpt41,
    ['gpt-5.6-luna', '1 6 0.1', { write: '1.25', 'batch write': '0.625', 'flex in': '0.5', 'priority out': '12' }],
    ['gpt-5.6-terra', '2.5 15 0.25', { write: '3.125', 'batch write': '1.5625', 'priority write': '6.25' }],
    ['gpt-5.5-pro', '30 180 -', { 'flex in': '15', 'batch out': '90' }],
  ]],
  ['deepseek-page', 'deepseek/2026-05-08-pricing.en.html', 1, 1, [flash]],
  ['deepseek-page', 'deepseek/2026-08-02-pricing.en.md', 2, 0, [flash, pro]],
  ['deepseek-page', 'deepseek/2026-08-08-pricing.en.md', 2, 0, [flash, pro]],
  ['deepseek-page', 'deepseek/2026-08-13-pricing.en.md', 2, 0, [flash, pro]],
  ['deepseek-page', 'deepseek/2026-08-14-pricing.en.md', 2, 0, [
    ['deepseek-v4-flash', '0.14 0.28 0.0028', { '2026-08-17': '0.22 0.66 0.007' }],
    ['deepseek-v4-pro', '0.435 0.87 0.003625', { '2026-08-17': '0.66 1.98 0.022' }],
  ]],
  ['deepseek-page-cn', 'deepseek/2026-07-17-pricing.zh-cn.html', 2, 0, [flashCn, proCn]],
  ['deepseek-page-cn', 'deepseek/2026-08-02-pricing.zh-cn.md', 2, 0, [flashCn, proCn]],
  ['deepseek-page-cn', 'deepseek/2026-08-14-pricing.zh-cn.md', 2, 0, [
    ['deepseek-v4-flash', '1 2 0.02', { '2026-08-17': '1.5 4.5 0.05' }],
    ['deepseek-v4-pro', '3 6 0.025', { '2026-08-17': '4.5 13.5 0.15' }],
  ]],
  ['google-page', 'google/2026-05-08-gemini-api-pricing.md', 15, 10, [
    ['gemini-3.1-flash-lite', '0.25 1.5 0.025', { 'audio in': '0.5', 'batch audio hit': '0.025', 'priority out': '2.7' }],
    ['gemini-3.1-pro-preview', '2 12 0.2', { '200000 in': '4', '200000 out': '18', '200000 hit': '0.4', 'priority 200000 out': '32.4' }],
    ['gemini-2.5-flash', '0.3 2.5 0.03', { 'audio in': '1', 'audio hit': '0.1', 'flex in': '0.15', 'batch hit': '0.03' }],
    ['gemini-2.5-flash-preview-tts', '0.5 - -', { 'audio out': '10', 'batch audio out': '5' }],
    ['gemini-embedding-001', '0.15 - -', { 'batch in': '0.075' }],
  ]],
  ['moonshot-page', 'moonshot/2026-05-08-kimi-k2.6-pricing.md', 13, 0, [
    ['kimi-k2.6', '0.95 4 0.16', {}],
    ['kimi-k2-thinking-turbo', '1.15 8 0.15', {}],
    ['moonshot-v1-128k', '2 5 -', {}],
  ]],
  ['moonshot-page-cn', 'moonshot/2026-07-17-platform.kimi.com-chat-k25.html', 1, 0, [['kimi-k2.5', '4 21 0.7', {}]]],
  ['moonshot-page-cn', 'moonshot/2026-07-17-platform.kimi.com-chat-k26.html', 1, 0, [['kimi-k2.6', '6.5 27 1.1', {}]]],
  ['moonshot-page-cn', 'moonshot/2026-07-17-platform.kimi.com-chat-k27-code.html', 2, 0, [
    ['kimi-k2.7-code', '6.5 27 1.3', {}],
    ['kimi-k2.7-code-highspeed', '13 54 2.6', {}],
  ]],
  ['voyage-page', 'voyage/2026-07-15-pricing.md', 11, 0, [
    ['voyage-4-large', '0.12 - -', {}],
    ['voyage-code-2', '0.12 - -', {}],
    ['rerank-2', '0.05 - -', {}],
  ]],
  ['xai-page', 'xai/2025-11-13-docs-models.html', 29, 0, [
    ['grok-4-0709', '3 15 0.75', { '128000 in': '6', '128000 out': '30' }],
    ['grok-code-fast-1', '0.2 1.5 0.02', {}],
    ['grok-2-latest', '2 10 -', {}],
  ]],
  ['zai-page', 'zai/2026-08-18-pricing.html', 20, 0, [
    ['glm-5.2', '1.4 4.4 0.26', {}],
    ['glm-4.5-x', '2.2 8.9 0.45', {}],
    ['glm-4-32b-0414-128k', '0.1 0.1 -', {}],
    ['glm-4.7-flash', '0 0 0', {}],
    ['glm-4.6v-flashx', '0.04 0.4 0.004', {}],
  ]],
] // prettier-ignore

const others: [SourceName, path: string, RegExp][] = [
  ['anthropic-page', 'anthropic/2026-05-08-claude.com-pricing.html.gz', /All prices are in USD/],
  ['openai-page', 'openai/2026-02-26-pricing.md', /it has 0 tables of text tokens of the tier standard/],
  ['openai-page', 'openai/2026-05-08-pricing.reader.md', /it has 0 tables of text tokens/],
  ['xai-page', 'xai/2026-05-08-models-and-pricing.md', /"clusterConfigs", is not there/],
  ['zai-page', 'zai/2026-05-08-pricing.md', /"Text Models" cannot be read: there are 0 tables/],
]

const meters = {
  input_tokens: 'in',
  output_tokens: 'out',
  cached_input_tokens: 'hit',
  cache_write_tokens: 'write',
  input_audio_tokens: 'audio in',
  output_audio_tokens: 'audio out',
  cached_input_audio_tokens: 'audio hit',
}

describe.skipIf(priceDataDir === undefined)(skipTitle('pages as sellers published them'), () => {
  const readState = (source: SourceName, path: string) => {
    const text = priceFile(`official/${path}`)
    const now = new Date(`${/\d{4}-\d\d-\d\d/.exec(path)![0]}T12:00:00Z`)
    const reading = sources[source].read({ text, now })
    if (reading instanceof Promise) throw new Error('a page is read at once')
    return { ...reading, text }
  }

  test.each(states)('%s %s: %i read, %i refused', (source, path, read, refused, rows) => {
    const { records, rejected, quotes, text } = readState(source, path)
    expect([records.length, rejected.length]).toEqual([read, refused])
    for (const [key, columns, rates] of rows) {
      const record = records.find(({ source_key }) => source_key === key)!
      const tell = (amounts: typeof record | (typeof record.scheduled)[0]['amounts']) =>
        [amounts.input_per_mtok, amounts.output_per_mtok, amounts.cached_input_per_mtok]
          .map((amount) => amount ?? '-')
          .join(' ')
      const card = Object.fromEntries([
        ...record.rates.map(({ meter, service_tier, variant, threshold, amount }) => [
          [service_tier, variant, threshold, meters[meter as keyof typeof meters]]
            .filter((part) => part != null)
            .join(' '),
          amount,
        ]),
        ...record.scheduled.map(({ starts_on, amounts }) => [starts_on, tell(amounts)]),
      ]) as Record<string, string>
      expect([key, tell(record), card]).toMatchObject([key, columns, rates])
      const days = Object.keys(card).filter((name) => name.startsWith('2026'))
      expect(days).toEqual(Object.keys(rates).filter((name) => name.startsWith('2026')))
    }
    const bytes = Buffer.from(text)
    for (const quote of [...(quotes?.values() ?? [])].flat()) {
      expect(bytes.subarray(quote.from, quote.to).toString()).toBe(quote.text)
      expect(quote.text.length).toBeLessThanOrEqual(300)
    }
  })

  test.each(others)('%s %s is of another form, and refused', (source, path, reason) => {
    expect(() => readState(source, path)).toThrow(UserError)
    expect(() => readState(source, path)).toThrow(reason)
  })
})
