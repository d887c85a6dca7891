import { createFakeRatecard } from '../../src/testing.ts'
import { startInstant, type Target } from './target.ts'

export function createFakeTarget(baseUrl: string): Target {
  const fake = createFakeRatecard({ baseUrl, now: startInstant, prices: [], changes: [] })
  const done = <Result>(work: () => Result) => {
    work()
    return Promise.resolve()
  }
  return {
    name: 'the fake',
    baseUrl,
    fetch: (path, init) => fake.fetch(baseUrl + path, init),
    createCustomer: (plan) => {
      const account = fake.createAccount({ plan })
      return Promise.resolve({
        key: account.apiKey,
        createKey: () => Promise.resolve(account.createKey()),
        revokeKey: () => done(() => account.revokeKey()),
        setPlan: (next) => done(() => account.setPlan(next)),
        grantPack: (requests, expiresAt) => done(() => account.grantPack({ requests, expiresAt })),
        setUsed: (requests) => done(() => account.setUsed(requests)),
      })
    },
    putPrices: (...prices) => done(() => fake.putPrices(...prices)),
    putChanges: (...changes) => done(() => fake.putChanges(...changes)),
    setClock: (instant) => done(() => fake.advance(Date.parse(instant) - fake.now().getTime())),
  }
}
