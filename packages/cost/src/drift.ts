import { formatDecimal, exactDecimal, isAbove, plus, times, type Exact } from './exact.ts'
import type { Catalog } from './book.ts'
import { pricesIn } from './prices-in.ts'
import { resolve } from './resolve.ts'
import type { CatalogAmounts, Snapshot } from './types.ts'

// A table of prices that is kept beside a program, against a catalog.

/** A row of somebody's own table. */
export interface Row {
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

/** An amount of a table that is not the catalog's. */
export interface WrongAmount {
  name: string
  resource_id: string
  field: Field
  yours: string
  served: string
}

export interface Drift {
  /** Rows whose model the catalog knows. */
  compared: number
  wrong: WrongAmount[]
  unknown: string[]
}

/** Compares all rows. What one of the two does not state is not compared. */
export function findDrift(rows: readonly Row[], catalog: Catalog): Drift {
  const found = rows.map((row) => compareRow(row, catalog))
  const unknown = found.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  return { compared: rows.length - unknown.length, wrong: found.flatMap(({ wrong }) => wrong), unknown }
}

function compareRow(
  { name, platform, amounts }: Row,
  catalog: Catalog,
): { name: string; isKnown: boolean; wrong: WrongAmount[] } {
  const resolution = resolve(name, { catalog, platform })
  if (!resolution.isResolved) return { name, isKnown: false, wrong: [] }
  const { record, region } = resolution
  const prices = pricesIn(region, record, { catalog, platform, model: name })
  if (prices === null) return { name, isKnown: false, wrong: [] }
  const wrong = fields.flatMap((field) => {
    const [yours, served] = [amounts[field], prices[field]]
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

/** The rows of LiteLLM's map, or of a snapshot; none: it is neither. */
export function rowsIn(document: unknown): Row[] {
  const { format, resources } = Object(document) as Partial<Snapshot>
  if (format === 'ratecard-snapshot' && Array.isArray(resources)) {
    return (resources as Snapshot['resources']).map((record) => ({
      name: record.resource_id,
      amounts: Object.fromEntries(
        fields.flatMap((field) => (record[field] === null ? [] : [[field, record[field]]])),
      ),
    }))
  }
  return Object.entries(Object(document) as object).flatMap(([name, row]) => liteLlmRow(name, row))
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
