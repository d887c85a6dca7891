import type { operations } from '@ratecard/contract'
import type { Cursor } from '@ratecard/contract/cursor'
import { readCursor, readQuery, readSince } from '@ratecard/contract/input'
import type { Route } from './routes.ts'
import { checkValue } from './schema.ts'

type QueryOf<Id extends 'listPrices' | 'listChanges'> = keyof NonNullable<
  operations[Id]['parameters']['query']
>
type Filter = Exclude<QueryOf<'listPrices'> | QueryOf<'listChanges'>, 'since' | 'cursor' | 'limit'>

/** The parameters of a list, checked. */
export interface ListQuery {
  filters: Partial<Record<Filter, string>>
  since: string | null
  cursor: Cursor | null
  limit: number
}

/** Whether a row has the values that are asked for. */
export function hasValues(row: object, asked: Record<string, string | undefined>): boolean {
  const values = row as Record<string, unknown>
  return Object.entries(asked).every(([name, value]) => value === undefined || value === values[name])
}

/**
 * The query string of an operation, read as strictly as the service reads it: a misspelled filter must fail in a test,
 * not in production.
 * @throws ApiError invalid_request
 */
export function readListQuery(text: string, { query: schemas }: Route): ListQuery {
  const types = Object.entries(schemas).map(([name, { type }]) => [name, type] as const)
  const values = readQuery(text, new Map(types))
  for (const [name, type] of types) {
    const value = values[name]
    if (value !== undefined) checkValue(type === 'string' ? value : JSON.parse(value), schemas[name]!, [name])
  }
  const { since, cursor, limit = schemas.limit?.default, ...filters } = values
  return {
    filters,
    since: since === undefined ? null : readSince(since),
    cursor: cursor === undefined ? null : readCursor(cursor),
    limit: Number(limit),
  }
}
