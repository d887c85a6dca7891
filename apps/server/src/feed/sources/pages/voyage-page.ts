import type { DecimalText, RejectedRow } from '../../../features/prices/price-record.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify } from '../../identify.ts'
import { noAmounts, type SourceReading } from '../../source-record.ts'
import { toReading, type Candidate } from '../reading.ts'
import { readMarkdownTables } from './markdown-tables.ts'
import { cellReader, isTimes, quoteRow, readAmounts, whereIs, type Row, type Table } from './page.ts'

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
  const rejected: RejectedRow[] = []
  const candidates = rows.flatMap(({ row, ids, amount, reason }) =>
    ids.flatMap((id): Candidate[] => {
      const isTwice = named.filter((other) => other === id).length > 1
      if (amount !== undefined && !isTwice) return [toCandidate(id, amount, row)]
      const { from, to } = row
      rejected.push({ id, reason: reason ?? `is there twice (bytes ${from} to ${to})` })
      return []
    }),
  )
  return toReading(candidates, rejected)
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
    price: {
      modality: id.startsWith('rerank-') ? 'rerank' : 'embedding',
      unit: '1m_tokens',
      ...noAmounts,
      input_per_mtok: amount,
      currency: 'USD',
      source_url: address,
      effective_at: null,
    },
    // Nothing on the page confirms which name a row of amounts is of.
    is_witness: true,
    quotes: [quoteRow(row, ['input_per_mtok'])],
    rank: 0,
  }
}
