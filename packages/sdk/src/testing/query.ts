import { decodeCursor, type Cursor } from '@ratecard/contract/cursor'
import { invalidRequest } from '@ratecard/contract/errors'
import { readQuery } from '@ratecard/contract/input'
import { parseInstant } from '@ratecard/contract/instant'
import type { Route } from './routes.ts'
import { checkValue } from './schema.ts'

type Filter =
  'vendor' | 'product' | 'platform' | 'modality' | 'category' | 'include_incidents' | 'min_severity'

/** The parameters of a list, checked. */
export interface ListQuery {
  filters: Partial<Record<Filter, string>>
  since: string | null
  cursor: Cursor | null
  limit: number
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
  return { filters, since: readSince(since), cursor: readCursor(cursor), limit: Number(limit) }
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const instant = parseInstant(text)
  if (instant !== null) return instant
  throw invalidRequest(
    'since must be an RFC 3339 time with offset on a real date, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
  )
}

function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const cursor = decodeCursor(text)
  if (cursor) return cursor
  throw invalidRequest(
    'The cursor is not one of ours. Pass pagination.next_cursor of the page before, unchanged.',
  )
}
