import { describe, expect, test } from 'vitest'
import { UserError } from '../../../platform/user-error.ts'
import { readHtmlTables } from './html-tables.ts'
import { readMarkdownTables } from './markdown-tables.ts'
import {
  cellReader,
  checkContradictions,
  findOptionalTables,
  findTable,
  parseEnglishDay,
  quoteRow,
  readAmounts,
} from './page.ts'
import { startCpuClock } from '../../../../test/support/cpu.ts'

const markdown = `# Prices – of tokens

## Text

| Model | Price |
|:------|------:|
| alpha |  $1   |
| beta  | a \\| b |
| gamma | $3

\`\`\`
| code | no table |
|------|----------|
\`\`\`
| no delimiter | below |
`

test('a table of markdown has its heading, its rows and their bytes', () => {
  const [table, none] = readMarkdownTables(markdown)
  expect(none).toBeUndefined()
  expect([table?.heading, table?.header]).toEqual(['Text', ['Model', 'Price']])
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ['alpha', '$1'],
    ['beta', 'a \\| b'],
    ['gamma', '(the row is cut)'],
  ])
  const bytes = Buffer.from(markdown)
  for (const { text, from, to } of table?.rows ?? []) expect(bytes.subarray(from, to).toString()).toBe(text)
  expect(readMarkdownTables(markdown.replaceAll('\n', '\r\n'))[0]?.rows[0]?.cells).toEqual(['alpha', '$1'])
})

const html = `<!doctype html><h1>Preise für Tokens</h1><h2>Text&amp;Bild<a href="#t">\u200b</a></h2>
<table><thead><tr><th colspan=2>Model<th>Price</thead>
<tr><td rowspan=2>alpha<sup>1</sup></td><td>in</td><td>$1<sup>2</sup></td></tr>
<tr><td>out</td><td>$2 <del>$4</del></td></tr>
<tr><td>beta<br>two</td><td><table><tr><td>inner</td></tr></table></td><td>$3</td></tr></table>`

test('a table of HTML repeats what spans, and marks footnotes and old prices', () => {
  const [table, none] = readHtmlTables(html)
  expect(none).toBeUndefined()
  expect([table?.heading, table?.header]).toEqual(['Text&Bild', ['Model', 'Model', 'Price']])
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ['alpha^1', 'in', '$1^2'],
    ['alpha^1', 'out', '$2 ~~$4~~'],
    ['beta two', 'inner', '$3'],
  ])
  const bytes = Buffer.from(html)
  for (const { text, from, to } of table?.rows ?? []) {
    expect(text).toMatch(/^<tr>[^]*<\/tr>$/)
    expect(bytes.subarray(from, to).toString()).toBe(text)
  }
})

test('a page that is nested without end is refused, and a long one is read at once', () => {
  expect(() => readHtmlTables(`<!doctype html>${'<div>'.repeat(20_000)}`)).toThrow(
    /nested more than 500 deep/,
  )
  const cpuMs = startCpuClock()
  expect(readHtmlTables(`<table>${'<tr><td>ü</td></tr>'.repeat(50_000)}</table>`)[0]?.rows).toHaveLength(
    49_999,
  )
  expect(readMarkdownTables(`# a${' '.repeat(200_000)}b\n${'\n'.repeat(200_000)}`)).toEqual([])
  expect(cpuMs()).toBeLessThan(5_000)
})

describe('a table is found by its heading and by a header that was read before', () => {
  const tables = readMarkdownTables(`${markdown}\n## Twice\n| a |\n|---|\n\n| a |\n|---|\n`)
  const known = { heading: 'Text', headers: [['Name', 'Price'], ['Model', 'Price']] } // prettier-ignore

  test('in any of its known wordings', () => {
    expect(findTable('The page', tables, known).rows).toHaveLength(3)
  })

  test.each([
    [
      'another header',
      { ...known, headers: [['Model', 'price']] },
      /Stored: \| Model \| price \|\. Found: \| Model \| Price \|/,
    ],
    [
      'no table',
      { ...known, heading: 'Pictures' },
      /^The page: "Pictures" cannot be read: there are 0 tables/,
    ],
    ['two tables', { heading: 'Twice', headers: [['a']] }, /there are 2 tables under it/],
  ])('%s refuses the reading', (_, looked, reason) => {
    expect(() => findTable('The page', tables, looked)).toThrow(UserError)
    expect(() => findTable('The page', tables, looked)).toThrow(reason)
  })

  test('what not every state of the page has is refused alone', () => {
    expect(findOptionalTables(tables, { ...known, heading: 'Pictures' })).toEqual({
      tables: [],
      rejected: [],
    })
    const { tables: found, rejected } = findOptionalTables(tables, { ...known, headers: [['Model', 'Cost']] })
    expect([found, rejected.map(({ id }) => id)]).toEqual([[], ['Text']])
  })
})

describe('an amount', () => {
  const read = cellReader('$', ' / MTok')
  test.each([
    ['$5 / MTok', '5'],
    ['$0.50 / MTok', '0.5'],
    ['$12345.678901 / MTok', '12345.678901'],
  ])('%s is read', (cell, amount) => expect(read(cell)).toEqual({ amount }))

  test.each([
    ...[
      '$5 / MTok1',
      '$5^1 / MTok',
      '$5',
      '5 / MTok',
      '€5 / MTok',
      '$5 / KTok',
      '$5/MTok',
      '$ 5 / MTok',
      '$05 / MTok',
    ],
    ...[
      '$5. / MTok',
      '$.5 / MTok',
      '$5,000 / MTok',
      '-$5 / MTok',
      '$-5 / MTok',
      '$5e1 / MTok',
      '$5 / MTok / MTok',
      '',
    ],
    ...['$123456 / MTok', '$0.1234567 / MTok', '$5 $4 / MTok', '-', '$1', '$ / MTok'],
  ])('%s is none', (cell) => expect(read(cell)).toHaveProperty('problem'))

  test('is read with its row, or the row says why not and where it stands', () => {
    const [table] = readMarkdownTables(markdown)
    const [alpha, , gamma] = table!.rows
    expect(readAmounts(table!, alpha!, cellReader('$', ''))).toEqual({ amounts: ['1'] })
    const where = `("Text", bytes ${gamma!.from} to ${gamma!.to})`
    expect(readAmounts(table!, gamma!, cellReader('$', ''))).toEqual({
      reason: `Price is not "$1.23": (the row is cut) ${where}`,
    })
    expect(readAmounts(table!, { ...gamma!, cells: ['gamma'] }, cellReader('$', ''))).toEqual({
      reason: `has 1 cells under 2 headings ${where}`,
    })
  })
})

test('a quote is the row, or the beginning of a long one', () => {
  const row = { text: `| ü${'x'.repeat(400)} |`, from: 7 }
  const quote = quoteRow(row, ['input_per_mtok'])
  expect(quote).toEqual({ of: ['input_per_mtok'], text: row.text.slice(0, 300), from: 7, to: 308 })
})

test('a day is a day of the calendar', () => {
  expect(['August 31, 2026', 'February 29, 2024'].map(parseEnglishDay)).toEqual(['2026-08-31', '2024-02-29'])
  const none = [
    'August 32, 2026',
    'February 29, 2026',
    'Aug 31, 2026',
    '31 August 2026',
    'August 31',
    'Never 1, 2026',
  ]
  expect(none.map(parseEnglishDay)).toEqual(none.map(() => null))
})

test('two rows may contradict their page, and no more', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, reason: 'is odd' }))
  expect(() => checkContradictions('The page', rows.slice(1))).not.toThrow()
  expect(() => checkContradictions('The page', rows)).toThrow(
    /^The page: 3 rows contradict .* The first: a is odd/,
  )
})
