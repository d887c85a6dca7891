import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { listWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import { countWebhooks } from '../../../features/webhooks/webhook-store.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import type { Operation } from '../operation.ts'

export const listWebhooks: Operation<'listWebhooks'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const { cursor, limit } = readListPosition(query)
  const [rows, { active }, current] = await Promise.all([
    // One more tells whether there is a next page.
    listWebhookDetails(db, accountId, { cursor, limit: limit + 1 }),
    countWebhooks(db, accountId),
    listCurrentPlans(db, accountId),
  ])
  const { activeWebhooksMax } = termsFor(plans, current)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    status: 200,
    body: {
      data: page,
      active,
      active_max: Number.isFinite(activeWebhooksMax) ? activeWebhooksMax : null,
      ...(last && { pagination: { next_cursor: encodeCursor({ updatedAt: last.created_at, id: last.id }) } }),
    },
  }
}
