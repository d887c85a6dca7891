import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './actors.ts'
import { useDatabase } from './postgres.ts'
import { send, type RawAnswer } from './raw-http.ts'
import { changeFile, publish, spend, usageOf } from './fixtures.ts'

// What the tests of odd input share.

export const secret = 'sixteen characters'
export const url = 'https://hooks.acme.example/x'

export type Inputs = ReturnType<typeof useInputs>

/** A server and its customers, for the length of the file. */
export function useInputs() {
  const database = useDatabase()
  const api = useApi(database)
  const [paid, free] = [{} as Customer, {} as Customer]
  beforeAll(async () => {
    Object.assign(paid, await createCustomer(database.db, { plan: 'scale' }))
    Object.assign(free, await createCustomer(database.db))
    const many = Array.from({ length: 40 }, (_, index) => priceRecord({ resource_id: `acme:${index}` }))
    await storePrices(database.db, many)
    await publish(database.db, changeFile({ id: 'one' }))
  })

  const authorization = () => `Authorization: Bearer ${paid.key}`
  const get = (target: string, ...headers: string[]) =>
    send(api.url, `GET ${target}`, authorization(), ...headers)
  return { database, api, paid, free, authorization, get }
}

/** An error in the form that every error has. */
export function expectError({ status, body, headers }: RawAnswer, expected: number, code: string): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: expect.objectContaining({
      error: code,
      message: expect.any(String) as string,
      status: expected,
    }) as unknown,
  })
  expect(headers.get('x-request-id')).toMatch(/^req_/)
}

/** At the end of a file: what all its tests together must not have done. */
export function expectNoHarm({ database, api, paid, free }: Inputs): void {
  describe('nothing above', () => {
    test('cost the free account a unit or made the server fail', async () => {
      expect((await usageOf(api, free)).metered_total).toBe(0)
      expect(api.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
      expect(api.log.filter((line) => /"status":5\d\d/.test(line))).toEqual([])
    })

    test('put a key or a secret into the log', async () => {
      await spend(database.db, free, 1)
      const log = api.log.join('')
      for (const text of [paid.key, free.key, secret]) expect(log).not.toContain(text)
    })
  })
}

/** The items of a header that is a list, in lower case. */
export function listOf(value: string | null): string[] {
  return (value ?? '').toLowerCase().split(',').map((item) => item.trim()).filter(Boolean) // prettier-ignore
}
