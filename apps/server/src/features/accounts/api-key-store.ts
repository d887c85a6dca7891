import { keyPrefix } from '@ratecard/contract/api-key'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import { readCellMark } from '../../database/feed-role.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { FeatureError, notFound } from '../feature-error.ts'
import { lockAccount } from './account-store.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'

/** A key as people may see it. The key itself is shown once, by the function that makes it. */
export interface ApiKey {
  id: string
  account_id: string
  name: string
  prefix: string
  last_four: string
  scope: KeyScope
  created_at: string
  revoked_at: string | null
  /** By the choice of who made it; null: it does not expire. */
  expires_at: string | null
  last_used_at: string | null
}

/** What a key may ask for: all that the plan includes, or prices alone. */
export const KeyScope = z.enum(['all', 'prices'])
export type KeyScope = z.infer<typeof KeyScope>

export interface KeyTerms {
  scope: KeyScope
  /** From this instant on it is refused; null: it does not expire. */
  expiresAt: string | null
}

export interface NewApiKey extends ApiKey {
  key: string
}

const now = sql<string>`ratecard_now()`
const works = sql<boolean>`(ends_at is null or ends_at > ratecard_now())`

function selectKeys(db: Db) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'name', 'prefix', 'last_four', 'scope'])
    .select(utcText('created_at').as('created_at'))
    .select([utcTextOrNull('revoked_at').as('revoked_at'), utcTextOrNull('expires_at').as('expires_at')])
    .$narrowType<{ scope: KeyScope }>()
    .select((eb) =>
      eb
        .selectFrom('usage_entries')
        .whereRef('usage_entries.quota_subject', '=', 'api_keys.quota_subject')
        .whereRef('usage_entries.key_id', '=', 'api_keys.id')
        .select(sql<string | null>`${utcText('usage_entries.last_used_at')}`.as('last_used_at'))
        .orderBy('usage_entries.day', 'desc')
        .orderBy('usage_entries.last_used_at', 'desc')
        .limit(1)
        .as('last_used_at'),
    )
}

export async function listApiKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  return selectKeys(db)
    .where('account_id', '=', accountId)
    .orderBy('api_keys.created_at')
    .orderBy('id')
    .execute()
}

/**
 * Makes a key, unless the account holds `keysMax` active ones already. A key made on the day on which another
 * ended continues that one's daily counter: replacing keys never multiplies a quota.
 * @throws FeatureError key_limit_reached
 */
export async function insertApiKey(
  trx: Trx,
  accountId: string,
  name: string,
  keysMax: number,
  terms: Partial<KeyTerms> = {},
): Promise<NewApiKey> {
  await lockAccount(trx, accountId)
  const active = await trx
    .selectFrom('api_keys')
    .select(['quota_subject'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(works)
    .execute()
  if (active.length >= keysMax) {
    throw new FeatureError(`The account holds ${active.length} active keys and its plan allows ${keysMax}.`, {
      code: 'key_limit_reached',
      max: keysMax,
    })
  }
  const freed = await trx
    .selectFrom('api_keys')
    .select('quota_subject')
    .where('account_id', '=', accountId)
    .where(
      'ends_at',
      '>=',
      sql<string>`date_trunc('day', ratecard_now() at time zone 'utc') at time zone 'utc'`,
    )
    .where('quota_subject', 'not in', [...active.map((key) => key.quota_subject), ''])
    .orderBy('ends_at')
    .orderBy('id')
    .executeTakeFirst()
  return insertKeyRow(trx, { accountId, name, quotaSubject: freed?.quota_subject, ...terms })
}

/** Whether a key is refused by now: one that was rotated may work for a while. */
export async function hasEnded(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where('ends_at', '<=', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Refuses the key from the next request on. Revoking it again changes nothing. */
export async function revokeApiKey(db: Db, id: string): Promise<ApiKey> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<string>`least(revoked_at, ratecard_now())` })
    .where('id', '=', id)
    .execute()
  return getApiKey(db, id)
}

/**
 * Replaces a key by a new one that shares its name, its scope, its end and its daily counter. The old one is refused at
 * once, or after `graceSeconds`.
 * @throws FeatureError not_found, or key_not_active when it has ended or was rotated before
 */
export async function rotateApiKey(trx: Trx, id: string, graceSeconds = 0): Promise<NewApiKey> {
  const old = await trx
    .updateTable('api_keys')
    .set({ revoked_at: sql<string>`ratecard_now() + make_interval(secs => ${graceSeconds})` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(works)
    .returning(['account_id', 'name', 'quota_subject', 'scope', utcTextOrNull('expires_at').as('expires_at')])
    .$narrowType<{ scope: KeyScope }>()
    .executeTakeFirst()
  if (!old) throw await notActive(trx, id)
  const { account_id: accountId, quota_subject: quotaSubject, expires_at: expiresAt, name, scope } = old
  return insertKeyRow(trx, { accountId, name, quotaSubject, scope, expiresAt })
}

/**
 * Sets when a key that works expires. One that has expired stays refused: nobody who found it is let in again.
 * @param expiresAt null: never
 * @throws FeatureError not_found, or key_not_active when it has ended or was rotated before
 */
export async function setKeyExpiry(trx: Trx, id: string, expiresAt: string | null): Promise<void> {
  const changed = await trx
    .updateTable('api_keys')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(works)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw await notActive(trx, id)
}

async function notActive(trx: Trx, id: string): Promise<FeatureError> {
  await getApiKey(trx, id)
  return new FeatureError(`Key "${id}" has ended, or was rotated already.`, { code: 'key_not_active' })
}

/**
 * Whether a key may expire then: from now on, and within five years, so that a mistyped year is noticed.
 * @param expiresAt an instant
 */
export async function isFutureExpiry(trx: Trx, expiresAt: string): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select ${expiresAt}::timestamptz > ratecard_now()
      and ${expiresAt}::timestamptz <= ratecard_now() + interval '5 years' as allowed`.execute(trx)
  return rows[0]?.allowed === true
}

/** Nothing but the name changes. */
export async function renameApiKey(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('api_keys').set({ name }).where('id', '=', id).execute()
}

/**
 * @param accountId the account that must own it; default: any
 * @throws FeatureError not_found
 */
export async function getApiKey(db: Db, id: string, accountId?: string): Promise<ApiKey> {
  const key = await selectKeys(db)
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()
  if (!key) throw notFound('key', id)
  return key
}

async function insertKeyRow(
  trx: Trx,
  {
    accountId,
    name,
    quotaSubject,
    scope = 'all',
    expiresAt = null,
  }: { accountId: string; name: string; quotaSubject: string | undefined } & Partial<KeyTerms>,
): Promise<NewApiKey> {
  const mark = await readCellMark(trx)
  const key = generateApiKey(mark)
  const id = newId('key')
  await trx
    .insertInto('api_keys')
    .values({
      id,
      account_id: accountId,
      name,
      hash: hashApiKey(key),
      prefix: keyPrefix + mark,
      last_four: key.slice(-4),
      quota_subject: quotaSubject ?? id,
      scope,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute()
  return { ...(await getApiKey(trx, id)), key }
}

/** The active keys of an account, each with the counter it draws on. */
export async function listQuotaSubjects(
  db: Db,
  accountId: string,
): Promise<{ key_id: string; name: string; quota_subject: string }[]> {
  return db
    .selectFrom('api_keys')
    .select(['id as key_id', 'name', 'quota_subject'])
    .where('account_id', '=', accountId)
    .where(works)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Refuses every key of an account from the next request on. */
export async function revokeKeysOfAccount(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: sql<string>`least(revoked_at, ratecard_now())` })
    .where('account_id', '=', accountId)
    .execute()
}

const unmarkedChunk = 10_000

/**
 * The hashes of working keys that were made without a mark, in hexadecimal, some at a time. Their first characters are
 * random, and may look like the mark of a cell.
 */
export async function* listUnmarkedKeys(db: Db): AsyncGenerator<string[]> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const rows = await db
      .selectFrom('api_keys')
      .select('hash')
      .where('prefix', '=', keyPrefix)
      .where(works)
      .where('hash', '>', after)
      .orderBy('hash')
      .limit(unmarkedChunk)
      .execute()
    if (rows.length > 0) yield rows.map(({ hash }) => hash.toString('hex').toUpperCase())
    if (rows.length < unmarkedChunk) return
    after = rows.at(-1)!.hash
  }
}

/** SQL: the counters of all keys of an account, without parameters: a cursor takes none. */
export const selectCounters = (accountId: string) =>
  sql`select quota_subject from api_keys where account_id = ${sql.lit(accountId)}`
