import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

// The settings of a peer, and how it reports that it serves. Each peer is a process that ends with the one that started it.

export const keyCount = 1_000
export const dailyLimit = 100_000_000

/** @throws Error when the variable is not set */
export function given(name: 'DATABASE_URL' | 'ANSWER' | 'CHECK_ANSWERS'): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set.`)
  return value
}

/** Listens on a free port of the loopback and tells the parent which. */
export function announce(server: Server): void {
  const sayPort = () => process.send?.({ port: (server.address() as AddressInfo).port })
  if (server.listening) sayPort()
  else server.listen(0, '127.0.0.1', sayPort)
  process.on('disconnect', () => process.exit())
}

// Four queries, as one writes them: the key, the subscription, one more request, the page. Of the page's parameters they
// know those that are measured.

export interface PageQuery {
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

export async function readPage(pool: Pool, { limit = 100 }: PageQuery) {
  const { rows } = await pool.query<{ updated_at: string; resource_id: string }>(
    `select ${servedPrice} from prices order by prices.updated_at desc, resource_id desc limit $1`,
    [limit + 1],
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  if (rows.length <= limit || !last) return { schema_version: 1, data }
  const pagination = { next_cursor: cursorAfter(last.updated_at, last.resource_id) }
  return { schema_version: 1, data, pagination }
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
