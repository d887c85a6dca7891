import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { NoticeKind } from './notice.ts'

/** What a person wants mails of, whichever account it is about. */
export interface NoticeSettings {
  off: NoticeKind[]
  /** From which severity on a change of what is watched is mailed at once; null: all of them once a day. */
  at_once_severity: number | null
}

export async function readSettings(db: Db, userId: string): Promise<NoticeSettings> {
  const row = await db
    .selectFrom('notice_settings')
    .select([sql<NoticeKind[]>`off`.as('off'), 'at_once_severity'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { off: [], at_once_severity: null }
}

export interface SettingsChange {
  on?: readonly NoticeKind[] | undefined
  off?: readonly NoticeKind[] | undefined
  at_once_severity?: number | null | undefined
}

/** Changes what is named, in one statement: a link in a mail and a page may change different kinds at once. */
export async function changeSettings(
  db: Db,
  userId: string,
  { on = [], off = [], at_once_severity: severity }: SettingsChange,
): Promise<void> {
  await sql`
    insert into notice_settings as s (user_id, off, at_once_severity)
    -- A user who was deleted meanwhile has nothing to switch off.
    select id, ${off}::text[], ${severity ?? null}::int from auth_users where id = ${userId}
    on conflict (user_id) do update set
      off = array(
        select kind from unnest(s.off || excluded.off) kind where kind <> all (${on}::text[])
        group by kind order by kind
      ),
      at_once_severity = case when ${severity !== undefined}::boolean
        then excluded.at_once_severity else s.at_once_severity end,
      updated_at = ratecard_now()`.execute(db)
}
