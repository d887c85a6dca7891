import { extname } from 'node:path'
import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'

/** A file with all prices as another program loads it. */
export interface ExportFile {
  name: string
  /** Of the file as it is, in hexadecimal. */
  sha256: string
  /** Of the file as it is. */
  bytes: number
  /** Of one that is compressed already, the file as it is. */
  gzip: Buffer
  /** Of one that is compressed already, nothing. */
  brotli: Buffer
}

/** All prices with all that strangers may have of them. */
export const snapshotName = 'snapshot.json'

/** Whether a file would be no smaller in another coding. */
export function isCompressed(name: string): boolean {
  return name.endsWith('.parquet')
}

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.csv': 'text/csv; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
  '.sqlite': 'application/vnd.sqlite3',
  '.sig': 'application/octet-stream',
  '.pem': 'application/x-pem-file',
}

/** As HTTP names it. */
export function toMediaType(name: string): string {
  return types[extname(name)] ?? 'text/plain; charset=utf-8'
}

export async function readExportFile(db: Db, name: string): Promise<ExportFile | undefined> {
  return db
    .selectFrom('export_files')
    .select(['name', 'sha256', 'bytes', 'gzip', 'brotli'])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** A file without what is in it. */
export type ExportEntry = Pick<ExportFile, 'name' | 'sha256' | 'bytes'> & {
  /** UTC. */
  made_at: string
}

/** The files that there are, by their names. */
export async function listExports(db: Db): Promise<ReadonlyMap<string, ExportEntry>> {
  const rows = await db
    .selectFrom('export_files')
    .select(['name', 'sha256', 'bytes'])
    .select(utcText('made_at').as('made_at'))
    .orderBy('name')
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

/** What the files were made of; null: there are none. */
export async function readMadeOf(db: Db): Promise<string | null> {
  const row = await db.selectFrom('export_files').select('made_of').limit(1).executeTakeFirst()
  return row?.made_of ?? null
}

/** Puts these files in the place of all that there were. What is as it was is not written again. */
export async function replaceExportFiles(
  trx: Trx,
  madeOf: string,
  files: readonly (ExportFile | Pick<ExportFile, 'name'>)[],
): Promise<void> {
  for (const file of files) {
    if (!('sha256' in file)) continue
    const { name, ...columns } = file
    await trx
      .insertInto('export_files')
      .values({ name, made_of: madeOf, ...columns })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ made_of: madeOf, ...columns, made_at: sql<string>`ratecard_now()` }),
      )
      .execute()
  }
  const names = files.map(({ name }) => name)
  await trx.deleteFrom('export_files').where('name', 'not in', names).execute()
  await trx.updateTable('export_files').set({ made_of: madeOf }).where('made_of', '<>', madeOf).execute()
}
