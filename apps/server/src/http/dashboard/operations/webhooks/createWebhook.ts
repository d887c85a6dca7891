import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import * as actions from '../../../../features/webhooks/actions.ts'
import { generateWebhookSecret } from '../../../../features/webhooks/secret.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'
import { webhookBody } from '../../webhook-body.ts'

export const createWebhook: Operation<'createWebhook'> = async ({ member, body }, services) => {
  const { db, plans, secrets, isAllowedAddress } = services
  // The validator puts the default of `events` in.
  const input = { ...body, events: body.events!, secret: body.secret ?? generateWebhookSecret() }
  const terms = await readTerms(db, plans, member.account.id)
  actions.requireWebhooks(terms)
  actions.requireGoodInput(input, isAllowedAddress)
  const webhook = await db
    .transaction()
    .execute((trx) => actions.createWebhook(trx, actingOf(member), terms, input, secrets))
  return { status: 201, body: { data: { secret: input.secret, record: webhookBody(webhook) } } }
}
