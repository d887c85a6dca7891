import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { FeatureError } from '../feature-error.ts'
import type { PaidPlan } from './plans.ts'

export interface Subscription {
  id: string
  account_id: string
  plan: PaidPlan
  status: 'active' | 'ended'
  starts_at: string
  ends_at: string | null
  /** When a payment provider renews it; null: it does not renew, or an operator granted it. */
  renews_at: string | null
  /** The subscription at the payment provider; null: an operator granted it. */
  provider_ref: string | null
  current: boolean
}

export async function listSubscriptions(db: Db, accountId: string): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['account_id', 'plan', 'status', 'provider_ref', utcText('starts_at').as('starts_at')])
    .select([utcTextOrNull('ends_at').as('ends_at'), utcTextOrNull('renews_at').as('renews_at')])
    .select(sql<boolean>`is_current(subscriptions, ratecard_now())`.as('current'))
    .where('account_id', '=', accountId)
    .orderBy('subscriptions.starts_at')
    .orderBy('plan')
    .execute()
  return rows.map((row) => ({ id: `${row.account_id}/${row.plan}`, ...(row as Omit<Subscription, 'id'>) }))
}

/** The account's record for a plan; undefined: it never had it. */
export async function findSubscription(
  db: Db,
  accountId: string,
  plan: PaidPlan,
): Promise<Subscription | undefined> {
  return (await listSubscriptions(db, accountId)).find((row) => row.plan === plan)
}

export async function listCurrentPlans(db: Db, accountId: string): Promise<PaidPlan[]> {
  const rows = await db
    .selectFrom('current_subscriptions')
    .select(sql<PaidPlan>`plan`.as('plan'))
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => row.plan)
}

export interface SubscriptionPeriod {
  /** RFC 3339; default: now. */
  from?: string | undefined
  /** RFC 3339; default: open-ended. */
  until?: string | undefined
  /** The payment provider that keeps it; default: none, an operator grants it. */
  provider?: { ref: string; renewsAt: string | null } | undefined
}

/** Writes the account's record for a plan, in place of the one there was. */
export async function putSubscription(
  db: Db,
  accountId: string,
  plan: PaidPlan,
  { from, until, provider }: SubscriptionPeriod,
): Promise<void> {
  if (from !== undefined && until !== undefined && until < from) {
    const fact = 'A subscription cannot end before it starts.'
    throw new FeatureError(fact, { code: 'invalid_period', what: 'subscription' })
  }
  const values = {
    status: 'active',
    // An end in the past without a start is a record that is over, not a mistake.
    starts_at: from ?? sql<string>`least(ratecard_now(), ${until ?? null}::timestamptz)`,
    ends_at: until ?? null,
    provider_ref: provider?.ref ?? null,
    renews_at: provider?.renewsAt ?? null,
    updated_at: sql<string>`ratecard_now()`,
  }
  await db
    .insertInto('subscriptions')
    .values({ account_id: accountId, plan, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'plan']).doUpdateSet(values))
    .execute()
}

/** Ends a plan now: it does not count from the next request on. */
export async function endSubscription(db: Db, accountId: string, plan: PaidPlan): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('subscriptions')
    .set({
      status: 'ended',
      ends_at: sql<string>`greatest(starts_at, least(ends_at, ratecard_now()))`,
      renews_at: null,
      updated_at: sql<string>`ratecard_now()`,
    })
    .where('account_id', '=', accountId)
    .where('plan', '=', plan)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    const fact = `The account has no ${plan} subscription.`
    throw new FeatureError(fact, { code: 'not_found', what: 'subscription' })
  }
}
