import { formatDecimal, exactDecimal, isAbove, plus, times, type Exact } from '../exact.ts'
import { resolve, type Catalog, type CatalogAmounts, type Snapshot } from '../index.ts'
import {
  CliError,
  openCatalog,
  parseJson,
  pricesIn,
  stampText,
  table,
  readFileText,
  type Command,
} from './command.ts'

/** A row of somebody's own table. */
interface Row {
  name: string
  platform?: string | undefined
  amounts: Partial<Record<Field, string>>
}

const fields = [
  'input_per_mtok',
  'output_per_mtok',
  'cached_input_per_mtok',
] as const satisfies readonly (keyof CatalogAmounts)[]
type Field = (typeof fields)[number]

/** Amounts of a table that is kept beside a program, against the catalog. */
export const driftCommand: Command = async ({ argument, catalog: named, json }, { out }) => {
  if (argument === undefined) throw new CliError('Name your table: ratecard-cost drift FILE.')
  const rows = rowsIn(await readFileText(argument), argument)
  const catalog = await openCatalog(named)
  const found = rows.map((row) => compared(row, catalog))
  const wrong = found.flatMap(({ wrong }) => wrong)
  const unknown = found.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  const stamp = catalog.stamp()
  if (rows.length === unknown.length)
    throw new CliError(`${argument} names nothing that the catalog knows: nothing was compared.`)
  if (json)
    out(
      `${JSON.stringify({ compared: rows.length - unknown.length, wrong, unknown, catalog: stamp }, null, 2)}\n`,
    )
  else {
    const list = wrong.map(({ name, field, yours, served }) => [name, field, yours, served])
    if (wrong.length > 0) out(table([['Model', 'Amount', 'Yours', 'Catalog'], ...list], [2, 3]))
    out(
      `${rows.length - unknown.length} models compared, ${wrong.length} amounts wrong, ${unknown.length} models unknown.\n`,
    )
    out(stampText(stamp))
  }
  return wrong.length === 0 ? 0 : 1
}

function compared({ name, platform, amounts }: Row, catalog: Catalog) {
  const resolution = resolve(name, { catalog, platform })
  if (!resolution.isResolved) return { name, isKnown: false, wrong: [] }
  const { record, region } = resolution
  const prices = pricesIn(region, record, { catalog, platform, model: name })
  if (prices === null) return { name, isKnown: false, wrong: [] }
  const wrong = fields.flatMap((field) => {
    const [yours, served] = [amounts[field], prices[field]]
    // What one of the two does not state is not compared.
    if (yours === undefined || served == null || isNear(exactDecimal(yours), exactDecimal(served))) return []
    return [
      { name, resource_id: record.resource_id, field, yours: formatDecimal(exactDecimal(yours)), served },
    ]
  })
  return { name, isKnown: true, wrong }
}

/** Tables hold rounded numbers and the dust of binary ones: half a percent is none. */
const nearness: Exact = { units: 5n, scale: 3 }

function isNear(a: Exact, b: Exact): boolean {
  const reach = times(b, nearness)
  return !isAbove(a, plus(b, reach)) && !isAbove(b, plus(a, reach))
}

function rowsIn(text: string, path: string): Row[] {
  const document = parseJson(text, path)
  const { format, resources } = Object(document) as Partial<Snapshot>
  if (format === 'ratecard-snapshot' && Array.isArray(resources)) {
    return (resources as Snapshot['resources']).map((record) => ({
      name: record.resource_id,
      amounts: Object.fromEntries(
        fields.flatMap((field) => (record[field] === null ? [] : [[field, record[field]]])),
      ),
    }))
  }
  const rows = Object.entries(Object(document) as object).flatMap(([name, row]) => liteLlmRow(name, row))
  if (rows.length === 0) throw new CliError(`${path} is neither LiteLLM's map nor a snapshot.`)
  return rows
}

const perToken: Readonly<Record<Field, string>> = {
  input_per_mtok: 'input_cost_per_token',
  output_per_mtok: 'output_cost_per_token',
  cached_input_per_mtok: 'cache_read_input_token_cost',
}

function liteLlmRow(name: string, row: unknown): Row[] {
  const stated = Object(row) as Record<string, unknown>
  const platform = stated['litellm_provider']
  if (typeof platform !== 'string' || name === 'sample_spec') return []
  const amounts: Row['amounts'] = {}
  for (const field of fields) {
    const amount = stated[perToken[field]]
    if (typeof amount === 'number' && amount >= 0 && Number.isFinite(amount))
      amounts[field] = formatDecimal(times(exactDecimal(String(amount)), { units: 1_000_000n, scale: 0 }))
  }
  return [{ name, platform: platform.replace(/^vertex_ai-.*$/, 'vertex_ai'), amounts }]
}
