import { changeRole } from '../../../../features/members/actions.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const changeMemberRole: Operation<'changeMemberRole'> = async ({ member, path, body }, { db }) => {
  const data = await db.transaction().execute((trx) => changeRole(trx, actingOf(member), path.id, body.role))
  return { status: 200, body: { data } }
}
