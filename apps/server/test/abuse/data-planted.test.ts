import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Change, ChangeList } from '@ratecard/contract'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { changeFile, publish } from '../support/fixtures.ts'
import { walkPrices } from '../support/walk.ts'

// A row that the contract does not allow is in the database all the same: by an import of an older version, a restored
// backup, or an edit by hand. No page may fail because of it, and the operator must learn of it. `request` checks every
// answer against the contract.

const database = useDatabase()
const api = useApi(database)
const names = ['acme:a', 'acme:b', 'acme:c', 'acme:d', 'acme:e']

let key: string
beforeAll(async () => {
  key = (await createCustomer(database.db, { plan: 'enterprise' })).key
  // Values that the columns themselves refuse are planted too.
  await sql`
    do $$ declare one record; begin
      for one in select conrelid::regclass as relation, conname from pg_constraint
        where contype = 'c' and conrelid in ('prices'::regclass, 'changes'::regclass, 'change_alternatives'::regclass)
      loop execute format('alter table %s drop constraint %I', one.relation, one.conname); end loop;
    end $$`.execute(database.db)
})
beforeEach(async () => {
  await sql`truncate prices, price_versions, changes, change_alternatives, change_evidence`.execute(database.db)
  api.log.length = 0
})

const complaints = () => api.log.filter((line) => line.includes('not as the contract says'))

describe('prices', () => {
  beforeEach(() =>
    storePrices(
      database.db,
      names.map((resource_id) => priceRecord({ resource_id })),
    ),
  )
  const plant = (column: string, value: string, name = 'acme:c') =>
    sql`update prices set ${sql.ref(column)} = ${sql.raw(value)} where resource_id = ${name}`.execute(
      database.db,
    )

  test.each([
    ['source_url', "'https://vendor.example/price list'"],
    ['source_url', "'javascript:alert(1)'"],
    ['source_url', "'https://name:secret@vendor.example/'"],
    ['source_url', "''"],
    ['input_per_mtok', "'NaN'"],
    ['image_per_unit', '-1'],
  ])('%s %s is served as null', async (column, value) => {
    await plant(column, value)
    const rows = await walkPrices(api, key)
    expect(rows.map(({ resource_id }) => resource_id).sort()).toEqual(names)
    expect(rows.find(({ resource_id }) => resource_id === 'acme:c')).toMatchObject({
      [column]: null,
      vendor: 'acme',
    })
    expect(complaints().join()).toMatch(new RegExp(`acme:c.*${column}`))
  })

  test('A date that is none is served as if the source had said nothing', async () => {
    await plant('effective_at', "'some day'")
    const rows = await walkPrices(api, key)
    const row = rows.find(({ resource_id }) => resource_id === 'acme:c')
    expect(row?.effective_at).toBe(row?.updated_at)
  })

  test('A row that cannot be mended is left out of its page, and the walk misses no other', async () => {
    await plant('vendor', "''")
    for (const limit of [1, 2, 3, 5, 500]) {
      const rows = await walkPrices(api, key, {}, { limit })
      expect(rows.map(({ resource_id }) => resource_id)).toEqual(
        names.filter((name) => name !== 'acme:c').reverse(),
      )
    }
    expect(complaints().join()).toMatch(/acme:c.*vendor/)
  })

  test('All rows of a page may be bad', async () => {
    for (const name of names) await plant('vendor', "''", name)
    expect(await walkPrices(api, key, {}, { limit: 2 })).toEqual([])
  })

  test('The log says so once for a page that is read, not for each request', async () => {
    await plant('source_url', "'not a link'")
    for (let n = 0; n < 20; n += 1) await walkPrices(api, key)
    expect(complaints()).toHaveLength(1)
  })
})

const alternative = (rank: number) => ({
  product_id: `acme/beta-${rank}`,
  product_name: `Beta ${rank}`,
  vendor: 'acme',
  migration_effort: 'low',
  rank,
})

describe('changes', () => {
  let id: string
  beforeEach(async () => {
    const file = changeFile({ alternatives: [alternative(1), alternative(2)] })
    id = (await publish(database.db, file, file, file))[1]!
  })
  const plant = (column: string, value: string) =>
    sql`update changes set ${sql.ref(column)} = ${sql.raw(value)} where id = ${id}`.execute(database.db)
  const ask = async (): Promise<Change[]> => {
    const { status, body } = await api.request('/v1/changes?limit=500', { key })
    expect(status).toBe(200)
    return (body as ChangeList).data
  }

  test.each([
    ['migration_deadline', "'soon'"],
    ['effective_time', "'2026-01-01 00:00:00'"],
    ['impact_cost', '999'],
  ])('%s %s is served as null', async (column, value) => {
    await plant(column, value)
    const rows = await ask()
    expect(rows).toHaveLength(3)
    expect(rows.find((row) => row.id === id)).toMatchObject({ [column]: null })
    expect(complaints().join()).toMatch(new RegExp(`${id}.*${column}`))
  })

  test('A title that is too long is cut', async () => {
    await plant('title', "repeat('a', 300)")
    expect((await ask()).find((row) => row.id === id)?.title).toHaveLength(200)
  })

  test('An alternative that cannot be shown is left out, and its change is not', async () => {
    await sql`update change_alternatives set vendor = '' where change_id = ${id} and rank = 1`.execute(
      database.db,
    )
    const ranks = (await ask()).map((row) => row.alternatives.map(({ rank }) => rank))
    expect(ranks).toEqual([[1, 2], [2], [1, 2]])
  })

  test('A change without a vendor is left out', async () => {
    await plant('vendor', "''")
    expect((await ask()).map((row) => row.id)).not.toContain(id)
  })

  test('A link of a change that is no web address stands on no page', async () => {
    await plant('source_url', "'javascript:alert(1)'")
    const answer = await fetch(`${api.url}/changes/${id}`)
    expect([answer.status, (await answer.text()).includes('javascript:')]).toEqual([200, false])
  })
})
