import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, head } from '../support/raw-http.ts'

// Figures take memory by their labels.

const database = useDatabase()
const api = useApi(database)
beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

test('has no figure more for paths, methods, keys, headers and queries that clients make up', async () => {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const made = (n: number) =>
    [
      head(`GET /made/up/${n}`),
      head(`GET /v1/prices?made_up_${n}=1`, `Authorization: Bearer ${key}`),
      head(`GET /v1/prices?vendor=made_up_${n}`, `Authorization: Bearer ${key}`),
      head(`GET /v1/prices`, `Authorization: Bearer rc_live_${n}`),
      head(`${['PROPFIND', 'TRACE', 'PURGE', 'LOCK'][n % 4]} /v1/prices`, `X-Made-Up-${n}: ${n}`),
      head(`DELETE /v1/webhooks/made_up_${n}`, `Authorization: Bearer ${key}`),
      head(`GET /changes/made_up_${n}`),
      head(`GET /dashboard/api/made-up/${n}`),
      head('GET /health', `User-Agent: ${n}`, 'Connection: close'),
    ].join('')
  const send = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) await exchange(api.url, made(n))
  }
  const series = async () =>
    (await api.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('ratecard_http'))
      .map((line) => line.split(' ')[0])
  await send(0, 8)
  const before = await series()
  expect(before.length).toBeGreaterThan(10)
  await send(8, 60)
  expect(await series()).toEqual(before)
})
