import { findCustomer } from '../../../features/billing/billing-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { askProvider, requireProvider } from '../ask-provider.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import { requirePatience } from '../patience.ts'
import type { Operation } from '../operation.ts'

const limit = { action: 'billing.portal_opened', most: 20, minutes: 60 } as const

export const openPortal: Operation<'openPortal'> = async ({ member }, { db, billing, dashboardUrl }) => {
  const provider = requireProvider(billing)
  const customerId = await findCustomer(db, member.account.id)
  if (customerId === undefined) {
    throw new DashboardError('conflict', { message: 'The account has not bought anything yet.' })
  }
  const accountId = member.account.id
  await db.transaction().execute(async (trx) => {
    await requirePatience(trx, accountId, limit)
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: limit.action,
      subjectId: customerId,
    })
  })
  const url = await askProvider(provider.openPortal({ customerId, returnUrl: `${dashboardUrl}/billing` }))
  return { status: 201, body: { data: { url } } }
}
