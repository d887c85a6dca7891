import type { UnknownField } from '../../source-record.ts'

/** What an importer knows of the fields of a row, by their paths: `cost.tiers[].input`. */
export interface FieldTable {
  /** Whether the importer reads the field. */
  reads: (path: string) => boolean
  /** Fields with numbers that look like prices and are left out, each with the reason. */
  ignored: readonly { path: RegExp; reason: string }[]
  /** Fields that may state a price under any name; default: by the words of their names. */
  priced?: RegExp
  /** Fields that concern prices whatever their value is. The match is what they are reported as. */
  always?: RegExp
}

// A hostile file has any number of names, at any depth.
const fieldsMax = 100
const pathsMax = 10_000
const depthMax = 12
const valueLengthMax = 100

/**
 * Fields that hold prices and that the importer does not know, in the order in which they are found: a renamed field is
 * otherwise a price that vanishes, and a new kind of price is one that nobody is told of.
 * @param rows each with its key in the source
 */
export function findUnknownFields(
  rows: Iterable<readonly [id: string, row: unknown]>,
  table: FieldTable,
): UnknownField[] {
  const found = new Map<string, UnknownField & { lastRow: string }>()
  const verdicts = new Map<string, string | null>()
  const lookUpVerdict = (path: string, value: string | number) => {
    const kind = `${path}${isNumeric(value) ? (Number(value) === 0 ? '#0' : '#') : ''}`
    const known = verdicts.get(kind)
    if (known !== undefined) return known
    const verdict = reportedAs(path, value, table)
    if (verdicts.size < pathsMax) verdicts.set(kind, verdict)
    return verdict
  }
  for (const [id, row] of rows) {
    for (const [path, value] of listLeaves(row, '', 0)) {
      const field = lookUpVerdict(path, value)
      if (field === null) continue
      const entry = found.get(field)
      if (entry === undefined) {
        if (found.size < fieldsMax)
          found.set(field, { field, rows: 1, example: toExample(id, value), lastRow: id })
      } else if (entry.lastRow !== id) {
        entry.rows += 1
        entry.lastRow = id
      }
    }
  }
  return [...found.values()].map(({ field, rows, example }) => ({ field, rows, example }))
}

/** The name under which the field is reported; null: it is known, or no price. */
function reportedAs(path: string, value: string | number, table: FieldTable): string | null {
  if (table.reads(path) || table.ignored.some((one) => one.path.test(path))) return null
  const named = table.always?.exec(path)?.[0]
  if (named !== undefined) return named
  // A 0 only fills its field.
  if (!isNumeric(value) || Number(value) === 0) return null
  return (table.priced ?? priceWords).test(splitWords(path)) ? path : null
}

const priceWords =
  /(?:^|[._[\]-])(?:cost|price|pricing|prices|fee|charge|tariff|surcharge|discount|multiplier|markup|usd|eur|cny|dollar|cent)s?(?:$|[._[\]-])|(?:^|[._])(?:\w+_)?(?:per|rate)_|_rates?(?:$|[._[])/

/** `inputPrice` is `input_price`. */
function splitWords(path: string): string {
  return path.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}

function isNumeric(value: string | number): boolean {
  return typeof value === 'number' || (/^[-+]?(?:\d|\.\d)/.test(value) && Number.isFinite(Number(value)))
}

function* listLeaves(
  value: unknown,
  path: string,
  depth: number,
): Generator<[path: string, value: string | number]> {
  if (typeof value === 'number' || typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null || depth === depthMax) return
  if (Array.isArray(value)) {
    for (const item of value) yield* listLeaves(item, `${path}[]`, depth + 1)
    return
  }
  for (const [key, inner] of Object.entries(value))
    yield* listLeaves(inner, path === '' ? key : `${path}.${key}`, depth + 1)
}

function toExample(id: string, value: string | number): UnknownField['example'] {
  return { id, value: String(value).slice(0, valueLengthMax) }
}
