import { beforeAll, expect, test } from 'vitest'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { useDatabase } from './support/postgres.ts'

// What the lines and figures of the operator say of pages and files, which no contract has.

const database = useDatabase()
const api = useApi(database)
beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha', vendor: 'acme' })]))

interface Line {
  operation?: string
  status: number
  query_ms: number
}

async function lineOf(path: string): Promise<Line> {
  api.log.length = 0
  await fetch(api.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  await expect.poll(() => api.log.some((text) => text.includes('"msg":"request"'))).toBe(true)
  return JSON.parse(api.log.find((text) => text.includes('"msg":"request"'))!) as Line
}

test.each([
  ['/', '/'],
  ['/models?q=alpha', '/models'],
  ['/models/acme/no-such-model', '/models/:vendor/:model'],
  ['/docs', '/docs'],
  ['/docs/', '/docs'],
  ['/snapshot.schema.json', '/snapshot.schema.json'],
  ['/dashboard', '/dashboard'],
  ['/dashboard/keys', '/dashboard'],
  ['/dashboard/api/me', 'getMe'],
  ['/v1/prices', 'listPrices'],
])('%s is named %s, in its line and in the figures', async (path, name) => {
  const line = await lineOf(path)
  expect(line.operation).toBe(name)
  expect(await api.metrics.render()).toContain(`{operation="${name}",status="${line.status}"}`)
})

test('what is at no address has no name', async () => {
  expect(await lineOf('/no/such/page')).not.toHaveProperty('operation')
  expect(await api.metrics.render()).toContain('{operation="none",status="404"}')
})

test('a page says what it waited for', async () => {
  const { query_ms } = await lineOf('/models/acme/alpha')
  expect(query_ms).toBeGreaterThan(0)
})
