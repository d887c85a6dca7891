import { sql } from 'kysely'
import { readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Db } from '../../src/database/connect.ts'
import { leftOutTables } from '../../src/backup/tables.ts'

/** Rows and content of each table that is in a backup, as one line of text each. */
export async function contentOf(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`.execute(db)
  const content: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !leftOutTables.includes(table.name))) {
    const { rows } = await sql<{ content: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' order by r::text collate "C")), '') as content
      from ${sql.table(name)} r`.execute(db)
    content[name] = rows[0]!.content
  }
  return content
}

/** The same backup with another text, and a checksum that is right for it unless it is to be wrong. */
export async function rewrite(
  file: string,
  to: string,
  change: (text: string) => string,
  { checksum = true } = {},
): Promise<string> {
  const text = change(gunzipSync(await readFile(file)).toString())
  const at = text.lastIndexOf('\n', text.length - 2) + 1
  const end = JSON.parse(text.slice(at)) as { rows: Record<string, number>; sha256: string }
  const lines = text.slice(0, at)
  if (checksum) end.sha256 = createHash('sha256').update(lines).digest('hex')
  await writeFile(to, gzipSync(`${lines}${JSON.stringify(end)}\n`))
  return to
}
