import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as actions from '../src/features/accounts/actions.ts'
import { getApiKey, type KeyTerms } from '../src/features/accounts/api-key-store.ts'
import { asOperator } from '../src/features/audit/audit-store.ts'
import { createCustomer, type Customer } from './support/actors.ts'
import { statusesOf, useMeteredServers } from './support/metered-servers.ts'

// Keys that end by themselves and keys for prices alone, at three processes that know the requests already.

const servers = useMeteredServers()
const { database, clock, sendToEach } = servers
const all = (status: number) => [status, status, status]

async function addKey({ accountId }: Customer, terms: Partial<KeyTerms>, keysMax = 100) {
  return database.db
    .transaction()
    .execute((trx) => actions.createKey(trx, asOperator(accountId), { name: 'test', keysMax, ...terms }))
}

describe('a key that expires', () => {
  test('is refused as an unknown one from that instant on, by every process, on either way', async () => {
    const customer = await createCustomer(database.db)
    const { key, id } = await addKey(customer, { expiresAt: '2031-03-05T13:00:00.000000Z' })
    for (const path of ['/v1/prices', '/v1/prices', '/v1/usage'])
      expect(statusesOf(await sendToEach(path, { key }))).toEqual(all(200))
    await clock.stand('2031-03-05T12:59:59.999999Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual(all(200))
    await clock.stand('2031-03-05T13:00:00Z')
    const unknown = await sendToEach('/v1/prices', { key: `rc_live_${'0'.repeat(36)}` })
    const refused = await sendToEach('/v1/prices', { key })
    expect(statusesOf(refused)).toEqual(all(401))
    expect(refused.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body))
    expect(statusesOf(await sendToEach('/v1/usage', { key }))).toEqual(all(401))

    const extend = database.db
      .transaction()
      .execute((trx) => actions.setKeyExpiry(trx, asOperator(customer.accountId), id, null))
    await expect(extend, 'who found it later is not let in').rejects.toMatchObject({
      refusal: { code: 'key_not_active' },
    })
  })

  test('is extended or ended sooner from the next request on', async () => {
    const customer = await createCustomer(database.db)
    const { key, id } = await addKey(customer, { expiresAt: '2031-03-05T13:00:00.000000Z' })
    const set = (expiresAt: string | null) =>
      database.db
        .transaction()
        .execute((trx) => actions.setKeyExpiry(trx, asOperator(customer.accountId), id, expiresAt))
    await set('2031-03-05T14:00:00.000000Z')
    await clock.stand('2031-03-05T13:30:00Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual(all(200))
    await set(null)
    await clock.stand('2031-04-05T13:30:00Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual(all(200))
    for (const expiresAt of ['2031-04-05T13:30:00.000000Z', '2041-01-01T00:00:00.000000Z'])
      await expect(set(expiresAt)).rejects.toMatchObject({ refusal: { code: 'invalid_input' } })
    await set('2031-04-05T13:30:00.000001Z')
    await clock.stand('2031-04-05T13:30:00.000001Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual(all(401))
  })

  test('makes room for another, which goes on with its quota of the day', async () => {
    const customer = await createCustomer(database.db)
    const { key } = await addKey(customer, { expiresAt: '2031-03-05T12:30:00.000000Z' }, 2)
    await sendToEach('/v1/prices', { key })
    await expect(addKey(customer, {}, 2)).rejects.toMatchObject({ refusal: { code: 'key_limit_reached' } })
    await clock.stand('2031-03-05T12:30:00Z')
    const next = await addKey(customer, {}, 2)
    const [answer] = await sendToEach('/v1/prices', { key: next.key })
    expect(answer?.headers.get('x-ratelimit-remaining'), 'three are used').toBe('96')
  })
})

describe('a key for prices alone', () => {
  test('gets prices and its own use, and 403 for all else, whatever the plan', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { key } = await addKey(customer, { scope: 'prices' })
    // The processes know both requests, and answer them without a look at the key's scope.
    for (const path of ['/v1/changes', '/v1/changes', '/v1/prices', '/v1/prices'])
      expect(statusesOf(await sendToEach(path, { key: customer.key }))).toEqual(all(200))
    for (const path of ['/v1/prices', '/v1/usage'])
      expect(statusesOf(await sendToEach(path, { key }))).toEqual(all(200))
    for (const answer of [
      ...(await sendToEach('/v1/changes', { key })),
      ...(await sendToEach('/v1/webhooks', { key })),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({
        error: 'forbidden',
        message: expect.stringContaining('prices only') as string,
      })
    }
    const [changed] = await sendToEach('/v1/webhooks', {
      key,
      method: 'POST',
      body: { url: 'https://hooks.customer.example/', secret: 'a secret of some length' },
    })
    expect(changed?.status).toBe(403)
    const { rows } = await sql<{ endpoint: string }>`
      select distinct endpoint from usage_entries e join api_keys k on k.id = e.key_id where k.last_four = ${key.slice(-4)}
        and k.account_id = ${customer.accountId}`.execute(database.db)
    expect(rows).toEqual([{ endpoint: 'prices' }])
  })

  test('keeps scope and end when it is rotated', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const old = await addKey(customer, { scope: 'prices', expiresAt: '2031-03-06T00:00:00.000000Z' })
    const by = asOperator(customer.accountId)
    const next = await database.db.transaction().execute((trx) => actions.rotateKey(trx, by, old.id, 60))
    expect(next).toMatchObject({ scope: 'prices', expires_at: old.expires_at })
    expect(statusesOf(await sendToEach('/v1/changes', { key: next.key }))).toEqual(all(403))
  })
})

test('what is done to a key is written down with its terms', async () => {
  const customer = await createCustomer(database.db)
  const key = await addKey(customer, { scope: 'prices', expiresAt: '2031-03-06T00:00:00.000000Z' })
  const by = asOperator(customer.accountId)
  await database.db.transaction().execute((trx) => actions.setKeyExpiry(trx, by, key.id, null))
  await database.db.transaction().execute((trx) => actions.setKeyExpiry(trx, by, key.id, null))
  const entries = await database.db
    .selectFrom('audit_entries')
    .select(['action', 'details'])
    .where('subject_id', '=', key.id)
    .orderBy('at')
    .execute()
  expect(entries).toEqual([
    { action: 'key.created', details: { name: 'test', scope: 'prices', expires_at: key.expires_at } },
    { action: 'key.expiry_changed', details: { name: 'test', from: key.expires_at, to: 'never' } },
  ])
  expect((await getApiKey(database.db, key.id)).expires_at).toBeNull()
})
