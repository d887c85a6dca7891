import type { KyselyPlugin } from 'kysely'

const instants = new Set([
  'expires_at',
  'created_at',
  'updated_at',
  'access_token_expires_at',
  'refresh_token_expires_at',
  'locked_until',
])

/**
 * better-auth compares instants as `Date`. Our connections return them as text, which keeps the microseconds: as text
 * no session would ever end.
 */
export const datesForAuth: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => Promise.resolve({ ...result, rows: result.rows.map(withDates) }),
}

function withDates(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      instants.has(name) && typeof value === 'string' ? asDate(value) : value,
    ]),
  )
}

/** @param text as PostgreSQL writes it in UTC: `2026-11-21 09:30:00.123456+00` */
function asDate(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'))
}
