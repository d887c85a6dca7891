import type { DecimalText } from '../../../catalog/price-record.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readMarkdownTables } from './markdown-tables.ts'
import {
  cellReader,
  isTimes,
  pagePrice,
  quoteRow,
  readAmounts,
  whereIs,
  type Row,
  type Table,
} from './page.ts'

const page = "Voyage AI's price page"
const address = 'https://docs.voyageai.com/docs/pricing'
const header = ['Model', 'Price per thousand tokens', 'Price per million tokens']
const headers = [header, [...header, 'Number of free tokens']].map((cells) => cells.join(' | '))

/** The prices of embeddings and rerankers. A row states its price by thousand and by million tokens, which must agree; it bears witness only. */
export function readVoyagePage(text: string): SourceReading {
  const tables = readMarkdownTables(text)
  const known = tables.filter((table) => headers.includes(table.header.join(' | ')))
  if (known.length === 0)
    throw new UserError(
      `${page}: it has no table with a known header. Stored: "${headers.join('"  or  "')}". ` +
        `Found: "${tables.map((table) => table.header.join(' | ')).join('"  and  "')}".`,
    )
  const rows = known.flatMap((table) => table.rows.map((row) => ({ row, ...readRow(table, row) })))
  const named = rows.flatMap(({ ids }) => ids)
  const read = rows.flatMap(({ row, ids, amount, reason }) =>
    ids.map((id): ReadRow => {
      const isTwice = named.filter((other) => other === id).length > 1
      if (amount !== undefined && !isTwice) return toCandidate(id, amount, row)
      return { id, reason: reason ?? `is there twice (bytes ${row.from} to ${row.to})` }
    }),
  )
  return toReading(read)
}

const id = '`(?:voyage|rerank)-[a-z0-9.-]*[a-z0-9]`'
const ids = new RegExp(`^${id}(?:<br />${id})*$`)

/** The models of a row, and what a million tokens cost; or why they cannot be read. */
function readRow(table: Table, row: Row): { ids: string[]; amount?: DecimalText; reason?: string } {
  const [cell = ''] = row.cells
  const where = whereIs(table, row)
  if (!ids.test(cell)) return { ids: [cell], reason: `names no models by their ids (${where})` }
  const named = cell.split('<br />').map((one) => one.replaceAll('`', ''))
  if (row.cells.length !== table.header.length)
    return {
      ids: named,
      reason: `has ${row.cells.length} cells under ${table.header.length} headings (${where})`,
    }
  const priced = { ...row, cells: row.cells.slice(0, header.length) }
  const read = readAmounts({ ...table, header }, priced, cellReader('$', ''))
  if ('reason' in read) return { ids: named, reason: read.reason }
  const [perThousand, perMillion] = read.amounts
  if (perMillion == null || !isTimes(perMillion, perThousand, '1000'))
    return {
      ids: named,
      reason: `${perMillion} by million tokens is not ${perThousand} by thousand (${where})`,
    }
  return { ids: named, amount: perMillion }
}

function toCandidate(id: string, amount: DecimalText, row: Row): Candidate {
  return {
    id,
    identity: identify({ platform: 'voyage' }, id),
    price: pagePrice(address, {
      modality: id.startsWith('rerank-') ? 'rerank' : 'embedding',
      input_per_mtok: amount,
    }),
    // Nothing on the page confirms which name a row of amounts is of.
    is_witness: true,
    quotes: [quoteRow(row, ['input_per_mtok'])],
  }
}
