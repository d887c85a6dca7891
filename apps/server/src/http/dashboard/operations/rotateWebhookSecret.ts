import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { generateWebhookSecret } from '../../../features/webhooks/secret.ts'
import { findWebhookDetails, replaceSecret } from '../../../features/webhooks/webhook-details-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { requireGoodSecret } from '../webhook-terms.ts'

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = async (
  { member, path, body },
  { db, secrets },
) => {
  const accountId = member.account.id
  const { secret = generateWebhookSecret() } = body
  requireGoodSecret(secret)
  return db.transaction().execute(async (trx) => {
    const isFound = await replaceSecret(trx, { accountId, id: path.id }, secret, secrets)
    const record = await findWebhookDetails(trx, accountId, path.id)
    if (!isFound || !record) throw notFound('webhook')
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'webhook.secret_rotated',
      subjectId: path.id,
      details: { secret: body.secret === undefined ? 'generated' : 'given' },
    })
    return { status: 200, body: { data: { secret, record } } }
  })
}
