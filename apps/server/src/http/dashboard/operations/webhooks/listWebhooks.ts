import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import * as webhooks from '../../../../features/webhooks/webhook-store.ts'
import type { Operation } from '../../operation.ts'
import { readPage } from '../../read-page.ts'
import { webhookBody } from '../../webhook-body.ts'

export const listWebhooks: Operation<'listWebhooks'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const [{ rows, next }, { active }, { activeWebhooksMax }] = await Promise.all([
    readPage(
      query,
      (from) => webhooks.listWebhooks(db, accountId, from),
      ({ created_at, id }) => ({ updatedAt: created_at, id }),
    ),
    webhooks.countWebhooks(db, accountId),
    readTerms(db, plans, accountId),
  ])
  const active_max = Number.isFinite(activeWebhooksMax) ? activeWebhooksMax : null
  return { status: 200, body: { data: rows.map(webhookBody), active, active_max, ...next } }
}
