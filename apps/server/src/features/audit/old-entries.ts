import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'
import type { Db } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'

// What is forgotten of audit logs: actions of users and keys that are too old, or have too many after them in their
// account. Actions of an operator, a payment or the service itself are kept: no account can make more of those.

/** The page says so. */
export const ownEntryDays = 400
const ownEntriesMax = { user: 100_000, key: 10_000 }

export const ownEntries: AgedRows = {
  table: 'audit_entries',
  at: 'at',
  goes: sql`row.actor in ('user', 'key')`,
}

/** A step. Of the accounts of the last two days: one that was quiet has no more entries than at the last look. */
export async function deleteExcessEntries(db: Db, entriesMax = ownEntriesMax): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from audit_entries where ctid = any (array(
      select e.ctid
      from (
        select distinct account_id, actor from audit_entries
        where actor in ('user', 'key') and at > (select ratecard_now() - interval '2 days')
      ) lively
      cross join lateral (
        select o.ctid from audit_entries o
        where o.account_id = lively.account_id and o.actor = lively.actor
        order by o.at desc, o.id desc
        offset case lively.actor when 'user' then ${entriesMax.user}::int else ${entriesMax.key}::int end
      ) e
      limit ${deletedAtATime}::int
    ))`.execute(db)
  return Number(numAffectedRows)
}
