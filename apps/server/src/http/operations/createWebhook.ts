import { webhookSecretProblem, webhookUrlProblem } from '@ratecard/contract/webhook-url'
import { insertAuditEntry } from '../../features/members/audit-store.ts'
import { insertWebhook, tooManyOff } from '../../features/webhooks/webhook-store.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const createWebhook: Operation<'createWebhook'> = async ({ body, caller, reserveIn }, services) => {
  const problem = webhookUrlProblem(body.url, services.isAllowedAddress) ?? webhookSecretProblem(body.secret)
  if (problem !== null) throw new ApiError('invalid_request', { message: problem })

  const outcome = await services.db.transaction().execute(async (trx) => {
    await reserveIn(trx)
    const { accountId, keyId, terms } = caller
    const made = await insertWebhook(trx, {
      accountId,
      input: body,
      activeMax: terms.activeWebhooksMax,
      secrets: services.secrets,
    })
    if (typeof made === 'object') {
      await insertAuditEntry(trx, {
        accountId,
        actor: { kind: 'key', keyId },
        action: 'webhook.created',
        subjectId: made.id,
        // Not the whole address: its path may be a secret.
        details: { host: new URL(made.url).host },
      })
    }
    return made
  })
  // After the transaction: the unit stays taken, because the work of looking was done.
  if (outcome === 'limit_reached') throw new ApiError('webhook_limit_reached')
  if (outcome === 'too_many_off') throw new ApiError('webhook_limit_reached', { message: tooManyOff })
  return { status: 201, body: { data: outcome } }
}
