import * as actions from '../../../../features/webhooks/actions.ts'
import { generateWebhookSecret } from '../../../../features/webhooks/secret.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'
import { webhookBody } from '../../webhook-body.ts'

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = async (
  { member, path, body },
  { db, secrets, isAllowedAddress },
) => {
  actions.requireGoodInput(body, isAllowedAddress)
  const origin = body.secret === undefined ? 'generated' : 'given'
  const secret = body.secret ?? generateWebhookSecret()
  const webhook = await db
    .transaction()
    .execute((trx) =>
      actions.replaceWebhookSecret(trx, actingOf(member), path.id, { secret, origin }, secrets),
    )
  return { status: 200, body: { data: { secret, record: webhookBody(webhook) } } }
}
