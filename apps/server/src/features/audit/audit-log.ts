import { sql } from 'kysely'
import { csvText } from '@ratecard/contract/csv'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import type { Actor, AuditAction } from './audit-store.ts'

// What members read of the audit log.

export interface AuditEntry {
  id: string
  at: string
  actor: Actor['kind']
  /** The address of a user, the name of a key. */
  actor_name: string | null
  action: string
  subject_id: string | null
  details: Record<string, string>
}

/** The first part of an action: what it was done to. */
type AuditKind = AuditAction extends `${infer Kind}.${string}` ? Kind : never

export interface AuditFilter {
  kind?: AuditKind | undefined
  /** A part of who did it, of a name, an address or an id. */
  search?: string | undefined
}

/** @param cursor the last entry of the page before; null: from the newest */
export async function listAuditEntries(
  db: Db,
  accountId: string,
  { kind, search }: AuditFilter,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.id', '=', 'audit_entries.actor_name')
        .on('audit_entries.actor', '=', 'key')
        .onRef('api_keys.account_id', '=', 'audit_entries.account_id'),
    )
    .select([
      'audit_entries.id',
      utcText('audit_entries.at').as('at'),
      'audit_entries.actor',
      sql<string | null>`coalesce(api_keys.name, audit_entries.actor_name)`.as('actor_name'),
      'audit_entries.action',
      'audit_entries.subject_id',
      'audit_entries.details',
    ])
    .where('audit_entries.account_id', '=', accountId)
    .$if(kind !== undefined, (query) =>
      query.where(sql<boolean>`starts_with(audit_entries.action, ${`${kind}.`})`),
    )
    .$if(search !== undefined, (query) => query.where(holds(search ?? '')))
    .$if(cursor !== null, (query) =>
      query.where(
        sql<boolean>`(audit_entries.at, audit_entries.id) < (${cursor?.updatedAt}::timestamptz, ${cursor?.id})`,
      ),
    )
    .orderBy('audit_entries.at', 'desc')
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute()
  return rows as AuditEntry[]
}

/** Whether an entry has a text in what people read of it. The text is no pattern. */
function holds(search: string) {
  const text = search.toLowerCase()
  return sql<boolean>`(
    strpos(lower(coalesce(api_keys.name, audit_entries.actor_name, '')), ${text}) > 0
    or strpos(lower(coalesce(audit_entries.subject_id, '')), ${text}) > 0
    or exists (
      select from jsonb_each_text(audit_entries.details) detail where strpos(lower(detail.value), ${text}) > 0
    )
  )`
}

/** Entries as RFC 4180 has them, the newest first. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.map(({ id, at, actor, actor_name, action, subject_id, details }) => {
    const facts = Object.entries(details).map(([name, value]) => `${name}=${value}`)
    return [
      id,
      at,
      actor,
      csvText(actor_name ?? ''),
      action,
      subject_id ?? '',
      csvText(facts.join('; ')),
    ].join(',')
  })
  return ['id,at,actor,actor_name,action,subject_id,details', ...lines, ''].join('\r\n')
}
