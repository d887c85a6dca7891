import { beforeAll, describe, expect, it } from 'vitest'
import { listCases } from './page-queries/cases.ts'
import { loadChanges, loadPrices } from './page-queries/load.ts'
import { explainPage } from './page-queries/plan.ts'
import type { GeneratedTable } from './page-queries/table.ts'
import { useDatabase } from './support/postgres.ts'

const rows = 50_000
const limit = 100
const limits = { sortedRows: 1_000, strayRows: 1_000 }

const database = useDatabase()

describe.each([
  { name: 'prices', load: loadPrices, pages: 700 },
  { name: 'changes', load: loadChanges, pages: 1_400 },
])('pages of $name', ({ load, pages }) => {
  let table: GeneratedTable
  beforeAll(async () => {
    table = await load(database.db, rows)
  })

  it('are answered from an index with every subset of filters, and hold the rows that match', async () => {
    const cases = [...listCases(table)]
    const faulty: unknown[] = []
    for (const page of cases) {
      const { faults, summary } = await explainPage(database.db, page, limit, limits)
      if (faults.length > 0) faulty.push({ filter: page.filter, position: page.position, faults, summary })
    }
    expect(faulty).toEqual([])
    expect(cases.length).toBeGreaterThan(pages)
  })
})
