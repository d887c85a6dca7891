import type { RejectedRow } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { daysBetween, toDay } from '../../days.ts'
import { findSeller, identify, lookUp } from '../../match/identify.ts'
import { noAmounts, type Amounts, type Quote, type SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readExtras, type Extra, type Model } from './anthropic-extras.ts'
import { anthropicIds } from './names/anthropic.ts'
import { readLines, readMarkdownTables } from './markdown-tables.ts'
import {
  cellReader,
  checkContradictions,
  findTable,
  isTimes,
  pagePrice,
  parseEnglishDay,
  quoteRow,
  readAmounts,
  tokenRates,
  whereIs,
  type KnownTable,
  type Row,
  type Table,
} from './page.ts'

const page = "Anthropic's price page"
const address = 'https://platform.claude.com/docs/en/about-claude/pricing'

const baseTable: KnownTable = {
  heading: 'Model pricing',
  headers: [
    [
      'Model',
      'Base Input Tokens',
      '5m Cache Writes',
      '1h Cache Writes',
      'Cache Hits & Refreshes',
      'Output Tokens',
    ],
    [
      'Model',
      'Base input tokens',
      '5m cache writes',
      '1h cache writes',
      'Cache hits and refreshes',
      'Output tokens',
    ],
  ],
}
const batchTable: KnownTable = {
  heading: 'Batch processing',
  headers: [['Model', 'Batch input', 'Batch output']],
}

/**
 * The prices of Anthropic's own platform, from the markdown of its page. A row is read when the page agrees with itself:
 * writes to the cache and hits are the stated multiples of the input, and the batch table has half of both prices.
 */
export function readAnthropicPage(text: string, now: Date): SourceReading {
  if (!text.includes('All prices are in USD.'))
    throw new UserError(`${page}: it does not say "All prices are in USD.", so its currency is unknown.`)
  const tables = readMarkdownTables(text)
  const base = readModels(findTable(page, tables, baseTable))
  const batch = readModels(findTable(page, tables, batchTable))
  const multiples = readMultiples(text)

  const contradictions: RejectedRow[] = []
  const refused = new Set(base.rejected.map(({ id }) => id))
  const rejected = [
    ...base.rejected,
    ...batch.rejected.flatMap(({ id, reason }) => (refused.has(id) ? [] : [{ id: `${id}, batch`, reason }])),
    ...readProse(text),
  ]
  const periods = base.models.flatMap((model): Period[] => {
    const twice = [base, batch].find(
      ({ models }) => models.filter(({ cell }) => cell === model.cell).length > 1,
    )
    const batchRow = batch.models.find(({ cell }) => cell === model.cell)
    const problem = twice ? 'is there twice' : batchRow ? contradict(model, batchRow, multiples) : undefined
    if (batchRow && problem === undefined) return [{ ...model, batch: batchRow }]
    const reason = `${problem ?? 'is not in the batch table, which would confirm it'} (${model.where})`
    rejected.push(...refuse(model, reason))
    if (problem !== undefined && !twice) contradictions.push({ id: model.cell, reason })
    return []
  })
  checkContradictions(page, contradictions)
  checkExample(text, periods)

  const today = toDay(now)
  const extras = readExtras(tables, periods)
  rejected.push(...extras.rejected)
  const rows = [...Map.groupBy(periods, ({ name }) => name).values()].flatMap((periods): ReadRow[] => {
    const card = readPeriods(periods, text, today)
    return 'reason' in card
      ? periods.flatMap((period) => refuse(period, `${card.reason} (${period.where})`))
      : toCandidates(card, extras.read)
  })
  return toReading([...rejected, ...rows])
}

/** A row of one of the two tables. */
interface PageRow extends Model {
  /** The first cell. */
  cell: string
  row: Row
  where: string
}
interface Period extends PageRow {
  batch: PageRow
}

const perMTok = cellReader('$', ' / MTok')

function readModels(table: Table): { models: PageRow[]; rejected: RejectedRow[] } {
  const models: PageRow[] = []
  const rejected: RejectedRow[] = []
  for (const row of table.rows) {
    const [cell = ''] = row.cells
    const name = parseName(cell)
    const read = 'reason' in name ? name : readAmounts(table, row, perMTok)
    const where = whereIs(table, row)
    if ('reason' in name) rejected.push({ id: cell, reason: `${name.reason} (${where})` })
    else if ('reason' in read) rejected.push(...refuse(name, read.reason))
    else models.push({ cell, ...name, ...read, row, where })
  }
  return { models, rejected }
}

/** A row that is there and cannot be read is not gone: each of its ids is refused. */
function refuse({ name }: Pick<Model, 'name'>, reason: string): RejectedRow[] {
  return (lookUp(anthropicIds, name) ?? []).map((id) => ({ id, reason: `${name} ${reason}` }))
}

/** A price in a sentence, such as that of a note under the table. */
function readProse(text: string): RejectedRow[] {
  const sentences = [...readLines(text)].filter(
    (line) => line.heading === baseTable.heading && /\$ ?\d/.test(line.text) && !line.text.startsWith('|'),
  )
  return sentences.flatMap(({ text: sentence, from, to }, index) =>
    introduction.test(sentence)
      ? []
      : [
          {
            id: `Note ${index + 1}`,
            reason: `states a price in a sentence, which is not read: ${sentence.trim().slice(0, 160)} (bytes ${from} to ${to})`,
          },
        ],
  )
}

/** A note that says once more what two dated rows say. */
const introduction =
  /^ *Introductory pricing of \$([\d.]+)\/\$([\d.]+) per million input\/output tokens is in effect through ([A-Z][a-z]+ \d{1,2}, \d{4}), after which the standard pricing of \$([\d.]+)\/\$([\d.]+) per million input\/output tokens will take effect\.$/m

const nameCell =
  /^(?<name>[^()[\]]+?)(?: \(\[(?<state>[^\]]+)\]\([^()]*\)\))?(?: \[through (?<until>[^\]]+)\]\([^()]*\))?(?: starting (?<from>.+))?$/

function parseName(cell: string): Pick<Model, 'name' | 'until' | 'from'> | { reason: string } {
  const { name = '', state = '', until, from } = nameCell.exec(cell)?.groups ?? {}
  const days = {
    until: until === undefined ? null : parseEnglishDay(until),
    from: from === undefined ? null : parseEnglishDay(from),
  }
  const isDated = (until === undefined || days.until !== null) && (from === undefined || days.from !== null)
  if (!isDated || (until !== undefined && from !== undefined) || lookUp(anthropicIds, name) === undefined)
    return { reason: 'its name is not in the table of names' }
  if (/^retired\b/.test(state)) return { reason: "is no longer sold on Anthropic's own platform" }
  if (!['', 'deprecated', 'limited availability'].includes(state))
    return { reason: `is in an unknown state: ${state}` }
  return { name, ...days }
}

interface Multiples {
  write: string
  longWrite: string
  hit: string
}

/** The page has stated them in a list and in a table; both wordings are known. */
function readMultiples(text: string): Multiples {
  const find = (...[listed, tabled]: [string, string]) => {
    const pattern = new RegExp(
      `^(?:[-*] ${listed} tokens are ([\\d.]+) times the base input tokens price|\\| ${tabled} *\\| ([\\d.]+)x base input price *\\|.*)$`,
      'gm',
    )
    const found = new Set([...text.matchAll(pattern)].map(([, inList, inTable]) => inList ?? inTable))
    const [multiple] = found
    if (multiple !== undefined && found.size === 1) return multiple
    throw new UserError(`${page}: it does not state the price of "${tabled}" as one multiple of the input's.`)
  }
  return {
    write: find('5-minute cache write', '5-minute cache write'),
    longWrite: find('1-hour cache write', '1-hour cache write'),
    hit: find('Cache read', 'Cache read \\(hit\\)'),
  }
}

/** The one row whose multiples the page has rounded, as it stands there: 0.3125 is 0.30, and 0.025 is 0.03. */
const rounded: Readonly<Record<string, string>> = { 'Claude Haiku 3': '0.25 0.3 0.5 0.03 1.25' }

function contradict({ name, amounts }: Model, batch: PageRow, multiples: Multiples): string | undefined {
  const [input, write, longWrite, hit, output] = amounts
  if (lookUp(rounded, name) !== amounts.join(' ')) {
    if (!isTimes(write, input, multiples.write))
      return `its 5m cache write, ${write}, is not ${multiples.write} times its input, ${input}`
    if (!isTimes(longWrite, input, multiples.longWrite))
      return `its 1h cache write, ${longWrite}, is not ${multiples.longWrite} times its input, ${input}`
    if (!isTimes(hit, input, multiples.hit))
      return `its cache hit, ${hit}, is not ${multiples.hit} times its input, ${input}`
  }
  const [batchInput, batchOutput] = batch.amounts
  if (!isTimes(batchInput, input, '0.5'))
    return `its batch input, ${batchInput}, is not half of its input, ${input} (${batch.where})`
  if (!isTimes(batchOutput, output, '0.5'))
    return `its batch output, ${batchOutput}, is not half of its output, ${output} (${batch.where})`
  return undefined
}

/** The page reckons an example by one model's prices: where they are others, all names have shifted. */
function checkExample(text: string, models: readonly Model[]): void {
  const examples = text.matchAll(
    /Using (Claude [A-Za-z]+ [\d.]*\d) at \$([\d.]+)\/MTok input, \$([\d.]+)\/MTok output/g,
  )
  for (const [sentence, name, input, output] of examples) {
    const model = models.find((row) => row.name === name && row.from === null && row.until === null)
    if (!model || (isTimes(model.amounts[0], input, '1') && isTimes(model.amounts[4], output, '1'))) continue
    throw new UserError(
      `${page}: its table has ${name} at ${model.amounts[0]} and ${model.amounts[4]}, and its example says "${sentence}".`,
    )
  }
}

interface Card {
  inForce: Period
  /** What begins on a later day. */
  next?: Period
}

/** A price without days, or one until a day and the one that begins on the next, which a note confirms. */
function readPeriods(periods: readonly Period[], text: string, today: string): Card | { reason: string } {
  const [first, second] = periods
  if (first && !second && first.until === null && first.from === null) return { inForce: first }
  const until = periods.find((period) => period.until !== null)
  const next = periods.find((period) => period.from !== null)
  if (periods.length !== 2 || !until?.until || !next?.from || daysBetween(until.until, next.from) !== 1)
    return { reason: 'its days are not "through" one and "starting" the next' }
  const [, input, output, day = '', nextInput, nextOutput] = introduction.exec(text) ?? []
  const isConfirmed =
    parseEnglishDay(day) === until.until &&
    isTimes(until.amounts[0], input, '1') &&
    isTimes(until.amounts[4], output, '1') &&
    isTimes(next.amounts[0], nextInput, '1') &&
    isTimes(next.amounts[4], nextOutput, '1')
  if (!isConfirmed) return { reason: 'has two dated prices, which no note confirms' }
  return today < next.from ? { inForce: until, next } : { inForce: next }
}

function toCandidates({ inForce, next }: Card, extras: readonly Extra[]): Candidate[] {
  const own = extras.filter(({ names }) => names.includes(inForce.name))
  const batch = readBatch(inForce)
  const writes = readCacheWrites(inForce)
  const quotes: Quote[] = [
    quoteRow(inForce.row, [
      'input_per_mtok',
      'output_per_mtok',
      'cached_input_per_mtok',
      ...writes.map(rateKey),
    ]),
    quoteRow(inForce.batch.row, batch.map(rateKey)),
    ...own.map(({ row, rates }) => quoteRow(row, rates.map(rateKey))),
    ...(next ? [quoteRow(next.row, ['scheduled'])] : []),
  ]
  return (lookUp(anthropicIds, inForce.name) ?? []).map((id) => ({
    id,
    identity: identify(findSeller('anthropic'), id),
    price: pagePrice(address, { ...readColumns(inForce), effective_at: inForce.from }),
    rates: [...writes, ...batch, ...own.flatMap(({ rates }) => rates)],
    scheduled: next?.from ? [{ starts_on: next.from, amounts: readColumns(next) }] : [],
    quotes,
  }))
}

function readColumns({ amounts: [input = null, , , hit = null, output = null] }: Model): Amounts {
  return { ...noAmounts, input_per_mtok: input, output_per_mtok: output, cached_input_per_mtok: hit }
}

function readCacheWrites({ amounts: [, write, longWrite] }: Model): Rate[] {
  return [
    ...tokenRates({ cache_write_tokens: write }),
    ...tokenRates({ cache_write_tokens: longWrite }, { variant: '1h' }),
  ]
}

function readBatch({
  batch: {
    amounts: [input, output],
  },
}: Period): Rate[] {
  return tokenRates({ input_tokens: input, output_tokens: output }, { service_tier: 'batch' })
}
