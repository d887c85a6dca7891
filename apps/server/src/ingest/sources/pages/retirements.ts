import type { RejectedRow } from '../../../catalog/price-record.ts'
import { UserError } from '../../../platform/user-error.ts'
import { toDay } from '../../days.ts'
import { identify, lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import type { Seller } from '../../match/taxonomy.ts'
import { toReading, type Candidate } from '../reading/reading.ts'
import { readTables } from './html-tables.ts'
import { googleNames } from './names/google.ts'
import {
  asDay,
  pagePrice,
  parseEnglishDay,
  parseShortDay,
  quoteRow,
  whereIs,
  type Row,
  type Table,
} from './page.ts'

/** A page on which a seller says until when it sells its models. */
interface RetirementPage {
  /** As a sentence calls it. */
  page: string
  seller: Seller
  address: string
  /** The header rows that are read, in lower case. */
  headers: readonly string[]
  /** The ids of models that the page names and does not spell. */
  names?: Readonly<Record<string, string>>
}

export const anthropicRetirements: RetirementPage = {
  page: "Anthropic's page of deprecations",
  seller: { platform: 'anthropic' },
  address: 'https://platform.claude.com/docs/en/about-claude/model-deprecations',
  headers: [
    'api model name | current state | deprecated | tentative retirement date',
    'retirement date | deprecated model | recommended replacement',
  ],
}

/** Left out: tables of endpoints, of products, of fine-tuned models, and what each model cost to train. */
export const openaiRetirements: RetirementPage = {
  page: "OpenAI's page of deprecations",
  seller: { platform: 'openai' },
  address: 'https://developers.openai.com/api/docs/deprecations',
  headers: [
    'shutdown date | model / system | recommended replacement',
    'shutdown date | model snapshot | substitute model',
    'shutdown date | deprecated model | recommended replacement',
    'shutdown date | deprecated model | deprecated model price | recommended replacement',
    'shutdown date | legacy model | legacy model price | recommended replacement',
  ],
}

export const googleRetirements: RetirementPage = {
  page: "Google Cloud's page of model versions",
  seller: { platform: 'vertex_ai', vendor: 'google' },
  address: 'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions',
  headers: [
    'model id | release date | retirement date | replacement model',
    'model id | release date | retirement date | recommended upgrade',
  ],
  names: googleNames,
}

export const veniceRetirements: RetirementPage = {
  page: "Venice's page of deprecations",
  seller: { platform: 'venice' },
  address: 'https://docs.venice.ai/overview/deprecations',
  headers: ['model | model id | removal date | status'],
}

/** What a column states, by its heading. */
const roles: Readonly<Record<string, keyof Columns>> = {
  ...{ 'shutdown date': 'day', 'retirement date': 'day', 'removal date': 'day' },
  'tentative retirement date': 'day',
  ...{ 'model / system': 'ids', 'model snapshot': 'ids', 'deprecated model': 'ids', 'legacy model': 'ids' },
  ...{ 'api model name': 'ids', 'model id': 'ids' },
  ...{ 'recommended replacement': 'replacement', 'substitute model': 'replacement' },
  ...{ 'replacement model': 'replacement', 'recommended upgrade': 'replacement' },
  'current state': 'state',
  ...{ 'release date': 'earlier', deprecated: 'earlier' },
}

interface Columns {
  ids?: string
  day?: string
  replacement?: string
  state?: string
  /** A day before that of the retirement. */
  earlier?: string
}

/** What one row says of one model. */
interface Statement {
  id: string
  /** Null: it names none. */
  retiresOn: string | null
  replacedBy: string | null
  /** The row gives the state of the model too, which the history of its page repeats. */
  hasState: boolean
  table: Table
  row: Row
  where: string
}

/**
 * The days on which a seller retires its models, and what it names in their place. No row states an amount, so each is
 * a witness: it says how long what others list is sold. A model without a day ("Not sooner than …") is read without one,
 * so that a day that is called off goes. All rows about one model must say the same.
 */
export function readRetirements(text: string, page: RetirementPage, now: Date): SourceReading {
  const tables = readTables(text)
  const known = tables.filter((table) => page.headers.includes(joinHeader(table)))
  if (known.length === 0)
    throw new UserError(
      `${page.page}: it has no table with a known header. Stored: ${page.headers.join('  or  ')}. ` +
        `Found: ${[...new Set(tables.map(joinHeader))].join('  or  ') || 'no table'}.`,
    )
  const rejected: RejectedRow[] = tables.flatMap((table) =>
    known.includes(table)
      ? []
      : [{ id: table.heading, reason: `its table is not about models, by its header: ${joinHeader(table)}` }],
  )
  const statements = known.flatMap((table) =>
    table.rows.flatMap((row) => {
      const read = readRow(table, row, page, toDay(now))
      if ('statements' in read) return read.statements
      const reason = `${read.reason} (${whereIs(table, row)})`
      // A model of which the row cannot be read keeps the day that it had.
      rejected.push(...(read.ids ?? [row.cells.join(' | ')]).map((id) => ({ id, reason })))
      return []
    }),
  )

  const candidates: Candidate[] = []
  for (const [id, said] of Map.groupBy(statements, (statement) => statement.id)) {
    const problem = findProblem(said)
    if (problem === undefined) candidates.push(toCandidate(id, said, page))
    else rejected.push({ id, reason: `${problem} (${said.map(({ where }) => where).join('; ')})` })
  }
  const reading = toReading([...candidates, ...rejected])
  const open = candidates.filter(({ retires_on }) => retires_on === null)
  return {
    ...reading,
    mended: [
      ...reading.mended,
      ...open.map(({ id }) => ({ id, reason: 'is read without a day: the page names none' })),
    ],
  }
}

/** Why what a page says of one model cannot be believed; undefined: it agrees with itself. */
function findProblem(said: readonly Statement[]): string | undefined {
  const days = [...new Set(said.map(({ retiresOn }) => retiresOn))]
  if (days.length > 1) return `retires on two days, ${days.map((day) => day ?? 'none yet').join(' and ')}`
  if (new Set(said.map(({ table }) => table)).size < said.length) return 'stands twice in one table'
  return days[0] !== null && said.length === 1 && said[0]?.hasState
    ? 'has a day that the history of the page does not repeat'
    : undefined
}

function joinHeader({ header }: Table): string {
  return header.join(' | ').toLowerCase()
}

function readRow(
  table: Table,
  row: Row,
  { names = {} }: RetirementPage,
  today: string,
): { statements: Statement[] } | { ids?: string[]; reason: string } {
  const { header } = table
  if (row.cells.length !== header.length)
    return { reason: `has ${row.cells.length} cells under ${header.length} headings` }
  const columns: Columns = {}
  for (const [index, cell] of row.cells.entries()) {
    const role = lookUp(roles, header[index]!.toLowerCase())
    if (role !== undefined) columns[role] = cell
  }
  const { ids: stated = '', day: statedDay = '', replacement = '', state, earlier } = columns
  const ids = parseIds(stated)
  if (ids === null) return { reason: `names no model, or more than its id: ${stated}` }
  const retiresOn = parseDay(statedDay)
  if (retiresOn === null && !isNoDay.test(statedDay))
    return { ids, reason: `has neither a day nor says that there is none: ${statedDay}` }
  // A section is headed by the day of its announcement.
  const before = parseDay(earlier ?? '') ?? asDay(table.heading.slice(0, 10))
  if (earlier !== undefined && !isTime.test(earlier)) return { ids, reason: `has no day before: ${earlier}` }
  if (retiresOn !== null && before !== null && retiresOn < before)
    return { ids, reason: `retires on ${retiresOn}, before ${before}` }
  if (state !== undefined && !agrees(state, retiresOn, today))
    return { ids, reason: `is ${state} and retires ${statedDay}, which contradict each other` }
  const replacedBy = lookUp(names, replacement) ?? parseReplacement(replacement)
  return {
    statements: ids.map((id) => {
      const where = whereIs(table, row)
      return { id, retiresOn, replacedBy, hasState: state !== undefined, table, row, where }
    }),
  }
}

/** Whether a state can be that of a model with this day. */
function agrees(state: string, retiresOn: string | null, today: string): boolean {
  if (state === 'Retired') return retiresOn !== null && retiresOn <= today
  return state === 'Active' || state === 'Legacy' ? retiresOn === null : state === 'Deprecated'
}

const isNoDay = /^(?:Not? sooner than .+|at earliest .+|.+ or later|No retirement date announced|N\/A|)$/

/** Google knows no more than the month of its oldest models. */
const isTime = /^(?:N\/A|[A-Z][a-z]+ (?:\d{1,2}, )?\d{4})$/

function parseDay(cell: string): string | null {
  // OpenAI has written days with hyphens that do not break.
  return asDay(cell.replaceAll('\u2011', '-')) ?? parseEnglishDay(cell) ?? parseShortDay(cell)
}

const id = '`?([a-z0-9](?:[a-z0-9._@-]*[a-z0-9])?)`?'
const ids = new RegExp(`^${id}(?:(?: \\\\?\\||,) ${id})*$`)

/** The ids of a cell, `a` or `a \| b, c`; null: it says something else. */
function parseIds(cell: string): string[] | null {
  const bare = cell.replace(/^<span id="[^"<>]*"><\/span> /, '')
  return ids.test(bare) ? bare.split(/ \\?\| |, /).map((one) => one.replaceAll('`', '')) : null
}

const replacement = new RegExp(`^${id}(?:(?:,|,? or) ${id})*$`)

/** The model that a cell names first, footnotes aside; null: it names none by its id. */
function parseReplacement(cell: string): string | null {
  return replacement.exec(cell.replaceAll('*', ''))?.[1] ?? null
}

function toCandidate(id: string, said: readonly Statement[], { seller, address }: RetirementPage): Candidate {
  const successors = [...new Set(said.flatMap(({ replacedBy }) => replacedBy ?? []))]
  const [{ retiresOn }] = said as [Statement]
  return {
    id,
    identity: identify(seller, id),
    price: pagePrice(address, { modality: null, unit: null, currency: null }),
    retires_on: retiresOn,
    is_witness: true,
    replaced_by: successors.length === 1 ? successors[0]! : null,
    quotes: said.map(({ row }) => quoteRow(row, ['retires_on'])),
  }
}
