import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { signInOwner } from '../support/dashboard-owner.ts'
import { useDatabase } from '../support/postgres.ts'
import { feelBeside, flood } from './accounts-beside.ts'
import { again, expectUndisturbed } from './attacker.ts'

// The whole table is made once for all clients, and a session does not get it any number of times.

const database = useDatabase()
const api = useApi(database)
beforeAll(async () => {
  const records = Array.from({ length: 4_000 }, (_, index) =>
    priceRecord({ resource_id: `acme:model-${index}`, input_per_mtok: String(index / 100) }),
  )
  await storePrices(database.db, records)
})

test(
  'a free session that asks for the table all the time slows nobody down, and is told to wait',
  again,
  async () => {
    const browser = await signInOwner(database.db, api.url)
    const { key } = await createCustomer(database.db)
    const { attacked, feeling } = await feelBeside(
      flood({ total: 80, atOnce: 8 }, () => browser.get('/prices')),
      () => api.request('/v1/usage', { key }),
    )
    expectUndisturbed(feeling)
    expect(Object.keys(attacked).sort()).toEqual(['200', '429'])
    expect(attacked[200]).toBeLessThan(40)
    const refused = await browser.get('/prices')
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  },
)
