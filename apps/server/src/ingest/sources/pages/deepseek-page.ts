import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import { rateKey } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { toDay } from '../../days.ts'
import { findSeller, identify } from '../../match/identify.ts'
import { noAmounts, type Amounts, type SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { editions, type Announcement, type Edition } from './deepseek-editions.ts'
import { readTables } from './html-tables.ts'
import { isTimes, pagePrice, quoteRow, tokenRates, type Row, type Table } from './page.ts'

/**
 * The prices of DeepSeek's page, as HTML or as a mirror's markdown. The English one is in USD and the Chinese one in CNY:
 * two lists, of which neither is the other one converted.
 */
export function readDeepseekPage(text: string, language: keyof typeof editions, now: Date): SourceReading {
  const edition: Edition = editions[language]
  if (!text.includes(edition.unit))
    throw refusal(edition, `it does not say "${edition.unit}", so its unit is unknown`)
  const grids = readTables(text).flatMap(withHeader)
  const announced = readAnnounced(edition, grids, text)
  const rows = readModels(edition, grids).map((model): ReadRow => {
    if ('reason' in model) return model
    const reason = checkMultiples(model)
    if (reason !== undefined) return { id: model.id, reason }
    return toCandidate(edition, model, announced.get(model.id), now)
  })
  return toReading(rows)
}

const refusal = ({ page }: Edition, reason: string) => new UserError(`${page}: ${reason}.`)

/** A table by its first row: the mirror's markdown has an empty header above it. */
interface Grid {
  header: readonly string[]
  rows: readonly Row[]
}

function withHeader({ header, rows }: Table): Grid[] {
  if (header.some((cell) => cell !== '')) return [{ header, rows }]
  const [first, ...others] = rows
  return first ? [{ header: first.cells, rows: others }] : []
}

type Kind = 'hit' | 'miss' | 'output'
const kinds: readonly Kind[] = ['hit', 'miss', 'output']
type Prices = Record<Kind, DecimalText>

interface Model {
  id: string
  prices: Prices
  rows: Record<Kind, Row>
}

/** The table with a column for each model, and its three rows of prices. */
function readModels(edition: Edition, grids: readonly Grid[]): (Model | RejectedRow)[] {
  const found = grids.filter(
    ({ header: [first, ...cells] }) =>
      first === edition.model && cells.some((cell) => cell.startsWith('deepseek-')),
  )
  const [grid] = found
  if (!grid || found.length > 1)
    throw refusal(edition, `${found.length} of its tables name models above, and not one`)
  const names = grid.header.filter((cell) => cell !== '' && cell !== edition.model)
  const ids = names.map(withoutFootnote)
  const isNamed =
    ids.every((id) => /^deepseek-[a-z0-9.-]*[a-z0-9]$/.test(id)) && new Set(ids).size === ids.length
  if (!isNamed || grid.header.slice(-names.length).join('|') !== names.join('|'))
    throw refusal(edition, `its header "${grid.header.join(' | ')}" does not name each model once`)

  const versions = grid.rows.find(({ cells }) => cells[0] === edition.version)?.cells.slice(-ids.length) ?? []
  const isVersion = (id: string, index: number) => `${versions[index]?.toLowerCase()}-`.startsWith(`${id}-`)
  if (!ids.every(isVersion))
    throw refusal(
      edition,
      `its row "${edition.version}" does not name the models above it: ${versions.join(', ')}`,
    )

  const rows = findPriceRows(edition, grid, ids.length)
  return ids.map((id, column) => {
    const read = readPrices(edition, (kind) => rows[kind].cells.at(column - ids.length))
    return typeof read === 'string'
      ? { id, reason: `${read} (bytes ${rows.hit.from} to ${rows.output.to})` }
      : { id, prices: read, rows }
  })
}

/** `(1)`, raised in HTML and not in markdown. */
function withoutFootnote(cell: string): string {
  return cell.replace(/\^?\(\d\)$/, '')
}

function findPriceRows(edition: Edition, { rows }: Grid, models: number): Record<Kind, Row> {
  const find = (kind: Kind) => {
    const label = edition[kind]
    const labelled = rows.filter(({ cells }) => withoutFootnote(cells.at(-models - 1) ?? '') === label)
    const [row] = labelled
    if (!row || labelled.length > 1)
      throw refusal(edition, `it has ${labelled.length} rows "${label}" and not one`)
    if (row.cells.length <= models + 2) return row
    throw refusal(edition, `its row "${label}" has ${row.cells.length} cells for ${models} models`)
  }
  const found = { hit: find('hit'), miss: find('miss'), output: find('output') }
  const isPrice = (cell: string) => 'amount' in edition.readCell(cell)
  const other = rows.find((row) => !Object.values(found).includes(row) && row.cells.some(isPrice))
  if (other)
    throw refusal(
      edition,
      `it has a row of prices that is not known (bytes ${other.from} to ${other.to}): ${other.text.slice(0, 200)}`,
    )
  return found
}

/** The three prices in their cells, or why they are none. */
function readPrices(edition: Edition, findCell: (kind: Kind) => string | undefined): Prices | string {
  const prices: Partial<Prices> = {}
  for (const kind of kinds) {
    const cell = edition.readCell(findCell(kind) ?? '')
    if ('problem' in cell) return `${edition[kind]} ${cell.problem}`
    prices[kind] = cell.amount ?? ''
  }
  return prices as Prices
}

/**
 * What an output costs beside an input, and an input beside a hit, in every state of the table so far. The page does not
 * say so: another multiple waits for an eye, for nothing else on the page would show a digit too many.
 */
const multiples = { output: '2', miss: ['50', '120'] }

function checkMultiples({ prices: { hit, miss, output }, rows }: Model): string | undefined {
  if (!isTimes(output, miss, multiples.output))
    return `its output, ${output}, is not ${multiples.output} times its input, ${miss} (bytes ${rows.output.from} to ${rows.output.to})`
  if (!multiples.miss.some((times) => isTimes(miss, hit, times)))
    return `its input, ${miss}, is not ${multiples.miss.join(' or ')} times a hit of the cache, ${hit} (bytes ${rows.hit.from} to ${rows.hit.to})`
  return undefined
}

/** A price that begins at a moment, and is twice as high in some hours. */
interface Next extends Announcement {
  offPeak: Prices
  peak: Prices
  rows: readonly Row[]
}

/** The table with two rows for each model, off-peak and peak, and the sentences above it. */
function readAnnounced(edition: Edition, grids: readonly Grid[], text: string): Map<string, Next> {
  const labels = kinds.map((kind) => edition[kind]).join('|')
  const found = grids.filter(
    ({ header: [first, , ...cells] }) => first === edition.model && cells.join('|') === labels,
  )
  const matches = [...text.matchAll(edition.announcement)]
  const [grid] = found
  const [match] = matches
  if (!grid && !match) return new Map()
  const announcement = match ? edition.readAnnouncement(match) : null
  if (!grid || !announcement || found.length > 1 || matches.length > 1)
    throw refusal(
      edition,
      `prices to come are not announced in one known sentence and one table "${edition.model} … ${edition.output}"`,
    )

  const announced = new Map<string, Next>()
  for (let index = 0; index < grid.rows.length; index += 2) {
    const [first, second] = grid.rows.slice(index, index + 2)
    const id = first?.cells[0] ?? ''
    const offPeak = readPeriod(edition, first, edition.offPeak, id)
    const peak = readPeriod(edition, second, edition.peak, id)
    if (
      !first ||
      !second ||
      !offPeak ||
      !peak ||
      announced.has(id) ||
      !kinds.every((kind) => isTimes(peak[kind], offPeak[kind], '2')) ||
      !isOrdered(offPeak)
    )
      throw refusal(
        edition,
        `the prices to come of "${id}" are not two rows, of which one is twice the other${first ? ` (bytes ${first.from} to ${first.to})` : ''}`,
      )
    announced.set(id, { ...announcement, offPeak, peak, rows: [first, second] })
  }
  return announced
}

/** A hit costs less than an input, and an input less than an output. */
function isOrdered({ hit, miss, output }: Prices): boolean {
  return Number(hit) < Number(miss) && Number(miss) < Number(output)
}

/** The row of some hours. In markdown the second row of a model lacks its name. */
function readPeriod(edition: Edition, row: Row | undefined, hours: string, id: string): Prices | null {
  const cells = row?.cells ?? []
  const names = cells.slice(0, -kinds.length - 1)
  if (cells.at(-kinds.length - 1) !== hours || names.some((name) => name !== id) || names.length > 1)
    return null
  const read = readPrices(edition, (kind) => cells.at(kinds.indexOf(kind) - kinds.length))
  return typeof read === 'string' ? null : read
}

function toCandidate(edition: Edition, model: Model, next: Next | undefined, now: Date): Candidate {
  const { id } = model
  const isInForce = next !== undefined && next.startsAt <= now
  return {
    id,
    identity: identify(findSeller(edition.seller), id),
    price: pagePrice(edition.address, {
      ...toAmounts(isInForce ? next.offPeak : model.prices),
      currency: edition.currency,
      effective_at: isInForce ? next.startsAt.toISOString() : null,
    }),
    ...(isInForce ? readPeak(next) : readStandard(model, next)),
  }
}

const columns = { hit: 'cached_input_per_mtok', miss: 'input_per_mtok', output: 'output_per_mtok' } as const
const standardColumns = kinds.map((kind) => columns[kind])

function toAmounts({ hit, miss, output }: Prices): Amounts {
  return { ...noAmounts, input_per_mtok: miss, output_per_mtok: output, cached_input_per_mtok: hit }
}

function readStandard({ rows }: Model, next: Next | undefined): Pick<Candidate, 'scheduled' | 'quotes'> {
  return {
    // An amount that is served before its hour would be wrong, so it begins with the first whole day.
    scheduled: next ? [{ starts_on: firstWholeDay(next.startsAt), amounts: toAmounts(next.offPeak) }] : [],
    quotes: [
      ...kinds.map((kind) => quoteRow(rows[kind], [columns[kind]])),
      ...(next?.rows.slice(0, 1).map((row) => quoteRow(row, ['scheduled'])) ?? []),
    ],
  }
}

function firstWholeDay(startsAt: Date): string {
  return toDay(new Date(startsAt.getTime() + 86_400_000 - 1))
}

/** All other hours are off-peak. */
function readPeak({ peak, peakHours, rows }: Next): Pick<Candidate, 'rates' | 'quotes'> {
  const rates = peakHours.flatMap((hours) =>
    tokenRates(
      { cached_input_tokens: peak.hit, input_tokens: peak.miss, output_tokens: peak.output },
      { hours },
    ),
  )
  const stated = [standardColumns, rates.map(rateKey)]
  return { rates, quotes: rows.map((row, index) => quoteRow(row, stated[index] ?? [])) }
}
