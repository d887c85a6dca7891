import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { Browser } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'
import { again, ask, expectUndisturbed } from './attacker.ts'
import { signInOwner } from '../support/dashboard-owner.ts'

const database = useDatabase()
const api = useApi(database)

test(
  'a hundred who sign in at once, from as many addresses, hold up no customer, and the next one signs in',
  again,
  async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    await signInOwner(database.db, api.url)
    const guesses = Array.from({ length: 100 }, (_, n) => {
      const browser = new Browser(api.url, { 'x-forwarded-for': `198.51.100.${n}` })
      return browser.post('/sign-in', { email: `nobody${n}@customer.example`, password: 'not the right one' })
    })
    const statuses = Promise.all(guesses).then((answers) => answers.map(({ status }) => status))
    // A new page each time: compression and hashing share a thread pool.
    expectUndisturbed(await ask(api.url, '/v1/prices?limit=1', { key, times: 20 }))
    const counts = await statuses
    expect([...new Set(counts)].sort()).toEqual([401, 429])
    expect(counts.filter((status) => status === 401).length).toBeGreaterThan(2)
    await signInOwner(database.db, api.url)
  },
)
