import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import * as actions from '../../../../features/webhooks/actions.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'
import { webhookBody } from '../../webhook-body.ts'

export const updateWebhook: Operation<'updateWebhook'> = async ({ member, path, body }, services) => {
  const { db, plans, isAllowedAddress } = services
  actions.requireGoodInput({ url: body.url }, isAllowedAddress)
  const terms = await readTerms(db, plans, member.account.id)
  const webhook = await db
    .transaction()
    .execute((trx) => actions.updateWebhook(trx, actingOf(member), terms, path.id, body))
  return { status: 200, body: { data: webhookBody(webhook) } }
}
