import { hashPassword } from 'better-auth/crypto'
import type { Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'

/** A user whose address needs no verification, because an operator vouches for it. */
export async function insertVerifiedUser(
  trx: Trx,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<string> {
  const id = newId('usr')
  await trx.insertInto('auth_users').values({ id, name, email, email_verified: true }).execute()
  await trx
    .insertInto('auth_credentials')
    .values({
      id: newId('auth'),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password: await hashPassword(password),
    })
    .execute()
  return id
}
