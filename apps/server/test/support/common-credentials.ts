import { beforeAll, describe, expect, test } from 'vitest'
import { revokeApiKey, rotateApiKey } from '../../src/features/accounts/api-key-store.ts'
import { generateApiKey } from '../../src/features/accounts/api-key.ts'
import type { TestApi } from './api.ts'
import { createCustomer, createKey, type Customer } from './actors.ts'
import type { Answer } from './contract-check.ts'
import type { TestDatabase } from './postgres.ts'
import { send } from './raw-http.ts'
import { usageOf } from './fixtures.ts'

export interface GuardedCall {
  method?: string
  path: string
  body?: unknown
}

/** Every answer without a valid key is this one, whatever is wrong with the key. */
const unauthorized = {
  error: 'unauthorized',
  message: 'Send a valid API key as "Authorization: Bearer <API_KEY>".',
  status: 401,
}

/** The behaviour of every operation that is not public towards bad, and oddly written good, credentials. */
export function commonCredentialTests(
  { api, database }: { api: TestApi; database: TestDatabase },
  call: GuardedCall,
): void {
  let customer: Customer
  beforeAll(async () => {
    customer = await createCustomer(database.db, { plan: 'developer' })
  })

  const ask = (authorization?: string, more: { query?: string; headers?: Record<string, string> } = {}) =>
    api.request(call.path + (more.query ?? ''), {
      ...call,
      headers: { ...more.headers, ...(authorization !== undefined && { authorization }) },
    })

  describe('401', () => {
    const otherCase = (text: string) =>
      text.replaceAll(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
    const otherLast = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

    test.each<[string, (key: string) => Promise<Answer>]>([
      ['no key', () => ask()],
      ['an empty header', () => ask('')],
      ['the scheme alone', () => ask('Bearer')],
      ['the key alone', (key) => ask(key)],
      ['no space after the scheme', (key) => ask(`Bearer${key}`)],
      ['a tab after the scheme', (key) => ask(`Bearer\t${key}`)],
      ['an unknown key with a right checksum', () => ask(`Bearer ${generateApiKey()}`)],
      ['a key with a wrong checksum', (key) => ask(`Bearer ${otherLast(key)}`)],
      ['a truncated key', (key) => ask(`Bearer ${key.slice(0, -1)}`)],
      ['a key without its prefix', (key) => ask(`Bearer ${key.slice('rc_live_'.length)}`)],
      ['a key in the other case', (key) => ask(`Bearer ${otherCase(key)}`)],
      ['a key with one more character', (key) => ask(`Bearer ${key}0`)],
      ['a key with something after it', (key) => ask(`Bearer ${key} x`)],
      ['a key in quotes', (key) => ask(`Bearer "${key}"`)],
      ['two keys in one header', (key) => ask(`Bearer ${key}, Bearer ${key}`)],
      ['a key of 10,000 characters', (key) => ask(`Bearer ${key}${'0'.repeat(10_000)}`)],
      ['the key in the query', (key) => ask(undefined, { query: `?api_key=${key}` })],
      ['the key as access_token in the query', (key) => ask(undefined, { query: `?access_token=${key}` })],
      ['the key in a cookie', (key) => ask(undefined, { headers: { cookie: `api_key=${key}` } })],
      ['the key as X-API-Key', (key) => ask(undefined, { headers: { 'x-api-key': key } })],
      ['the scheme Basic', (key) => ask(`Basic ${btoa(`${key}:`)}`)],
      ['the scheme Token', (key) => ask(`Token ${key}`)],
      ['no key and a query that is wrong too', () => ask(undefined, { query: '?no_such_parameter=%zz' })],
    ])('for %s', async (_cause, answerTo) => {
      expectUnauthorized(await answerTo(customer.key))
    })

    test('for two Authorization headers, both with the valid key', async () => {
      const header = `Authorization: Bearer ${customer.key}`
      const answer = await send(api.url, `${call.method ?? 'GET'} ${call.path}`, header, header)
      expectUnauthorized(answer)
    })

    test('for a revoked key, from the next request on', async () => {
      const { id, key } = await createKey(database.db, customer.accountId)
      expect((await ask(`Bearer ${key}`)).status).not.toBe(401)
      await revokeApiKey(database.db, id)
      expectUnauthorized(await ask(`Bearer ${key}`))
    })

    test('for a key that was rotated without a grace period', async () => {
      const { id, key } = await createKey(database.db, customer.accountId)
      const next = await database.db.transaction().execute((trx) => rotateApiKey(trx, id))
      expectUnauthorized(await ask(`Bearer ${key}`))
      expect((await ask(`Bearer ${next.key}`)).status).not.toBe(401)
    })

    test('costs nobody a unit', async () => {
      const other = await createCustomer(database.db, { plan: 'developer' })
      await ask(`Basic ${other.key}`)
      await ask(undefined, { query: `?api_key=${other.key}` })
      expect((await usageOf(api, other)).metered_total).toBe(0)
    })
  })

  describe('a valid key is accepted', () => {
    test.each(['bearer', 'BEARER', 'bEaReR'])('with the scheme spelled %s', async (scheme) => {
      expect((await ask(`${scheme} ${customer.key}`)).status).not.toBe(401)
    })

    test('with several spaces after the scheme, and never shows up in the log', async () => {
      expect((await ask(`Bearer   ${customer.key}`)).status).not.toBe(401)
      expect(api.log.join('')).not.toContain(customer.key)
    })
  })
}

export function expectUnauthorized({
  status,
  body,
  headers,
}: Omit<Answer, 'body'> & { body: unknown }): void {
  expect({ status, body }).toEqual({ status: 401, body: unauthorized })
  expect(headers.get('www-authenticate')).toBe('Bearer')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
}
