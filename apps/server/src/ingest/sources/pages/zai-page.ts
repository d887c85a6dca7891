import { UserError } from '../../../platform/user-error.ts'
import { identify, lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readHtmlTables } from './html-tables.ts'
import { zaiIds } from './names/zai.ts'
import {
  cellReader,
  findTable,
  isTwice,
  pagePrice,
  quoteRow,
  readAmounts,
  whereIs,
  type ReadCell,
  type Row,
} from './page.ts'

const page = "Z.ai's price page"
const address = 'https://docs.z.ai/guides/overview/pricing'
const header = ['Model', 'Input', 'Cached Input', 'Cached Input Storage', 'Output']
const headings = ['Text Models', 'Vision Models']

/**
 * The prices of models by tokens, in USD. The HTML of the page holds its tables twice: as they are seen, and in the script
 * that draws them. A row is read when both say the same.
 */
export function readZaiPage(text: string): SourceReading {
  for (const sentence of ['All prices are in USD.', 'Prices per 1M tokens.'])
    if (!text.includes(sentence))
      throw new UserError(`${page}: it does not say "${sentence}", so what its prices are of is unknown.`)
  const tables = readHtmlTables(text)
  const drawn = readDrawn(text)
  const known = headings.map((heading) => findTable(page, tables, { heading, headers: [header] }))
  const rows = known.flatMap((table) =>
    table.rows.map((row): ReadRow => {
      const [name = '', ...cells] = row.cells
      const id = lookUp(zaiIds, name)
      const read = readAmounts(table, row, readCell)
      const refuse = (reason: string) => ({ id: id ?? name, reason: `${reason} (${whereIs(table, row)})` })
      if ('reason' in read) return { id: id ?? name, reason: read.reason }
      const [input, , , output] = read.amounts
      if (input == null || output == null) return refuse('states no price')
      if (isTwice(row, known)) return refuse('is there twice')
      if (id === undefined) return refuse('its name is not in the table of names')
      if (!drawn.includes(`\n${row.cells.join('\n')}\n`))
        return refuse(`${cells.join(', ')} is not what the script of the page draws`)
      return toCandidate(id, row, read.amounts)
    }),
  )
  return toReading(rows)
}

const usd = cellReader('$', '')

/** `\` and `-` state no price. What is stored is free for a time, and has no unit here. */
const readCell: ReadCell = (cell) => {
  if (cell === 'Free') return { amount: '0' }
  if (['-', '\\', 'Limited-time Free'].includes(cell)) return { amount: null }
  return usd(cell)
}

/** The texts that the script draws, a line each. */
function readDrawn(text: string): string {
  const texts = [...text.matchAll(/children:`([^`]*)`/g)].map(([, drawn = '']) =>
    drawn.replaceAll(/\\+/g, '\\'),
  )
  return `\n${texts.join('\n')}\n`
}

type Amounts = Exclude<ReturnType<typeof readAmounts>, { reason: string }>['amounts']

function toCandidate(
  id: string,
  row: Row,
  [input = null, cached = null, , output = null]: Amounts,
): Candidate {
  return {
    id,
    identity: identify({ platform: 'zai' }, id),
    price: pagePrice(address, {
      modality: id === 'glm-ocr' ? 'ocr' : 'llm',
      input_per_mtok: input,
      output_per_mtok: output,
      cached_input_per_mtok: cached,
    }),
    quotes: [
      quoteRow(row, [
        'input_per_mtok',
        'output_per_mtok',
        ...(cached === null ? [] : ['cached_input_per_mtok']),
      ]),
    ],
  }
}
