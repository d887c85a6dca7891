import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely'
import type { DB } from './generated/tables.ts'

// PostgreSQL plans a statement each time it comes: that is two thirds of the time of a list page, and four times the
// time of looking up a caller. A statement with a name is planned a few times on each connection, and then no more.

/** Names by the statement's text. */
const names = new Map<string, string>()

/**
 * Runs a statement that comes all the time with the same text, and whose best query plan is the same for all values.
 * Each spelling stays on every connection and takes some 150 KB there, so there must be few.
 */
export function runPrepared<R>(db: Kysely<DB>, statement: RawBuilder<R>): Promise<QueryResult<R>> {
  const query: CompiledQuery<R> = statement.compile(db)
  if (!names.has(query.sql)) names.set(query.sql, `ratecard_${names.size + 1}`)
  return db.executeQuery(query)
}

/** The name under which connections prepare the statement; undefined: they do not. */
export function nameStatement(text: string): string | undefined {
  return names.get(text)
}
