import * as actions from '../../features/webhooks/actions.ts'
import type { Operation } from '../pipeline/operation.ts'
import { meteredWrite } from '../pipeline/refusals.ts'

export const deleteWebhook: Operation<'deleteWebhook'> = async ({ path, caller, reserveIn }, { db }) => {
  const { accountId, keyId } = caller
  const by = { accountId, actor: { kind: 'key', keyId } } as const
  await meteredWrite(db, reserveIn, (trx) => actions.deleteWebhook(trx, by, path.id))
  return { status: 200, body: { success: true } }
}
