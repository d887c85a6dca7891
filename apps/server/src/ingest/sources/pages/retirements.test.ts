import { describe, expect, test } from 'vitest'
import { priceDataDir, priceFile, skipTitle } from '../../../../test/support/price-files.ts'
import { sources } from '../index.ts'

// Our own small pages in the sellers' forms, and the pages as they were, where they are.

const now = new Date('2026-08-22T00:00:00Z')
type Name = 'anthropic-retirements' | 'google-retirements' | 'openai-retirements' | 'venice-retirements'
const read = (name: Name, text: string) => sources[name].read({ text, now })
const table = (header: string, ...rows: string[]) =>
  [header, header.replaceAll(/[^|]+/g, '---'), ...rows].join('\n')
const daysOf = ({ records }: ReturnType<typeof read>) =>
  records.map(({ resource_id, retires_on, replaced_by }) => [resource_id, retires_on, replaced_by])

const openai = '| Shutdown date | Model / system | Recommended replacement |'
const status = '| API Model Name | Current State | Deprecated | Tentative Retirement Date |'
const history = '| Retirement Date | Deprecated Model | Recommended Replacement |'

describe('a row', () => {
  test('is a witness without amounts, with its day, what comes in its place, and itself as quote', () => {
    const row = '| Dec 11, 2026 | `gpt-9é` |'
    const text = `# Ends\n${table(openai, '| Dec 11, 2026 | `gpt-9` | `gpt-10` |')}\n${row}`
    const { records, quotes } = read('openai-retirements', text)
    expect(records).toMatchObject([
      {
        ...{ resource_id: 'openai:gpt-9', is_witness: true, retires_on: '2026-12-11', replaced_by: 'gpt-10' },
        ...{ input_per_mtok: null, output_per_mtok: null, currency: null, rates: [] },
      },
    ])
    const [quote] = quotes?.get('openai:gpt-9') ?? []
    expect(quote?.of).toEqual(['retires_on'])
    expect(Buffer.from(text).subarray(quote?.from, quote?.to).toString()).toBe(quote?.text)
  })

  const forms: [string, string, (string | null | undefined)[][]][] = [
    ['| 2026‑03‑26 | `a-1` \\| `a`, `a-chat` | `b` or `c*` |', 'hyphens, several models, several replacements', [
      ['openai:a-1', '2026-03-26', 'b'],
      ['openai:a', '2026-03-26', 'b'],
      ['openai:a-chat', '2026-03-26', 'b'],
    ]],
    ['| 2026-03-26 | a-1 | `b`, `c`, or `d` |', 'a list of replacements', [['openai:a-1', '2026-03-26', 'b']]],
    ['| 2026-03-26 | a-1 | --- |', 'no replacement', [['openai:a-1', '2026-03-26', undefined]]],
    ['| 2026-03-26 | a-1 | the newest model |', 'a replacement in words', [['openai:a-1', '2026-03-26', undefined]]],
    ['| at earliest 2026-03-26 | a-1 | b |', 'no day yet', [['openai:a-1', null, 'b']]],
    ['| 2026-02-30 | a-1 | b |', 'a day that is none', []],
    ['| soon | a-1 | b |', 'a word for a day', []],
    ['| 2026-03-26 | Videos API | b |', 'no model', []],
    ['| 2026-03-26 | `/v1/edits` | b |', 'an endpoint', []],
    ['| 2026-03-26 | Training on `a-1` | b |', 'more than a model', []],
    ['| 2026-03-26 | a-1 |', 'a missing cell', []],
  ] // prettier-ignore
  test.each(forms)('%s: %s', (row, _, expected) => {
    const reading = read('openai-retirements', table(openai, row))
    expect(daysOf(reading)).toEqual(expected)
    expect(reading.rejected.length).toBe(expected.length === 0 ? 1 : 0)
    for (const { reason } of reading.rejected) expect(reason).toMatch(/"", bytes \d+ to \d+/)
  })

  test('that cannot be read refuses each of its models, so that none of them loses the day that it had', () => {
    const { records, rejected } = read('openai-retirements', table(openai, '| soon | `a` \\| `b` | c |'))
    expect([records, rejected.map(({ id }) => id)]).toEqual([[], ['a', 'b']])
  })
})

describe('a page', () => {
  test('says the same wherever it names a model, else the model is refused', () => {
    const text = (day: string) =>
      [
        table(status, `| claude-a | Deprecated | May 1, 2026 | October 5, 2026 |`),
        '## History',
        table(history, `| ${day} | \`claude-a\` | \`claude-b\` |`),
      ].join('\n')
    expect(daysOf(read('anthropic-retirements', text('October 5, 2026')))).toEqual([
      ['anthropic:claude-a', '2026-10-05', 'claude-b'],
    ])
    const { records, rejected } = read('anthropic-retirements', text('October 6, 2026'))
    expect(records).toEqual([])
    expect(rejected).toMatchObject([
      { id: 'claude-a', reason: expect.stringContaining('2026-10-05 and 2026-10-06') as string },
    ])
  })

  const states: [string, string | null | undefined][] = [
    ['| claude-a | Active | N/A | Not sooner than June 9, 2027 |', null],
    ['| claude-a | Retired | May 1, 2026 | August 22, 2026 |', '2026-08-22'],
    ['| claude-a | Retired | May 1, 2026 | August 23, 2026 |', undefined],
    ['| claude-a | Active | N/A | June 9, 2027 |', undefined],
    ['| claude-a | Deprecated | June 10, 2027 | June 9, 2027 |', undefined],
    ['| claude-a | Sleeping | N/A | June 9, 2027 |', undefined],
  ]
  test.each(states)('%s: %s', (row, day) => {
    const past = typeof day === 'string' ? table(history, '| August 22, 2026 | claude-a | claude-b |') : ''
    const { records, rejected, mended } = read('anthropic-retirements', `${table(status, row)}\n\n${past}`)
    expect(records.map(({ retires_on }) => retires_on)).toEqual(day === undefined ? [] : [day])
    expect([rejected.length, mended.length]).toEqual([day === undefined ? 1 : 0, day === null ? 1 : 0])
  })

  const unconfirmed: [Name, string, string, RegExp][] = [
    ['anthropic-retirements', status, '| gpt-9 | Deprecated | May 1, 2026 | October 5, 2026 |', /history of the page does not repeat/],
    ['openai-retirements', openai, '| 2026-12-01 | gpt-9 | a |\n| 2026-12-01 | gpt-9 | b |', /stands twice in one table/],
    ['google-retirements', '| Model ID | Release date | Retirement date | Replacement model |', '| gpt-9 |  | June 17, 2027 |  |', /has no day before/],
  ] // prettier-ignore
  test.each(unconfirmed)(
    '%s: columns and names that may have shifted refuse a row',
    (name, header, row, reason) => {
      const { records, rejected } = read(name, table(header, row))
      expect(records).toEqual([])
      expect(rejected).toMatchObject([{ id: 'gpt-9', reason: expect.stringMatching(reason) as string }])
    },
  )

  test('retires nothing before it announced that', () => {
    const rows = table(openai, '| 2025-12-11 | gpt-9 | gpt-10 |', '| Dec 11, 2026 | gpt-8 | gpt-10 |')
    const { records, rejected } = read('openai-retirements', `### 2026-06-11: Two models\n${rows}`)
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['openai:gpt-8'])
    expect(rejected).toMatchObject([
      { id: 'gpt-9', reason: expect.stringContaining('before 2026-06-11') as string },
    ])
  })

  test('with another header is refused, and shows both; one more table of another kind is reported', () => {
    const other = '| Model / system | Shutdown date | Recommended replacement |'
    const moved = table(other, '| a | 2026-03-26 | b |')
    expect(() => read('openai-retirements', moved)).toThrow(/Stored: shutdown date \| model .* Found: model/s)
    const both = read('openai-retirements', `${table(openai, '| 2026-03-26 | a | b |')}\n## X\n${moved}`)
    expect(both.rejected).toMatchObject([
      { id: 'X', reason: expect.stringContaining('not about models') as string },
    ])
  })

  test('of Google Cloud names models in words, which a table of names knows, and of Venice has short months', () => {
    const google = '| Model ID | Release date | Retirement date | Replacement model |'
    const row = '| `gemini-a` | June 17, 2025 | October 20, 2026 | Gemini 3.5 Flash |'
    expect(daysOf(read('google-retirements', table(google, row)))).toEqual([
      ['vertex_ai:gemini-a', '2026-10-20', 'gemini-3.5-flash'],
    ])
    const venice = '| Model | Model ID | Removal Date | Status |'
    const retiring = '| A 9 | `a-9` | Aug 27, 2026 | Retiring Soon |'
    expect(daysOf(read('venice-retirements', table(venice, retiring)))).toEqual([
      ['venice:a-9', '2026-08-27', undefined],
    ])
  })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('pages as they were'), () => {
  const states: [Name, string, day: string, read: number, undated: number, refused: number][] = [
    ['anthropic-retirements', 'anthropic/2025-12-11-model-deprecations.md', '2025-12-11', 22, 8, 0],
    ['anthropic-retirements', 'anthropic/2026-04-21-model-deprecations.md', '2026-04-21', 25, 7, 0],
    ['anthropic-retirements', 'anthropic/2026-07-24-model-deprecations.md', '2026-07-24', 29, 10, 1],
    ['openai-retirements', 'openai/2025-11-13-deprecations.html', '2025-11-13', 55, 0, 12],
    ['openai-retirements', 'openai/2026-02-26-deprecations.md', '2026-02-26', 62, 0, 12],
    ['openai-retirements', 'openai/2026-04-03-deprecations.md', '2026-04-03', 67, 0, 13],
    ['openai-retirements', 'openai/2026-05-29-deprecations.md', '2026-05-29', 109, 0, 16],
    ['openai-retirements', 'openai/2026-07-15-deprecations.md', '2026-07-15', 118, 0, 19],
    ['google-retirements', 'google/2026-08-22-vertex-model-versions.md', '2026-08-22', 40, 12, 1],
    ['venice-retirements', 'venice/2026-08-22-deprecations.mdx', '2026-08-22', 2, 0, 0],
  ]
  const readState = (name: Name, path: string, day: string) => {
    const text = priceFile(`official/${path}`)
    return { text, reading: sources[name].read({ text, now: new Date(`${day}T12:00:00Z`) }) }
  }

  test.each(states)('%s, %s', (name, path, day, rows, undated, refused) => {
    const { text, reading } = readState(name, path, day)
    const { records, rejected, mended, quotes } = reading
    expect([records.length, mended.length, rejected.length]).toEqual([rows, undated, refused])
    for (const { from, to, text: quoted } of [...quotes!.values()].flat())
      expect(Buffer.from(text).subarray(from, to).toString()).toBe(quoted)
  })

  test('what they say of some models, read by eye', () => {
    const say = (name: Name, path: string, day: string, ids: string[]) =>
      daysOf(readState(name, path, day).reading).filter(([id]) => ids.includes(String(id)))
    const anthropic = ['anthropic:claude-opus-4-1-20250805', 'anthropic:claude-opus-4-5-20251101']
    expect(
      say('anthropic-retirements', 'anthropic/2026-07-24-model-deprecations.md', '2026-07-24', anthropic),
    ).toEqual([
      ['anthropic:claude-opus-4-5-20251101', null, undefined],
      ['anthropic:claude-opus-4-1-20250805', '2026-08-05', 'claude-opus-4-8'],
    ])
    const openai = ['openai:gpt-5-2025-08-07', 'openai:gpt-4', 'openai:dall-e-2', 'openai:davinci-002']
    expect(say('openai-retirements', 'openai/2026-07-15-deprecations.md', '2026-07-15', openai)).toEqual([
      ['openai:gpt-5-2025-08-07', '2026-12-11', 'gpt-5.5'],
      ['openai:gpt-4', '2026-10-23', 'gpt-5.5'],
      ['openai:dall-e-2', '2026-05-12', 'gpt-image-2'],
      ['openai:davinci-002', '2026-09-28', 'gpt-5.4-mini'],
    ])
    const google = ['vertex_ai:gemini-2.5-pro', 'vertex_ai:gemini-2.0-flash', 'vertex_ai:gemini-3.5-flash']
    expect(
      say('google-retirements', 'google/2026-08-22-vertex-model-versions.md', '2026-08-22', google),
    ).toEqual([
      ['vertex_ai:gemini-3.5-flash', null, undefined],
      ['vertex_ai:gemini-2.5-pro', '2026-10-20', 'gemini-3.5-flash'],
      ['vertex_ai:gemini-2.0-flash', '2026-06-01', 'gemini-3.1-flash-lite'],
    ])
    // Announced anew for another day: which of the two holds, the page does not say.
    const { rejected } = readState(
      'openai-retirements',
      'openai/2026-07-15-deprecations.md',
      '2026-07-15',
    ).reading
    expect(rejected.find(({ id }) => id === 'gpt-4-1106-preview')?.reason).toMatch(
      /2026-10-23 and 2026-03-26/,
    )
  })
})
