import { webhookUrlProblem } from '../../features/webhooks/webhook-url.ts'
import { insertWebhook } from '../../features/webhooks/webhook-store.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const createWebhook: Operation<'createWebhook'> = async ({ body, caller, reserveIn }, services) => {
  const problem = webhookUrlProblem(body.url, services.isAllowedAddress) ?? secretProblem(body.secret)
  if (problem !== null) throw new ApiError('invalid_request', { message: problem })

  const outcome = await services.db.transaction().execute(async (trx) => {
    await reserveIn(trx)
    return insertWebhook(trx, {
      accountId: caller.accountId,
      input: body,
      activeMax: caller.terms.activeWebhooksMax,
      secrets: services.secrets,
    })
  })
  // After the transaction: the unit stays taken, because the work of looking was done.
  if (outcome === 'limit_reached') throw new ApiError('webhook_limit_reached')
  return { status: 201, body: { data: outcome } }
}

/** Half a surrogate pair has no UTF-8: it would be signed as something else than was sent. */
function secretProblem(secret: string): string | null {
  return secret.isWellFormed() ? null : 'The secret must be well-formed Unicode.'
}
