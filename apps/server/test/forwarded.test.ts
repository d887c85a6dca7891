import { beforeAll, describe, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { useApi, type TestApi } from './support/api.ts'
import { useDatabase } from './support/postgres.ts'

// What the line of a request has of its client and of the proxies before us.

const database = useDatabase()
let key: string
beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })])
  key = (await createCustomer(database.db, { plan: 'developer' })).key
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const forwarding = {
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  'x-request-id': 'edge-7f/42',
  'x-forwarded-for': '198.51.100.99, 203.0.113.77',
}

/** The lines of requests with these headers: the first takes all steps, the second the fast path. */
async function linesOf(api: TestApi, headers: Record<string, string>): Promise<Record<string, unknown>[]> {
  await api.request('/v1/prices?limit=1', { key })
  const before = api.log.length
  for (const path of ['/v1/prices?limit=2', '/v1/prices?limit=2']) await api.request(path, { key, headers })
  const lines = () =>
    api.log
      .slice(before)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
  await expect.poll(() => lines().length).toBe(2)
  return lines()
}

describe('behind a trusted proxy', () => {
  const api = useApi(database)

  test('its id of a request and the trace stand beside ours, and no address of a client', async () => {
    for (const line of await linesOf(api, forwarding)) {
      expect(line).toMatchObject({ proxy_request_id: 'edge-7f/42', trace_id: traceId })
      expect(line.request_id).toMatch(/^req_/)
      expect(line).not.toHaveProperty('client_address')
      expect(JSON.stringify(line)).not.toMatch(/203\.0\.113|198\.51\.100|127\.0\.0\.1/)
    }
  })

  test('what is no id and no trace is left out', async () => {
    for (const id of ['x'.repeat(129), 'with a blank', 'grün']) {
      const headers = { 'x-request-id': encodeURI(id) === id ? id : 'a b', traceparent: '00-nonsense-01' }
      for (const line of await linesOf(api, headers)) {
        expect(line).not.toHaveProperty('proxy_request_id')
        expect(line).not.toHaveProperty('trace_id')
      }
    }
  })
})

describe('from an address that is not trusted', () => {
  const api = useApi(database, { env: { TRUSTED_PROXIES: '192.0.2.0/24', LOG_CLIENT_ADDRESS: 'full' } })

  test('nothing that the client says of itself is taken', async () => {
    for (const line of await linesOf(api, forwarding)) {
      expect(line).not.toHaveProperty('proxy_request_id')
      expect(line).not.toHaveProperty('trace_id')
      expect(line.client_address).toBe('127.0.0.1')
    }
  })
})

describe('with LOG_CLIENT_ADDRESS', () => {
  const full = useApi(database, { env: { LOG_CLIENT_ADDRESS: 'full' } })
  const network = useApi(database, { env: { LOG_CLIENT_ADDRESS: 'network' } })

  test('the client is the first address that is no trusted proxy', async () => {
    for (const line of await linesOf(full, forwarding)) expect(line.client_address).toBe('203.0.113.77')
    const through = { 'x-forwarded-for': '2001:db8:1:2::9, 127.0.0.2' }
    for (const line of await linesOf(full, through)) expect(line.client_address).toBe('2001:db8:1:2::9')
    for (const line of await linesOf(full, { 'x-forwarded-for': 'rc_live_key' }))
      expect(line.client_address).toBe('unknown')
  })

  test('or its network', async () => {
    for (const line of await linesOf(network, forwarding)) expect(line.client_address).toBe('203.0.113.0/24')
    for (const line of await linesOf(network, { 'x-forwarded-for': '2001:db8:1:2::9' }))
      expect(line.client_address).toBe('2001:db8:1::/48')
  })
})
