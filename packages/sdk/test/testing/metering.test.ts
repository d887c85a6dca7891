import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Usage } from '../../src/index.ts'
import { createFakeRatecard } from '../../src/testing.ts'

const calls = {
  prices: ['GET', '/v1/prices'],
  changes: ['GET', '/v1/changes'],
  wrongQuery: ['GET', '/v1/changes?limit=0'],
  webhooks: ['GET', '/v1/webhooks'],
  create: ['POST', '/v1/webhooks'],
  wrongBody: ['POST', '/v1/webhooks?x=1'],
  unknownId: ['DELETE', '/v1/webhooks/wh_none'],
  unknownPath: ['GET', '/v1/nothing'],
  usage: ['GET', '/v1/usage'],
} as const

test('a unit is taken by exactly the answers that did the work: first of the day, then of the packs', async () => {
  const traffic = fc.array(fc.constantFrom(...Object.values(calls)), { maxLength: 25 })
  const packs = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(traffic, fc.integer({ min: 0, max: 6 }), packs, async (requests, left, sizes) => {
      const fake = createFakeRatecard()
      fake.account.setUsed(10_000 - left)
      for (const size of sizes) fake.account.grantPack({ requests: size })
      const inPacks = sizes.reduce((sum, size) => sum + size, 0)
      const headers = { authorization: `Bearer ${fake.apiKey}`, 'content-type': 'application/json' }
      const body = '{"url":"https://hooks.acme.example","secret":"0123456789abcdef"}'
      let taken = 0
      for (const [method, path] of requests) {
        const answer = await fake.fetch(fake.baseUrl + path, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        })
        const isWork = [200, 201, 402, 404].includes(answer.status) && !/usage|nothing/.test(path)
        if (isWork) taken += 1
        if (answer.status === 429) expect(taken).toBe(left + inPacks)
        expect(answer.headers.get('x-ratelimit-topup')).toBe(isWork && taken > left ? 'true' : null)
        if (path !== '/v1/nothing') {
          expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, left - taken)))
        }
      }
      const usage = (await (await fake.fetch(`${fake.baseUrl}/v1/usage`, { headers })).json()) as Usage
      expect(usage.daily_quota.used).toBe(Math.min(10_000, 10_000 - left + taken))
      expect(usage.metered_total).toBe(10_000 - left + taken)
      expect(usage.topup.remaining).toBe(inPacks - Math.max(0, taken - left))
    }),
    { seed: 7, numRuns: 150 },
  )
})
