import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

// Four queries, as one writes them: the key, the subscription, one more request, the page.

export interface PageQuery {
  vendor?: string
  product?: string
  platform?: string
  modality?: string
  since?: string
  cursor?: string
  limit?: number
}

export async function findKey(pool: Pool, authorization: string | undefined) {
  const hash = createHash('sha256').update(authorization?.replace(/^Bearer /, '') ?? '')
  const { rows } = await pool.query<{ id: string; account_id: string }>(
    'select id, account_id from api_keys where hash = $1 and (revoked_at is null or revoked_at > now())',
    [hash.digest()],
  )
  return rows[0]
}

export async function hasPlan(pool: Pool, accountId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select plan from subscriptions
     where account_id = $1 and status = 'active' and starts_at <= now() and (ends_at is null or ends_at > now())`,
    [accountId],
  )
  return (rowCount ?? 0) > 0
}

/** The units used, this one included, or undefined when none is left. */
export async function countRequest(pool: Pool, keyId: string, limit: number): Promise<number | undefined> {
  const { rows } = await pool.query<{ used: number }>(
    'update peer_quotas set used = used + 1 where key_id = $1 and used < $2 returning used',
    [keyId, limit],
  )
  return rows[0]?.used
}

const utcText = `to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The columns of a price as the API sends them. */
export const servedPrice = `
  resource_id, product_id, vendor, platform, modality, region, unit,
  input_per_mtok::float8, output_per_mtok::float8, cached_input_per_mtok::float8,
  image_per_unit::float8, audio_per_min::float8, video_per_sec::float8,
  currency, source_url, coalesce(effective_at, ${utcText}) as effective_at, ${utcText} as updated_at`

const filters = {
  vendor: 'vendor',
  product: 'product_id',
  platform: 'platform',
  modality: 'modality',
} as const

export async function readPage(pool: Pool, query: PageQuery) {
  const limit = query.limit ?? 100
  const values: unknown[] = []
  const conditions: string[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  for (const [name, column] of Object.entries(filters)) {
    const value = query[name as keyof typeof filters]
    if (value !== undefined) conditions.push(`${column} = ${use(value)}`)
  }
  if (query.since !== undefined) conditions.push(`updated_at >= ${use(query.since)}`)
  if (query.cursor !== undefined) {
    const [updatedAt, id] = JSON.parse(Buffer.from(query.cursor, 'base64url').toString()) as [string, string]
    conditions.push(`(updated_at, resource_id) < (${use(updatedAt)}::timestamptz, ${use(id)})`)
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const { rows } = await pool.query<{ updated_at: string; resource_id: string }>(
    `select ${servedPrice} from prices ${where}
     order by prices.updated_at desc, resource_id desc limit ${use(limit + 1)}`,
    values,
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  if (rows.length <= limit || !last) return { schema_version: 1, data }
  return {
    schema_version: 1,
    data,
    pagination: { next_cursor: cursorAfter(last.updated_at, last.resource_id) },
  }
}

export function cursorAfter(updatedAt: string, id: string): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url')
}

export function rateLimitHeaders(limit: number, used: number): Record<string, string> {
  const midnight = new Date().setUTCHours(24, 0, 0, 0)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(limit - used),
    'X-RateLimit-Reset': String(midnight / 1_000),
  }
}
