import * as actions from '../../../../features/webhooks/actions.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const deleteWebhook: Operation<'deleteWebhook'> = async ({ member, path }, { db }) => {
  await db.transaction().execute((trx) => actions.deleteWebhook(trx, actingOf(member), path.id))
  return { status: 200, body: { success: true } }
}
