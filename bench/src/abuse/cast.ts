import { sql } from 'kysely'
import { loadChanges, loadPrices } from '../../../apps/server/test/page-queries/load.ts'
import type { Db } from '../../../apps/server/src/database/connect.ts'
import { makeExports } from '../../../apps/server/src/exports/make-exports.ts'
import { createSigner } from '../../../apps/server/src/exports/signature.ts'
import { insertAccount } from '../../../apps/server/src/features/accounts/account-store.ts'
import { insertApiKey } from '../../../apps/server/src/features/accounts/api-key-store.ts'
import { putSubscription } from '../../../apps/server/src/features/entitlements/subscription-store.ts'
import { insertMember } from '../../../apps/server/src/features/members/member-store.ts'
import { insertVerifiedUser } from '../../../apps/server/src/features/members/user-store.ts'
import { dashboardHeaders } from './attack.ts'

// The parties: a customer who pays, and what an attacker can have by paying once, or by signing up.

/** As many as all sources together have. */
const prices = 13_000
const changes = 2_000
const revokedKeys = 1_500
const keysMax = 10
const watchesMax = 200
const password = 'correct horse battery'
const email = 'attacker@attacker.example'

/** Plain data: it is sent to the processes that ask. */
export type Cast = Awaited<ReturnType<typeof createCast>>

/** Fills a migrated database, and signs the attacker in at a server that works on it. */
export async function createCast(db: Db, port: number) {
  await loadPrices(db, prices)
  await loadChanges(db, changes)
  // There is no worker that would make the files.
  await makeExports(db, createSigner('files of the bench'))
  const createCaller = async (name: string, { pays }: { pays: boolean }) => {
    const { id: accountId } = await insertAccount(db, name)
    if (pays) await putSubscription(db, accountId, 'enterprise', {})
    const made = await db.transaction().execute((trx) => insertApiKey(trx, accountId, 'Key', keysMax))
    return { accountId, key: made.key, keyId: made.id }
  }
  const customer = await createCaller('Customer', { pays: true })
  const paid = await createCaller('Paying attacker', { pays: true })
  const free = await createCaller('Attacker', { pays: false })
  const userId = await db.transaction().execute(async (trx) => {
    const id = await insertVerifiedUser(trx, { name: 'Attacker', email, password })
    await insertMember(trx, { accountId: free.accountId, userId: id, role: 'owner' })
    return id
  })
  // As many as one may, and those that are sold most.
  await sql`insert into watches (account_id, user_id, kind, name)
    select ${free.accountId}, ${userId}, 'product', product_id from prices where product_id is not null
    group by product_id order by count(*) desc, product_id limit ${watchesMax}`.execute(db)
  // What an afternoon of making and revoking leaves: keys that were made on one day share their counter.
  await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, quota_subject, revoked_at)
    select 'key_revoked_' || n, ${free.accountId}, 'Key', sha256(convert_to('revoked ' || n, 'UTF8')), 'rc_live_', 'last',
      'key_revoked_1', ratecard_now()
    from generate_series(1, ${revokedKeys}::int) n`.execute(db)
  await sql`analyze`.execute(db)
  await useUp(port, free.key)
  return {
    customerKey: customer.key,
    paidKey: paid.key,
    freeKey: free.key,
    freeKeyId: free.keyId,
    /** Of the owner of the account on the free plan. */
    cookie: await signIn(port),
  }
}

/** Asks for pages until the day's quota is used up. */
async function useUp(port: number, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  for (let status = 200; status !== 429;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/prices?limit=1`, { headers })
    await response.arrayBuffer()
    status = response.status
    if (status !== 200 && status !== 429) throw new Error(`A price was answered with ${status}.`)
  }
}

async function signIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/dashboard/api/sign-in`, {
    method: 'POST',
    headers: dashboardHeaders,
    body: JSON.stringify({ email, password }),
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  if (response.status !== 200) throw new Error(`Signing in was answered with ${response.status}.`)
  return cookies.join('; ')
}
