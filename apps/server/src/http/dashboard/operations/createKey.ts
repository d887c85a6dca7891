import { insertApiKey, KeyLimitReached } from '../../../features/accounts/api-key-store.ts'
import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findKeyRecord } from '../../../features/metering/key-record-store.ts'
import { DashboardError } from '../errors.ts'
import { requireKeyAllowance } from '../key-terms.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const createKey: Operation<'createKey'> = async ({ member, body }, { db, plans }) => {
  const accountId = member.account.id
  const { keysMax } = termsFor(plans, await listCurrentPlans(db, accountId))
  try {
    return await db.transaction().execute(async (trx) => {
      await requireKeyAllowance(trx, accountId)
      const { id, key } = await insertApiKey(trx, accountId, body.name, keysMax)
      await insertAuditEntry(trx, {
        accountId,
        actor: actorOf(member),
        action: 'key.created',
        subjectId: id,
        details: { name: body.name },
      })
      const record = await findKeyRecord(trx, accountId, id)
      if (!record) throw new Error('The key was not stored.')
      return { status: 201, body: { data: { key, record } } }
    })
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error
    throw new DashboardError('key_limit_reached', {
      message: `Your plan allows ${error.keysMax} active keys. Revoke one, or upgrade.`,
      cause: error,
    })
  }
}
