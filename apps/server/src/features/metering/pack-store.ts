export { packUnits } from '@ratecard/contract/plans'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { FeatureError } from '../feature-error.ts'
import { Id, Timestamp, Units } from '../../platform/forms.ts'

/** A pack bought once and used, first in first out, by all keys of the account. */
export const ShownPack = z.strictObject({
  id: Id,
  units: Units,
  remaining: Units,
  /** Whether it pays. `voided`: its payment was taken back, and what was left is worth nothing. */
  state: z.enum(['live', 'empty', 'expired', 'voided']),
  purchased_at: Timestamp,
  expires_at: Timestamp,
})
export type Pack = z.infer<typeof ShownPack> & { account_id: string }

export interface PackGrant {
  units: number
  /** The payment that bought it; default: none, an operator grants it. */
  paymentRef?: string | undefined
  /** RFC 3339; default: now. */
  purchasedAt?: string | undefined
  /** RFC 3339; default: 30 × 24 h after the purchase. */
  expiresAt?: string | undefined
}

const packValidity = sql`interval '720 hours'`

const state = sql<Pack['state']>`case when voided_at is not null then 'voided'
  when expires_at <= ratecard_now() then 'expired' when remaining = 0 then 'empty' else 'live' end`

const columns = [
  'id',
  'account_id',
  'units',
  'remaining',
  state.as('state'),
  utcText('purchased_at').as('purchased_at'),
  utcText('expires_at').as('expires_at'),
] as const

export async function insertPack(
  db: Db,
  accountId: string,
  { units, paymentRef, purchasedAt, expiresAt }: PackGrant,
): Promise<Pack> {
  const { rows } = await sql<{ valid: boolean; purchased_at: string; expires_at: string }>`
    select purchased_at::text, expires_at::text, expires_at > purchased_at as valid
    from (select coalesce(${purchasedAt ?? null}::timestamptz, ratecard_now()) as purchased_at) bought,
      lateral (select coalesce(${expiresAt ?? null}::timestamptz, bought.purchased_at + ${packValidity}) as expires_at) life`.execute(
    db,
  )
  const period = rows[0]
  if (!period?.valid) {
    const fact = 'A pack cannot expire before it is bought.'
    throw new FeatureError(fact, { code: 'invalid_period', what: 'pack' })
  }
  return db
    .insertInto('packs')
    .values({
      id: newId('pack'),
      account_id: accountId,
      units,
      remaining: units,
      payment_ref: paymentRef ?? null,
      purchased_at: period.purchased_at,
      expires_at: period.expires_at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * Takes back what is left of the pack that a payment bought, from the next request on.
 * @returns the pack; undefined when there is none, or it is void already
 */
export async function voidPack(trx: Trx, paymentRef: string): Promise<Pack | undefined> {
  // Read once: the clock moves between two readings.
  const clock = sql<{ now: string }>`(select ratecard_now() as now)`.as<'clock'>('clock')
  const at = sql<string>`greatest(clock.now, purchased_at + interval '1 microsecond')`
  return trx
    .updateTable('packs')
    .from(clock)
    .set({ voided_at: at, expires_at: sql<string>`least(expires_at, ${at})` })
    .where('payment_ref', '=', paymentRef)
    .where('voided_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

/** In the order in which they are used. */
function selectPacks(db: Db, accountId: string) {
  return db
    .selectFrom('packs')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('packs.purchased_at')
    .orderBy('id')
}

/** The packs of the account that still pay. */
export async function listLivePacks(db: Db, accountId: string): Promise<Pack[]> {
  return selectPacks(db, accountId)
    .where('remaining', '>', 0)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .execute()
}

/** Every pack of the account, used up and expired ones too. */
export async function listPacks(db: Db, accountId: string): Promise<Pack[]> {
  return selectPacks(db, accountId).execute()
}
