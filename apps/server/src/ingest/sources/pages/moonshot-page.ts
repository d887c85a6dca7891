import { UserError } from '../../../platform/user-error.ts'
import { findSeller, identify } from '../../match/identify.ts'
import { noAmounts, type Amounts, type SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readHtmlTables } from './html-tables.ts'
import { readLines } from './markdown-tables.ts'
import {
  cellReader,
  isTwice,
  pagePrice,
  quoteRow,
  readAmounts,
  whereIs,
  type ReadCell,
  type Row,
  type Table,
} from './page.ts'

type Column = 'input_per_mtok' | 'output_per_mtok' | 'cached_input_per_mtok'

/** One of Moonshot's two platforms: two lists in two currencies, of which neither is the other one converted. */
interface Edition {
  page: string
  address: string
  /** As `findSeller` takes it. */
  seller: string
  currency: string
  /** The sentence that says what the prices are of. */
  unit: string
  /** What the columns between the model and its context state, by the header as a whole. */
  headers: Readonly<Record<string, readonly ('unit' | Column)[]>>
  readCell: ReadCell
  readTables: (text: string) => Table[]
  /** Whether the page states a row a second time. Undefined: it never does, so that its rows only bear witness. */
  repeats?: (text: string, row: Row) => boolean
}

const allColumns = ['unit', 'cached_input_per_mtok', 'input_per_mtok', 'output_per_mtok'] as const

export const moonshotEditions = {
  /** The source of a page, or of several after each other. */
  en: {
    page: "Moonshot's price page",
    address: 'https://platform.kimi.ai/docs/pricing/chat',
    seller: 'moonshotai',
    currency: 'USD',
    unit: 'Here, 1M = 1,000,000. The prices in the table represent the cost per 1M tokens consumed.',
    headers: {
      'Model | Unit | Input Price (Cache Hit) | Input Price (Cache Miss) | Output Price | Context Window':
        allColumns,
      'Model | Unit | Input Price | Output Price | Context Window': [
        'unit',
        'input_per_mtok',
        'output_per_mtok',
      ],
    },
    readCell: centReader('$'),
    readTables: readDocTables,
  },
  cn: {
    page: "Moonshot's Chinese price page",
    address: 'https://platform.kimi.com/docs/pricing/chat',
    seller: 'moonshotai-cn',
    currency: 'CNY',
    unit: '此处 1M = 1,000,000，表格中的价格代表每消耗 1M tokens 的价格。',
    headers: {
      '模型 | 计费单位 | 输入价格（缓存命中） | 输入价格（缓存未命中） | 输出价格 | 上下文窗口': allColumns,
    },
    readCell: centReader('¥'),
    readTables: readHtmlTables,
    // The script that draws the table.
    repeats: (text, { cells }) => text.includes(`[${cells.map((cell) => `\\"${cell}\\"`).join(', ')}]`),
  },
} satisfies Record<string, Edition>

/** Both pages write two decimals: a third is a footnote's digit. */
function centReader(sign: string): ReadCell {
  const readCell = cellReader(sign, '')
  return (cell) => (/\.\d\d$/.test(cell) ? readCell(cell) : { problem: `is not "${sign}1.23": ${cell}` })
}

/** The prices by model of a page of Moonshot's; each page has its own models, by id. */
export function readMoonshotPage(text: string, edition: Edition): SourceReading {
  const tables = edition.readTables(text)
  if (!text.includes(edition.unit))
    throw new UserError(`${edition.page}: it does not say "${edition.unit}", so its unit is unknown.`)
  const known = tables.filter((table) => findColumns(table, edition) !== undefined)
  if (known.length === 0 || known.length < tables.length)
    throw new UserError(
      `${edition.page}: it has tables with an unknown header, or none. Stored: ` +
        `"${Object.keys(edition.headers).join('"  or  "')}". Found: "${tables.map(joinHeader).join('"  and  "')}".`,
    )
  const rows = known.flatMap((table) =>
    table.rows.map((row): ReadRow => {
      const read = isTwice(row, known) ? 'is there twice' : readRow(text, table, row, edition)
      if (typeof read !== 'string') return read
      return { id: row.cells[0] ?? '', reason: `${read} (${whereIs(table, row)})` }
    }),
  )
  return toReading(rows)
}

const joinHeader = ({ header }: Table) => header.join(' | ')
const findColumns = (table: Table, { headers }: Edition) =>
  Object.entries(headers).find(([header]) => header === joinHeader(table))?.[1]

/** The row as a price, or why it is none. */
function readRow(text: string, table: Table, row: Row, edition: Edition): Candidate | string {
  const [id = '', unit] = row.cells
  const columns = findColumns(table, edition) ?? []
  if (row.cells.length !== table.header.length)
    return `has ${row.cells.length} cells under ${table.header.length} headings`
  if (!/^(?:kimi|moonshot)-[a-z0-9.-]+$/.test(id)) return 'names no model by its id'
  if (unit !== '1M tokens') return `is not priced by 1M tokens: ${unit}`
  const withoutLast = { ...row, cells: row.cells.slice(0, -1) }
  const read = readAmounts({ ...table, header: table.header.slice(0, -1) }, withoutLast, edition.readCell, 2)
  if ('reason' in read) return read.reason
  const amounts: Amounts = { ...noAmounts }
  for (const [index, column] of columns.slice(1).entries())
    amounts[column as Column] = read.amounts[index] ?? null
  if (!isInOrder(amounts)) return 'is not dearer from a hit of the cache to an input and to an output'
  if (edition.repeats && !edition.repeats(text, row)) return 'is not what the script of the page draws'
  return {
    id,
    identity: identify(findSeller(edition.seller), id),
    price: pagePrice(edition.address, { ...amounts, currency: edition.currency }),
    is_witness: edition.repeats === undefined,
    quotes: [quoteRow(row, columns.slice(1))],
  }
}

function isInOrder({ cached_input_per_mtok: hit, input_per_mtok: miss, output_per_mtok: output }: Amounts) {
  return (hit === null || Number(hit) < Number(miss)) && Number(miss) < Number(output)
}

/** The tables of a page's source, `<DocTable columns={[…]} rows={[…]} />`, with a row in each line. */
function readDocTables(text: string): Table[] {
  const tables: (Table & { header: string[]; rows: Row[] })[] = []
  for (const { heading, ...line } of readLines(text)) {
    const table = tables.at(-1)
    if (line.text === '<DocTable') tables.push({ heading, header: [], rows: [] })
    const title = /^\{ title: "([^"]*)", width: "\d+%" \},$/.exec(line.text)?.[1]
    if (title !== undefined) table?.header.push(title)
    if (table && line.text.startsWith('["')) table.rows.push({ cells: readArray(line.text), ...line })
  }
  return tables
}

const cell = String.raw`"[^"\\]*"|<>\{"\$"\}[^<>{}]*</>`
const array = new RegExp(`^\\[(?:${cell})(?:, (?:${cell}))*\\],$`)

/** The cells of an array in a line; the first alone where it has anything else. */
function readArray(line: string): string[] {
  if (!array.test(line)) return [/^\["([^"\\]*)"/.exec(line)?.[1] ?? '']
  return (line.match(new RegExp(cell, 'g')) ?? []).map((written) =>
    written.replace(/^"(.*)"$/, '$1').replace(/^<>\{"\$"\}(.*)<\/>$/, '$$$1'),
  )
}
