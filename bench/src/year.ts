import { sql } from 'kysely'
import { connect, type Db } from '../../apps/server/src/database/connect.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { explainStatement } from '../../apps/server/test/year/explain.ts'
import { fillYear, fullYear } from '../../apps/server/test/year/fill.ts'
import { listWaitedFor } from '../../apps/server/test/year/statements.ts'
import { forgetful, openCluster } from './frame/database.ts'
import { counted, formatTable, say, shown, sumOf, type Table } from './frame/figures.ts'
import { describeMachine, installedVersions, machineText } from './frame/machine.ts'
import { readOptions } from './frame/options.ts'

// A simulated year of 10,000 accounts: how large each table is with its indexes, and how the statements fare that somebody
// waits for.

const { scale } = readOptions('Simulates a year of accounts. Its tables are copied into docs/evidence.md.', {
  scale: ['the share of 10,000 accounts', 1, 0.01],
})
await using cluster = await openCluster(forgetful)
const db = connect({ connectionString: await cluster.createDatabase('year'), connectionsMax: 1 })
await migrate(db)
const began = performance.now()
const { accounts, accountOf } = await fillYear(db, scale, say)
say(`Filled in ${Math.round((performance.now() - began) / 1_000)} s.`)
console.log(machineText(describeMachine({ postgresql: cluster.version, ...installedVersions(['pg']) })))
console.log(`${accounts} accounts (scale ${scale} of ${fullYear}).`)
for (const table of [await sizeTable(db), await planTable(db, accountOf.enterprise!)])
  console.log(`\n${formatTable(table)}`)
await db.destroy()

async function sizeTable(of: Db): Promise<Table> {
  const { rows } = await sql<{ name: string; rows: number; heap: number; indexes: number }>`
    select c.relname as name, greatest(c.reltuples, 0)::float8 as rows,
      (pg_total_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.reltuples > 0
    order by pg_total_relation_size(c.oid) desc`.execute(of)
  const mb = (bytes: number) => shown(bytes / 1_000_000)
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
