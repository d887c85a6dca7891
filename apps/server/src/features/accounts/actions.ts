import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { insertAuditEntry, type Acting } from '../audit/audit-store.ts'
import { FeatureError, tooOften } from '../feature-error.ts'
import * as accounts from './account-store.ts'
import {
  getApiKey,
  hasEnded,
  insertApiKey,
  isFutureExpiry,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
  setKeyExpiry as storeKeyExpiry,
  type ApiKey,
  type KeyTerms,
  type NewApiKey,
} from './api-key-store.ts'

// Actions on an account and its keys, through whichever entrance: limit, lock, row and audit entry. Each is part of the
// caller's transaction, and locks the account: the record of a change is true.

const keysADayMax = 100

/** Of several requests for the same name at a time, the first changes it. */
export async function renameAccount(trx: Trx, by: Acting, name: string): Promise<void> {
  const { accountId: id } = by
  await accounts.lockAccount(trx, id)
  const { name: before } = await accounts.getAccount(trx, id)
  if (name === before) return
  await accounts.renameAccount(trx, id, name)
  const details = { from: before, to: name }
  await insertAuditEntry(trx, { ...by, action: 'account.renamed', subjectId: id, details })
}

/** @throws FeatureError key_limit_reached, too_often, or invalid_input */
export async function createKey(
  trx: Trx,
  by: Acting,
  { name, keysMax, scope = 'all', expiresAt = null }: { name: string; keysMax: number } & Partial<KeyTerms>,
): Promise<NewApiKey> {
  await requireKeyAllowance(trx, by)
  await requireFutureExpiry(trx, expiresAt)
  const key = await insertApiKey(trx, by.accountId, name, keysMax, { scope, expiresAt })
  const details = {
    name,
    ...(scope !== 'all' && { scope }),
    ...(key.expires_at !== null && { expires_at: key.expires_at }),
  }
  await insertAuditEntry(trx, { ...by, action: 'key.created', subjectId: key.id, details })
  return key
}

/**
 * Sets when a key expires; null: never.
 * @throws FeatureError not_found, key_not_active or invalid_input
 */
export async function setKeyExpiry(
  trx: Trx,
  by: Acting,
  id: string,
  expiresAt: string | null,
): Promise<void> {
  const { name, expires_at: before } = await lockKey(trx, by, id)
  await requireFutureExpiry(trx, expiresAt)
  await storeKeyExpiry(trx, id, expiresAt)
  if (expiresAt === before) return
  const details = { name, from: before ?? 'never', to: expiresAt ?? 'never' }
  await insertAuditEntry(trx, { ...by, action: 'key.expiry_changed', subjectId: id, details })
}

async function requireFutureExpiry(trx: Trx, expiresAt: string | null): Promise<void> {
  if (expiresAt !== null && !(await isFutureExpiry(trx, expiresAt)))
    throw new FeatureError('A key expires later than now, and within five years.', { code: 'invalid_input' })
}

/**
 * Bounds how many keys the users of an account make a day: revoked ones are kept for as long as the account is. An
 * operator may make one at any time.
 */
async function requireKeyAllowance(trx: Trx, { accountId, actor }: Acting): Promise<void> {
  await accounts.lockAccount(trx, accountId)
  if (actor.kind !== 'user') return
  const row = await trx
    .selectFrom('api_keys')
    .select(
      sql<number>`ceil(extract(epoch from created_at + interval '1 day' - ratecard_now()))::int`.as('wait'),
    )
    .where('account_id', '=', accountId)
    .where('created_at', '>', sql<string>`ratecard_now() - interval '1 day'`)
    .orderBy('created_at', 'desc')
    .offset(keysADayMax - 1)
    .limit(1)
    .executeTakeFirst()
  if (row) throw tooOften(`An account makes at most ${keysADayMax} keys in 24 hours.`, Math.max(1, row.wait))
}

/** @throws FeatureError not_found */
export async function renameKey(trx: Trx, by: Acting, id: string, name: string): Promise<void> {
  const { name: before } = await lockKey(trx, by, id)
  if (name === before) return
  await renameApiKey(trx, id, name)
  const details = { from: before, to: name }
  await insertAuditEntry(trx, { ...by, action: 'key.renamed', subjectId: id, details })
}

/**
 * Replaces a key by a new one. The old one works for `graceSeconds` more.
 * @throws FeatureError not_found, key_not_active or too_often
 */
export async function rotateKey(trx: Trx, by: Acting, id: string, graceSeconds: number): Promise<NewApiKey> {
  const { name, revoked_at } = await lockKey(trx, by, id)
  if (revoked_at === null) await requireKeyAllowance(trx, by)
  const key = await rotateApiKey(trx, id, graceSeconds)
  const details = { name, new_key: key.id, grace_seconds: String(graceSeconds) }
  await insertAuditEntry(trx, { ...by, action: 'key.rotated', subjectId: id, details })
  return key
}

/**
 * Revokes a key for good. Revoking one that has ended changes nothing, and is no action.
 * @throws FeatureError not_found
 */
export async function revokeKey(trx: Trx, by: Acting, id: string): Promise<ApiKey> {
  const key = await lockKey(trx, by, id)
  if (await hasEnded(trx, id)) return key
  const revoked = await revokeApiKey(trx, id)
  await insertAuditEntry(trx, { ...by, action: 'key.revoked', subjectId: id, details: { name: key.name } })
  return revoked
}

async function lockKey(trx: Trx, { accountId }: Acting, id: string): Promise<ApiKey> {
  await accounts.lockAccount(trx, accountId)
  return getApiKey(trx, id, accountId)
}
