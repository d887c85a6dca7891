import type { ErrorObject } from 'ajv'
import { schemaCompiler } from './contract-schemas.ts'
import { loadContract } from './contract.ts'

// Checks what lists serve, row by row, against the contract: where a value comes in, and again in the lists.

/** A row of a list, by the name of its schema. */
type RowName = 'Price' | 'Change'

export interface CheckedRow<T> {
  /** As it may be served; null: it cannot be. */
  row: T | null
  /** What was wrong with it, a line for each value. */
  complaints: string[]
}

export interface RowCheck {
  /**
   * The row as the contract allows it. A value that it does not allow is null where the contract has a null, and cut where
   * it is too long; an entry of a list that cannot be mended is left out.
   */
  mend: <T extends object>(name: RowName, row: T) => CheckedRow<T>
}

/** What the contract has for a field without null, when the value is unknown. */
const otherwise: Partial<Record<RowName, Record<string, string>>> = { Price: { effective_at: 'updated_at' } }

/** Each round mends one level of what is wrong. */
const roundsMax = 8

/** @param document the contract */
export function createRowCheck(document: object): RowCheck {
  const findSchema = schemaCompiler(document, { allErrors: true })
  const schemas = {
    Price: findSchema(['components', 'schemas', 'Price']),
    Change: findSchema(['components', 'schemas', 'Change']),
  }
  return {
    mend(name, row) {
      const validate = schemas[name]
      if (validate(row)) return { row, complaints: [] }
      const mended = structuredClone(row)
      const complaints: string[] = []
      const tried = new Set<string>()
      for (let round = 0; round < roundsMax; round += 1) {
        if (validate(mended)) return { row: mended, complaints }
        const errors = Map.groupBy(validate.errors ?? [], ({ instancePath }) => instancePath)
        const removals: string[][] = []
        for (const [path, [error]] of errors) {
          if (!error) continue
          if (!tried.has(path)) complaints.push(describeIssue(error))
          const outcome = mend(mended, error, tried.has(path), otherwise[name])
          if (outcome === 'no') return { row: null, complaints }
          if (outcome !== 'yes') removals.push(outcome)
          tried.add(path)
        }
        for (const path of removals.reverse()) remove(mended, path)
        // The paths have moved.
        if (removals.length > 0) tried.clear()
      }
      return { row: null, complaints }
    },
  }
}

let shared: Promise<RowCheck> | null = null

/** The check by the contract that this program serves; compiled at the first call. */
export function rowCheck(): Promise<RowCheck> {
  const loading = (shared ??= loadContract().then(({ document }) => createRowCheck(document)))
  loading.catch(() => (shared = null))
  return loading
}

/** Mends one value in place. Returns a path when its entry of a list is to be left out. */
function mend(
  row: object,
  { instancePath, keyword, params }: ErrorObject,
  isTriedBefore: boolean,
  instead: Record<string, string> = {},
): 'yes' | 'no' | string[] {
  const path = instancePath.split('/').slice(1).map(unescape)
  const parent = at(row, path.slice(0, -1))
  const field = path.at(-1)
  if (keyword === 'additionalProperties') {
    return Reflect.deleteProperty(at(row, path), String(params.additionalProperty)) ? 'yes' : 'no'
  }
  if (field === undefined) return 'no'
  const value = parent[field]
  const known = instead[instancePath.slice(1)]
  if (!isTriedBefore) {
    const isLong = keyword === 'maxLength' && typeof value === 'string'
    const shorter = isLong ? clipped(value, Number(params.limit)) : null
    const other = known === undefined ? null : (row as Record<string, unknown>)[known]
    parent[field] = shorter ?? other ?? null
    return 'yes'
  }
  // It is neither mended nor may it be null.
  const index = path.findLastIndex((_, depth) => depth > 0 && Array.isArray(at(row, path.slice(0, depth))))
  return index === -1 ? 'no' : path.slice(0, index + 1)
}

function remove(row: object, path: readonly string[]): void {
  const list: unknown = at(row, path.slice(0, -1))
  if (Array.isArray(list)) list.splice(Number(path.at(-1)), 1)
}

function at(row: object, path: readonly string[]): Record<string, unknown> {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], row) as Record<
    string,
    unknown
  >
}

/** Never half a character. */
function clipped(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function describeIssue({ instancePath, message = 'is wrong' }: ErrorObject): string {
  return `${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${message}`
}
