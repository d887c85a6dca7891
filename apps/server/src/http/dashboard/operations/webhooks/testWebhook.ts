import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { noteWebhookTest, requireWebhooks } from '../../../../features/webhooks/actions.ts'
import { getSendableWebhook } from '../../../../features/webhooks/webhook-store.ts'
import { toInstant } from '../../../../platform/instant.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const testWebhook: Operation<'testWebhook'> = async ({ member, path }, services) => {
  const { db, plans, clock, sendTestAlert } = services
  const webhook = await getSendableWebhook(db, member.account.id, path.id)
  requireWebhooks(await readTerms(db, plans, member.account.id))
  await noteWebhookTest(db, actingOf(member), path.id)
  const startedAt = clock.now()
  const { durationMs, status, errorClass, error } = await sendTestAlert(webhook)
  return {
    status: 200,
    body: {
      data: {
        attempt: 1,
        started_at: toInstant(startedAt),
        duration_ms: durationMs,
        status,
        error_class: errorClass,
        error,
      },
    },
  }
}
