import { it } from 'vitest'
import { CompiledQuery } from 'kysely'
import { loadChanges } from './page-queries/load.ts'
import { useDatabase } from './postgres.ts'
const database = useDatabase()
it('x', async () => {
  const table = await loadChanges(database.db, 50_000)
  for (const set of ['set enable_sort=on', 'set enable_bitmapscan=off', 'set enable_sort=off']) {
    const f = { category: 'price_cut', includeIncidents: true, minSeverity: 2, vendor: 'vendor-0' }
    const q = table.compile(database.db, f, null, 100)
    await database.db.connection().execute(async (c) => {
      await c.executeQuery(CompiledQuery.raw(set))
      const r = await c.executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw('explain (analyze) ' + q.sql, [...q.parameters]),
      )
      console.log(set, '\n' + r.rows.map((x) => x['QUERY PLAN']).join('\n'))
      await c.executeQuery(CompiledQuery.raw('reset all'))
    })
  }
})
