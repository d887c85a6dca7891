import type { Db } from '../../src/database/connect.ts'
import { insertAccount } from '../../src/features/accounts/account-store.ts'
import type { PaidPlan } from '../../src/features/entitlements/plans.ts'
import { putSubscription } from '../../src/features/entitlements/subscription-store.ts'
import { insertMember } from '../../src/features/members/member-store.ts'
import { insertVerifiedUser } from '../../src/features/members/user-store.ts'
import { Browser } from './dashboard-client.ts'

const password = 'correct horse battery'
let owners = 0

/**
 * The browser of a signed-in user who owns a new account.
 * @param url of the server
 */
export async function signInOwner(
  db: Db,
  url: string,
  { plan, headers, email: given }: { plan?: PaidPlan; headers?: Record<string, string>; email?: string } = {},
): Promise<Browser> {
  owners += 1
  const email = given ?? `owner${owners}@customer.example`
  await db.transaction().execute(async (trx) => {
    const userId = await insertVerifiedUser(trx, { name: 'Owner', email, password })
    const account = await insertAccount(trx, 'Acme')
    if (plan) await putSubscription(trx, account.id, plan, {})
    await insertMember(trx, { accountId: account.id, userId, role: 'owner' })
  })
  const browser = new Browser(url, headers)
  const { status } = await browser.post('/sign-in', { email, password })
  if (status !== 200) throw new Error(`Signing in was answered with ${status}.`)
  return browser
}
