import { listAuditEntries as readEntries } from '../../../features/members/audit-store.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import type { Operation } from '../operation.ts'

export const listAuditEntries: Operation<'listAuditEntries'> = async ({ member, query }, { db }) => {
  const { cursor, limit } = readListPosition(query)
  // One more tells whether there is a next page.
  const entries = await readEntries(db, member.account.id, { cursor, limit: limit + 1 })
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  return {
    status: 200,
    body: {
      data: page.map(({ details, ...entry }) => ({
        ...entry,
        details: Object.entries(details).map(([name, value]) => ({ name, value })),
      })),
      ...(last &&
        entries.length > limit && {
          pagination: { next_cursor: encodeCursor({ updatedAt: last.at, id: last.id }) },
        }),
    },
  }
}
