import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { UserError } from '../../platform/user-error.ts'

/** A pack bought once and used, first in first out, by all keys of the account. */
export interface Pack {
  id: string
  account_id: string
  units: number
  remaining: number
  purchased_at: string
  expires_at: string
}

export interface PackGrant {
  units: number
  /** RFC 3339; default: now. */
  purchasedAt?: string | undefined
  /** RFC 3339; default: 30 × 24 h after the purchase. */
  expiresAt?: string | undefined
}

export const packUnits = 50_000
const packValidity = sql`interval '720 hours'`

const columns = [
  'id',
  'account_id',
  'units',
  'remaining',
  utcText('purchased_at').as('purchased_at'),
  utcText('expires_at').as('expires_at'),
] as const

export async function insertPack(
  db: Db,
  accountId: string,
  { units, purchasedAt, expiresAt }: PackGrant,
): Promise<Pack> {
  const purchased =
    purchasedAt === undefined ? sql<string>`ratecard_now()` : sql<string>`${purchasedAt}::timestamptz`
  const { rows } = await sql<{ valid: boolean; purchased_at: string; expires_at: string }>`
    select purchased_at::text, expires_at::text, expires_at > purchased_at as valid
    from (select ${purchased} as purchased_at) bought,
      lateral (select coalesce(${expiresAt ?? null}::timestamptz, bought.purchased_at + ${packValidity}) as expires_at) life`.execute(
    db,
  )
  const period = rows[0]
  if (!period?.valid)
    throw new UserError('A pack cannot expire before it is bought: give a later --expires-at.')
  return db
    .insertInto('packs')
    .values({
      id: newId('pack'),
      account_id: accountId,
      units,
      remaining: units,
      purchased_at: period.purchased_at,
      expires_at: period.expires_at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Every pack of the account, used up and expired ones too, in the order in which they are used. */
export async function listPacks(db: Db, accountId: string): Promise<Pack[]> {
  return db
    .selectFrom('packs')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('packs.purchased_at')
    .orderBy('id')
    .execute()
}
