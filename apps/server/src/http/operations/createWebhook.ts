import * as actions from '../../features/webhooks/actions.ts'
import { publicWebhook } from '../../features/webhooks/webhook-store.ts'
import type { Operation } from '../pipeline/operation.ts'
import { meteredWrite } from '../pipeline/refusals.ts'

export const createWebhook: Operation<'createWebhook'> = async ({ body, caller, reserveIn }, services) => {
  const { db, secrets, isAllowedAddress } = services
  const { accountId, keyId, terms } = caller
  actions.requireGoodInput(body, isAllowedAddress)
  const by = { accountId, actor: { kind: 'key', keyId } } as const
  const webhook = await meteredWrite(db, reserveIn, (trx) =>
    actions.createWebhook(trx, by, terms, body, secrets),
  )
  return { status: 201, body: { data: publicWebhook(webhook) } }
}
