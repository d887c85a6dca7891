import { beginCheckout } from '../../../features/billing/checkout.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { askProvider, requireProvider } from '../ask-provider.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import { requirePatience } from '../patience.ts'
import type { Operation } from '../operation.ts'

/** Noted before Stripe is asked, so what fails counts too. */
const limit = { action: 'billing.checkout_started', most: 20, minutes: 60 } as const

export const createCheckout: Operation<'createCheckout'> = async (
  { member, body },
  { db, billing, dashboardUrl },
) => {
  const provider = requireProvider(billing)
  const { item, quantity = 1 } = body
  if (item === 'developer') {
    if (quantity !== 1) {
      throw new DashboardError('invalid_request', { message: 'A plan is bought once: leave quantity out.' })
    }
    if ((await listCurrentPlans(db, member.account.id)).includes('developer')) {
      throw new DashboardError('conflict', { message: 'The account has the Developer plan already.' })
    }
  }
  await db.transaction().execute(async (trx) => {
    await requirePatience(trx, member.account.id, limit)
    await insertAuditEntry(trx, {
      accountId: member.account.id,
      actor: actorOf(member),
      action: limit.action,
      subjectId: item,
      details: { quantity: String(quantity) },
    })
  })
  const purchase = { item, quantity, returnUrl: `${dashboardUrl}/billing` }
  const url = await askProvider(beginCheckout(db, provider, member, purchase))
  return { status: 201, body: { data: { url } } }
}
