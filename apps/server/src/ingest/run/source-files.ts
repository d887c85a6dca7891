import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'

/** A file of a source as it was taken in last. */
export interface SourceText {
  source: string
  sha256: string
  /** Null: it comes with the program. */
  read_at: string | null
  text: string
}

/** The sources whose rows forms keep: their licence lets us hand them on. */
const keptSources = ['genai-prices', 'litellm', 'models.dev']

export function isKept(source: string): boolean {
  return keptSources.includes(source)
}

export async function storeSourceFile(trx: Trx, source: string, text: string, readAt: string): Promise<void> {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const columns = { sha256, content: await promisify(gzip)(text), read_at: readAt }
  await trx
    .insertInto('source_files')
    .values({ source, ...columns })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(columns))
    .execute()
}

export async function readSourceText(db: Db, source: string): Promise<SourceText | null> {
  const row = await db
    .selectFrom('source_files')
    .select(['source', 'sha256', 'content', utcText('read_at').as('read_at')])
    .where('source', '=', source)
    .executeTakeFirst()
  if (!row) return null
  const { content, ...known } = row
  return { ...known, text: (await promisify(gunzip)(content)).toString() }
}

/** Moves whenever one of the files does; empty while there are none. */
export async function hashSourceFiles(db: Db): Promise<string> {
  const { hash } = await db
    .selectFrom('source_files')
    .select(sql<string>`coalesce(md5(string_agg(source || sha256, ',' order by source)), '')`.as('hash'))
    .executeTakeFirstOrThrow()
  return hash
}
