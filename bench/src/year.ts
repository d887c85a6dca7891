import { sql } from 'kysely'
import { connect, type Db } from '../../apps/server/src/database/connect.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { explainStatement } from '../../apps/server/test/year/explain.ts'
import { fillYear, fullYear } from '../../apps/server/test/year/fill.ts'
import { feedProfile, profile } from '../../apps/server/test/year/profile.ts'
import { listWaitedFor } from '../../apps/server/test/year/statements.ts'
import { forgetful, openCluster } from './frame/database.ts'
import { counted, formatTable, say, shown, sumOf, type Table } from './frame/figures.ts'
import { describeMachine, installedVersions, machineText } from './frame/machine.ts'
import { readOptions } from './frame/options.ts'

// A simulated year of 10,000 accounts: how large each table and index is, and how the statements fare that somebody
// waits for.

const { scale } = readOptions('Simulates a year of accounts. Its tables are copied into docs/evidence.md.', {
  scale: ['the share of 10,000 accounts', 1, 0.01],
})
const show = (table: Table) => console.log(`${formatTable(table)}\n`)

await using cluster = await openCluster(forgetful)
const db = connect({ connectionString: await cluster.createDatabase('year'), connectionsMax: 1 })
await migrate(db)
const began = performance.now()
const { accounts, accountOf } = await fillYear(db, scale, say)
say(`Filled in ${Math.round((performance.now() - began) / 1_000)} s.`)
console.log(machineText(describeMachine({ postgresql: cluster.version, ...installedVersions(['pg']) })))
console.log(`${accounts} accounts (scale ${scale} of ${fullYear}).\n`)
show(profileTable())
console.log(`The feed, whatever the number of accounts: ${JSON.stringify(feedProfile)}\n`)
show(await sizeTable(db))
show(await indexTable(db))
show(await planTable(db, accountOf.enterprise!))
await db.destroy()

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
  const sum = (column: 'heap' | 'indexes') => mb(sumOf(rows.map((row) => row[column])))
  const lines = rows.map(({ name, rows, heap, indexes }) => {
    return [name, counted(rows), mb(heap), mb(indexes), shown((heap + indexes) / rows)]
  })
  return {
    title: 'Sizes',
    head: ['table', 'rows', 'MB', 'MB of indexes', 'bytes a row'],
    rows: [...lines, ['all', '', sum('heap'), sum('indexes'), '']],
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
