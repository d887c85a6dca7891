import { setTimeout } from 'node:timers/promises'
import schema from '@ratecard/contract/snapshot.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { SnapshotHeader, SnapshotResource } from '../src/snapshot/record.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'
import { ids, useScene } from './support/snapshot-scene.ts'

// All prices as a file, for programs at a stable address (decision 025).

const database = useDatabase()
useScene(database)
const api = useApi(database, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } })

type Snapshot = SnapshotHeader & { resources: SnapshotResource[] }

describe('for programs, without a key:', () => {
  const ajv = new Ajv2020({ allErrors: true })
  ;(addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv)
  const from = (address: string, headers: Record<string, string> = {}) => ({
    headers: { 'x-forwarded-for': address, ...headers },
  })

  test('/snapshot.json is as its schema says, without the words of who states no licence', async () => {
    // The operator's word on a rate, which is denied, and that of a source with a licence.
    await sql`update price_standings set rate_evidence = jsonb_set(rate_evidence, array[
        '["cache_write_tokens","1m_tokens",null,"1h",null,null]', 'denied_by'],
        '{"own-json": "7", "litellm": "6"}') where resource_id = ${ids.bedrock}`.execute(database.db)
    await makeKeptFiles(database.db)
    const answer = await api.request('/snapshot.json', from('198.51.100.1'))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300, stale-while-revalidate=3600',
    })
    expect(ajv.validate(schema, answer.body), JSON.stringify(ajv.errors)).toBe(true)
    expect((await api.request('/snapshot.schema.json')).status).toBe(200)
    const snapshot = answer.body as Snapshot
    const bedrock = snapshot.resources.find(({ resource_id }) => resource_id === ids.bedrock)!
    expect(bedrock.rates![0]).toMatchObject({ said_by: ['litellm'], denied_by: { litellm: '6' } })
    const own = snapshot.resources.find(({ resource_id }) => resource_id === ids.deepseek)!
    // The operator's price is served, and so it is here; what the operator says of it is not.
    expect(own).toMatchObject({
      input_per_mtok: '0.27',
      evidence: { input_per_mtok: { said_by: ['own-json'], denied_by: { litellm: '0.28' } } },
    })
    for (const { claims, aliases } of snapshot.resources)
      expect([...claims, ...aliases].map(({ source }) => source)).not.toContain('own-json')
    expect(own.claims.map(({ source }) => source)).toEqual(['litellm'])
  })

  test('it is asked whether it has moved as often as one likes', async () => {
    const { headers } = await api.request('/snapshot.json', from('198.51.100.2'))
    const tag = headers.get('etag')!
    for (let count = 0; count < 20; count += 1) {
      const again = await api.request('/snapshot.json', from('198.51.100.2', { 'if-none-match': tag }))
      expect([again.status, again.body]).toEqual([304, ''])
    }
  })

  test('who asks when the list has moved has the copy of before at once, and the next when it is made', async () => {
    const { headers: before } = await api.request('/snapshot.json', from('198.51.100.3'))
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:new' })])
    await setTimeout(1_100)
    const { status, headers, body } = await api.request('/snapshot.json', from('198.51.100.3'))
    const told = (answer: Headers) => ['etag', 'last-modified'].map((name) => answer.get(name))
    expect([status, ...told(headers)]).toEqual([200, ...told(before)])
    const { generated_at, resources } = body as Snapshot
    expect(resources).toHaveLength(3)
    expect(Date.parse(headers.get('last-modified')!)).toBeGreaterThanOrEqual(Date.parse(generated_at) - 1_000)
    await makeKeptFiles(database.db)
    const tag = headers.get('etag')!
    const next = await api.request('/snapshot.json', from('198.51.100.3', { 'if-none-match': tag }))
    expect([next.status, (next.body as Snapshot).resources.length]).toEqual([200, 4])
  })

  test('whole copies are bounded by address', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 7; count += 1)
      statuses.push((await api.request('/snapshot.json', from('198.51.100.5'))).status)
    expect(statuses).toEqual([...Array<number>(6).fill(200), 503])
    const refused = await api.request('/snapshot.json', from('198.51.100.5'))
    const seconds = refused.headers.get('retry-after')
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(`Ask again in ${seconds} seconds, with If-None-Match`) as string,
    })
    expect((await api.request('/snapshot.json', from('198.51.100.6'))).status).toBe(200)
  })
})
