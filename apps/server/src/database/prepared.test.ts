import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { priceRecord, storePrices } from '../../test/support/actors.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import type { ListPosition } from '../catalog/list-filter.ts'
import { readPriceList, type PriceFilter } from '../catalog/price-store.ts'
import { connect, type Db } from './connect.ts'

const database = useDatabase()

/** A pool of one connection, whose statements one can look at. */
let db: Db

beforeEach(() => {
  const pool = connect({ connectionString: database.url, connectionsMax: 1 })
  db = pool
  onTestFinished(() => pool.destroy())
})

async function read(
  filter: PriceFilter,
  position: Partial<ListPosition> = {},
  times = 10,
): Promise<string[]> {
  const pages: string[] = []
  for (let count = 0; count < times; count += 1)
    pages.push((await readPriceList(db, filter, { cursor: null, limit: 100, ...position })).rows.join(','))
  return pages
}

async function listPrepared(): Promise<{ generic_plans: number; custom_plans: number }[]> {
  const { rows } = await sql<{ generic_plans: number; custom_plans: number }>`
    select generic_plans, custom_plans from pg_prepared_statements`.execute(db)
  return rows
}

describe('a page that all ask for', () => {
  it('is planned a few times on a connection, and then no more', async () => {
    await read({})
    expect(await listPrepared()).toEqual([{ generic_plans: 5, custom_plans: 5 }])
  })

  it('is read anew each time, whatever becomes of the table', async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:one' })])
    const [before] = await read({})
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:two' })])
    await sql`alter table prices add column colour text`.execute(database.db)
    const [after] = await read({}, {}, 1)
    expect(before).not.toContain('acme:two')
    expect(after).toContain('acme:two')
    expect(after).not.toContain('colour')
  })
})

describe('a page whose best plan depends on its values', () => {
  const cursor = { updatedAt: '2026-01-01T00:00:00.000000Z', id: 'acme:one' }
  it.each<{ what: string; filter: PriceFilter; position?: Partial<ListPosition> }>([
    { what: 'one vendor', filter: { vendor: 'acme' } },
    { what: 'between since and a cursor', filter: { since: cursor.updatedAt }, position: { cursor } },
    { what: 'a limit that nobody else asks for', filter: {}, position: { limit: 7 } },
  ])('is planned each time: $what', async ({ filter, position }) => {
    await read(filter, position, 2)
    expect(await listPrepared()).toEqual([])
  })
})
