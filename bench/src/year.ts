import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../../apps/server/src/database/connect.ts'
import { explainStatement } from '../../apps/server/test/year/explain.ts'
import { fillYear, fullYear } from '../../apps/server/test/year/fill.ts'
import { feedProfile, profile } from '../../apps/server/test/year/profile.ts'
import { listWaitedFor } from '../../apps/server/test/year/statements.ts'
import { openDatabase } from './database.ts'
import { formatMarkdown, formatText, say, shown, type Table } from './figures.ts'
import { describeMachine, installedVersions, machineText } from './machine.ts'

// A simulated year of 10,000 accounts: how large each table and index is, and how the statements fare that somebody
// waits for.

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    markdown: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const scale = Number(options.scale)
if (!(scale > 0 && scale <= 10)) {
  console.error('--scale must be a number from above 0 to 10, such as 0.01: the share of 10,000 accounts.')
  process.exit(2)
}
const show = (table: Table) => console.log(`${(options.markdown ? formatMarkdown : formatText)(table)}\n`)

await using database = await openDatabase({ keep: options.keep })
const { db } = database
const began = performance.now()
const { accounts, accountOf } = await fillYear(db, scale, say)
say(`Filled in ${Math.round((performance.now() - began) / 1_000)} s.`)
const { rows: version } = await sql<{ v: string }>`select current_setting('server_version') as v`.execute(db)
console.log(
  machineText(describeMachine({ postgresql: version[0]!.v.split(' ')[0]!, ...installedVersions(['pg']) })),
)
console.log(`${accounts} accounts (scale ${scale} of ${fullYear}).\n`)
show(profileTable())
console.log(`The feed, whatever the number of accounts: ${JSON.stringify(feedProfile)}\n`)
show(await sizeTable(db))
show(await indexTable(db))
show(await planTable(db, accountOf.enterprise!))

function profileTable(): Table {
  const columns = Object.keys(profile.free) as (keyof typeof profile.free)[]
  return {
    title: 'The profile, by plan',
    head: ['', ...columns],
    rows: Object.entries(profile).map(([plan, of]) => [plan, ...columns.map((column) => String(of[column]))]),
  }
}

function mb(bytes: number): string {
  return shown(bytes / 1_000_000)
}

async function sizeTable(of: Db): Promise<Table> {
  const { rows } = await sql<{ name: string; rows: number; heap: number; indexes: number }>`
    select c.relname as name, greatest(c.reltuples, 0)::float8 as rows,
      (pg_total_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.reltuples > 0
    order by pg_total_relation_size(c.oid) desc`.execute(of)
  const sum = (column: 'heap' | 'indexes') => rows.reduce((total, row) => total + row[column], 0)
  return {
    title: 'Sizes',
    head: ['table', 'rows', 'MB', 'MB of indexes', 'bytes a row'],
    rows: [
      ...rows.map((row) => [
        row.name,
        row.rows.toLocaleString('en-US'),
        mb(row.heap),
        mb(row.indexes),
        shown((row.heap + row.indexes) / row.rows),
      ]),
      ['all', '', mb(sum('heap')), mb(sum('indexes')), ''],
    ],
  }
}

async function indexTable(of: Db): Promise<Table> {
  const { rows } = await sql<{ name: string; of: string; bytes: number }>`
    select indexrelname as name, relname as of, pg_relation_size(indexrelid)::float8 as bytes
    from pg_stat_user_indexes where schemaname = 'public' and pg_relation_size(indexrelid) > 1000000
    order by 3 desc`.execute(of)
  return {
    title: 'Indexes above 1 MB',
    head: ['index', 'table', 'MB'],
    textColumns: 2,
    rows: rows.map((row) => [row.name, row.of, mb(row.bytes)]),
  }
}

async function planTable(of: Db, accountId: string): Promise<Table> {
  const rows: string[][] = []
  for (const { name, by, statements } of await listWaitedFor(of, accountId)) {
    for (const statement of statements) {
      const { ms, rows: count, blocks, scanned, plan } = await explainStatement(of, statement)
      rows.push([name, by, plan, scanned.join(' '), String(count), String(blocks), shown(ms)])
    }
  }
  return {
    title: 'Statements of the largest account',
    head: ['statement', 'who waits', 'plan', 'read whole', 'rows', 'blocks', 'ms'],
    textColumns: 4,
    rows,
  }
}
