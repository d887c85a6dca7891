/** A value that moved. Null: it was not there. */
export interface Move {
  resource_id: string
  field: string
  before: string | null
  after: string | null
}

interface Diff {
  product: string
  diff_before?: string | null | undefined
  diff_after?: string | null | undefined
}

type Values = Map<string, Map<string, string | null>>

/**
 * Reads before and after of a change, which are `{resource_id: {field: value}}` as JSON text. What was published by hand
 * may be any text: then it is the one value of the product that moved.
 */
export function listMoves({ product, diff_before, diff_after }: Diff): Move[] {
  const before = readSide(diff_before)
  const after = readSide(diff_after)
  if (before === null || after === null) {
    const texts = { before: diff_before ?? null, after: diff_after ?? null }
    return [{ resource_id: product, field: 'description', ...texts }]
  }
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((resource_id) => {
    const was = before.get(resource_id)
    const is = after.get(resource_id)
    const fields = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])
    return [...fields]
      .map((field) => ({
        resource_id,
        field,
        before: was?.get(field) ?? null,
        after: is?.get(field) ?? null,
      }))
      .filter((move) => move.before !== move.after)
  })
}

/** What a side of a change states of each row. Null: the text has another form. */
export function readSide(text: string | null | undefined): Values | null {
  if (text == null) return new Map()
  const json = parseJson(text)
  if (!isObject(json) || !Object.values(json).every(isObject)) return null
  const rows = Object.entries(json) as [string, Record<string, unknown>][]
  return new Map(rows.map(([resourceId, fields]) => [resourceId, new Map(flatten(fields))]))
}

/** A card of rates, the one value that is no text or number, is as many values as it has rates. */
function flatten(fields: Record<string, unknown>): [string, string | null][] {
  return Object.entries(fields).flatMap(([field, value]) =>
    isObject(value)
      ? Object.entries(value).map(([rate, amount]): [string, string | null] => [rate, toText(amount)])
      : [[field, toText(value)]],
  )
}

function toText(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
