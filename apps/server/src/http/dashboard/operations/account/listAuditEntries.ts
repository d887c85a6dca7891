import * as audit from '../../../../features/audit/audit-store.ts'
import type { Operation } from '../../operation.ts'
import { readPage } from '../../read-page.ts'

export const listAuditEntries: Operation<'listAuditEntries'> = async ({ member, query }, { db }) => {
  const { rows, next } = await readPage(
    query,
    (from) => audit.listAuditEntries(db, member.account.id, from),
    ({ at, id }) => ({ updatedAt: at, id }),
  )
  const data = rows.map(({ details, ...entry }) => ({
    ...entry,
    details: Object.entries(details).map(([name, value]) => ({ name, value })),
  }))
  return { status: 200, body: { data, ...next } }
}
