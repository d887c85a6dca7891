import { beforeAll, expect, test } from 'vitest'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

// How far to trust the prices, by what is stored of them.

const database = useDatabase()
const api = useApi(database)

const words = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

async function serve(id: string, rule: string, evidence: object, observedAt = '2026-03-01T00:00:00Z') {
  const record = priceRecord({ resource_id: id, product_id: id.replace(':', '/'), vendor: 'acme', input_per_mtok: '2' })
  const write = { record: observedAt.includes('03-01') ? { ...record, input_per_mtok: '9' } : record, source: 'a', rates: [] }
  await database.db.transaction().execute((trx) => writePrices(trx, [write], { runId: null, observedAt }))
  await database.db
    .insertInto('price_standings')
    .values({
      ...{ resource_key: id, resource_id: id, source: 'a', rule, is_confirmed: false },
      ...{ evidence: JSON.stringify(evidence), rate_evidence: '{}' },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
} // prettier-ignore

const poll = (said_by: string[], denied_by = {}) => ({ input_per_mtok: { said_by, denied_by } })

beforeAll(async () => {
  await serve('acme:own', 'own_list', poll(['acme', 'a']))
  await serve('acme:two', 'agreed', poll(['a', 'b'], { c: '7.5' }))
  await serve('acme:one', 'alone', poll(['c']))
  await serve('acme:mended', 'alone', poll(['a']))
  await serve('acme:mended', 'alone', poll(['a']), '2026-03-04T00:00:00Z')
  await publish(
    database.db,
    changeFile({ title: 'Corrected: Mended', category: 'correction', diff_before: '{"acme:mended":{"input_per_mtok":9}}', diff_after: '{"acme:mended":{"input_per_mtok":2}}' }),
    changeFile({ title: 'Corrected: Own', category: 'correction', diff_before: '{"acme:own":{"input_per_mtok":9}}', diff_after: '{"acme:own":{"input_per_mtok":2}}' }),
  ) // prettier-ignore
})

test('/truth.json counts each served amount once by who states it, and each source by how it stands', async () => {
  const { body, headers } = await api.request('/truth.json')
  expect(headers.get('content-type')).toContain('application/json')
  const truth = (typeof body === 'string' ? JSON.parse(body) : body) as Record<string, unknown>
  expect(truth).toMatchObject({
    witnesses: { amounts: 4, seller: 1, several: 1, single: 2, none: 0, disputed: 1 },
    sources: [
      { source: 'a', amounts: 3, alone: 1, overruled: 0 },
      { source: 'acme', amounts: 1, alone: 0, overruled: 0 },
      { source: 'b', amounts: 1, alone: 0, overruled: 0 },
      { source: 'c', amounts: 2, alone: 1, overruled: 1 },
    ],
    disputes: [{ resource_id: 'acme:two', path: '/models/acme/two', served: '9', denied_by: { c: '7.5' } }],
  })
})

test('says how long our own mistakes stood, and where that is not known', async () => {
  const page = words(String((await api.request('/truth')).body))
  expect(page).toContain('stood 3 days Corrected: Mended')
  expect(page).toContain('not known how long it stood Corrected: Own')
  expect(page).toContain('The seller says so 25.0 %')
  expect(page).toContain('Two Acme Input $9.00 A, B $7.50 C')
})
