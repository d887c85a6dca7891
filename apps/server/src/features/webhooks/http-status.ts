import { sql } from 'kysely'

// An endpoint may answer any three digits. HTTP has those from 100 to 599 (RFC 9110), and so has the contract.

export const statusMin = 100
export const statusMax = 599

/** SQL: a stored status, or null where it is none. Earlier releases stored whatever was answered. */
export function httpStatus(column: string) {
  const status = sql.ref(column)
  const isOne = sql`${status} between ${statusMin}::int and ${statusMax}::int`
  return sql<number | null>`case when ${isOne} then ${status} end`
}
