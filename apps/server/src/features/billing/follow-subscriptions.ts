import type { Db, Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import {
  endSubscription,
  findSubscription,
  putSubscription,
  type Subscription,
} from '../entitlements/subscription-store.ts'
import { insertAuditEntry, type AuditAction } from '../audit/audit-store.ts'
import { findAccountOfCustomer, isEventNoted, noteEvent, readClock, takeAnswer } from './billing-store.ts'
import type { PaymentEvent, PaymentProvider, ProviderSubscription } from './provider.ts'

const plan = 'developer'

/**
 * Asks the provider for the state of a customer's subscriptions, and stores it. Events arrive in any order, so their
 * content is not taken for the state. Of several answers the one that was requested last counts.
 */
export async function followSubscriptions(
  db: Db,
  provider: PaymentProvider,
  event: PaymentEvent,
  customerId: string,
  details: Record<string, string> = {},
): Promise<void> {
  const accountId = await findAccountOfCustomer(db, customerId)
  if (accountId === undefined || (await isEventNoted(db, event.id))) return
  const askedAt = await readClock(db)
  const subscriptions = await provider.listSubscriptions(customerId)
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId)
    if (!(await noteEvent(trx, event, accountId))) return
    if (await takeAnswer(trx, accountId, askedAt)) await writeDown(trx, accountId, subscriptions, details)
  })
}

async function writeDown(
  trx: Trx,
  accountId: string,
  subscriptions: ProviderSubscription[],
  details: Record<string, string>,
): Promise<void> {
  const before = await findSubscription(trx, accountId, plan)
  // A customer may have bought twice: the subscription that lasts longest counts.
  const [held] = subscriptions
    .filter(({ holds }) => holds)
    .sort((a, b) => Date.parse(b.endsAt) - Date.parse(a.endsAt))
  if (held) {
    const { ref, startsAt, endsAt, renewsAt } = held
    await putSubscription(trx, accountId, plan, {
      from: startsAt,
      until: endsAt,
      provider: { ref, renewsAt },
    })
  } else if (before?.provider_ref != null && before.status === 'active') {
    await endSubscription(trx, accountId, plan)
  }
  const after = await findSubscription(trx, accountId, plan)
  const action = whatHappened(before, after, held?.isOverdue ?? false)
  if (action === null) return
  await insertAuditEntry(trx, {
    accountId,
    actor: { kind: 'provider' },
    action,
    subjectId: plan,
    details: {
      ...details,
      ...(after?.ends_at != null && after.renews_at === null && { ends_at: after.ends_at }),
      ...(after?.renews_at != null && { renews_at: after.renews_at }),
    },
  })
}

function whatHappened(
  before: Subscription | undefined,
  after: Subscription | undefined,
  isOverdue: boolean,
): AuditAction | null {
  const wasOn = before?.status === 'active' && before.current
  const isOn = after?.status === 'active' && after.current
  if (isOn && !wasOn) return 'billing.plan_started'
  if (wasOn && !isOn) return 'billing.plan_ended'
  if (!isOn) return null
  if (before?.renews_at != null && after.renews_at === null)
    return isOverdue ? 'billing.payment_overdue' : 'billing.plan_cancelled'
  if (before?.renews_at === null && after.renews_at !== null) return 'billing.plan_resumed'
  return null
}
