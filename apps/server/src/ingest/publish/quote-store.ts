import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { ChangeEvidence } from '../../features/changes/change-evidence.ts'
import type { QuotedDocument } from '../../catalog/quoted-document.ts'
import { resourceKey } from '../match/names.ts'
import type { Quote } from '../source-record.ts'

/** Stores what the document of a run says, beside the claims that were read from it. */
export async function storeQuotes(
  trx: Trx,
  source: string,
  quotes: ReadonlyMap<string, readonly Quote[]>,
  document: Omit<QuotedDocument, 'quotes'>,
): Promise<void> {
  const rows = [...quotes].map(([resource_key, quotes]) => ({
    resource_key,
    quotes: { ...document, quotes },
  }))
  await sql`
    update feed_claims set quotes = said.quotes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as said (resource_key text, quotes jsonb)
    where feed_claims.source = ${source} and feed_claims.resource_key = said.resource_key
      and feed_claims.quotes ->> 'sha256' is distinct from ${document.sha256}`.execute(trx)
}

/** The rows of the seller's document that state what a piece of evidence says; null: there is none. */
export async function findQuotes(
  db: Db,
  evidence: readonly Pick<ChangeEvidence, 'resource_id' | 'source' | 'field'>[],
): Promise<(row: (typeof evidence)[number]) => string | null> {
  const keys = [...new Set(evidence.map(({ resource_id }) => resourceKey(resource_id)))]
  const rows = await db
    .selectFrom('feed_claims')
    .select(['source', 'resource_key', 'quotes'])
    .where('quotes', 'is not', null)
    .where('resource_key', '=', sql<string>`any(${keys})`)
    .execute()
  const documents = new Map(
    rows.map(({ source, resource_key, quotes }) => [
      `${source} ${resource_key}`,
      quotes as unknown as QuotedDocument,
    ]),
  )
  return ({ resource_id, source, field }) => {
    const quotes = documents.get(`${source} ${resourceKey(resource_id)}`)?.quotes ?? []
    // Evidence of the whole row is all that the document says of it.
    if (field === null) return quotes.map(({ text }) => text).join('\n') || null
    return quotes.find(({ of }) => of.includes(field))?.text ?? null
  }
}
