import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { splitIntoChunks } from '../../platform/chunks.ts'

/** What a source said when a change was published: for the change, or against it. */
export interface ChangeEvidence {
  resource_id: string
  /** The amount's column; null: the row as a whole. */
  field: string | null
  source: string
  /** The source's name for the state of its data; null: it gives none. */
  version: string | null
  /** The row's key in the source. */
  source_key: string
  /** The amount that it states, and the one before that it stood by; null: none. */
  amount: string | null
  amount_before: string | null
  /** Since when it states it, and when it was read last, RFC 3339 in UTC. */
  since: string
  last_seen: string
  source_url: string | null
  /** The rows of the seller's own document that state it, verbatim, a line each; null: the source is a data file. */
  quote: string | null
}

const chunkRows = 2_000

const stored: Record<keyof ChangeEvidence | 'change_id', true> = {
  change_id: true,
  resource_id: true,
  field: true,
  source: true,
  version: true,
  source_key: true,
  amount: true,
  amount_before: true,
  since: true,
  last_seen: true,
  source_url: true,
  quote: true,
}
const columns = sql.join(Object.keys(stored).map((name) => sql.ref(name)))

/** Stores the evidence of changes. It is never changed afterwards. */
export async function storeEvidence(
  trx: Trx,
  rows: readonly (ChangeEvidence & { change_id: string })[],
): Promise<void> {
  for (const chunk of splitIntoChunks(rows, chunkRows)) {
    await sql`
      insert into change_evidence (${columns})
      select ${columns} from jsonb_populate_recordset(null::change_evidence, ${JSON.stringify(chunk)}::jsonb)`.execute(
      trx,
    )
  }
}

/** The evidence of a change, by resource, amount and source. Empty: it was published by hand. */
export async function listEvidence(
  db: Db,
  changeId: string,
  limit: number | null,
): Promise<ChangeEvidence[]> {
  return db
    .selectFrom('change_evidence')
    .select(['resource_id', 'field', 'source', 'version', 'source_key', 'source_url', 'quote'])
    .select(sql<string | null>`trim_scale(amount)::text`.as('amount'))
    .select(sql<string | null>`trim_scale(amount_before)::text`.as('amount_before'))
    .select([utcText('since').as('since'), utcText('last_seen').as('last_seen')])
    .where('change_id', '=', changeId)
    .orderBy('resource_id')
    .orderBy('field')
    .orderBy('source')
    .limit(limit)
    .execute()
}
