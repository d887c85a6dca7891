import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import type { PaidPlan } from '../src/features/entitlements/plans.ts'
import { endSubscription, putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { loadContract, type ContractOperation } from '../src/platform/contract.ts'
import { useApi } from './support/api.ts'
import { createCustomer, type Customer } from './support/actors.ts'
import { expectUnauthorized } from './support/common-credentials.ts'
import type { Answer } from './support/contract-check.ts'
import { useDatabase } from './support/postgres.ts'
import { usageOf } from './support/fixtures.ts'

const database = useDatabase()
const api = useApi(database)
const away = useApi(database, { databaseUrl: () => 'postgres://nobody@127.0.0.1:1/nothing' })

const { operations } = await loadContract()
const guarded = operations.filter((operation) => !operation.isPublic)
const byName = (list: readonly ContractOperation[]) =>
  list.map((operation): [string, ContractOperation] => [operation.id, operation])

/** Calls an operation with a key alone. Missing input is a 400 or a 404, after the checks of the key. */
function call(operation: ContractOperation, key?: string, server = api): Promise<Answer> {
  return server.request(operation.path.replaceAll(/\{\w+\}/g, 'nothing'), {
    method: operation.method,
    ...(key !== undefined && { key }),
    ...(operation.hasBody && { body: {} }),
  })
}

describe('every operation of the contract that is not public is guarded', () => {
  test('health alone is public', () => {
    expect(operations.filter((operation) => operation.isPublic).map(({ id }) => id)).toEqual(['getHealth'])
    expect(guarded.length).toBeGreaterThanOrEqual(6)
  })

  test.each(byName(guarded))('%s: 401 without a key and with a made-up one', async (_id, operation) => {
    expectUnauthorized(await call(operation))
    expectUnauthorized(await call(operation, generateApiKey()))
  })

  test.each(byName(guarded))(
    '%s: 503 while the store is away, and 401 already for what cannot be a key',
    async (_id, operation) => {
      expectUnauthorized(await call(operation, undefined, away))
      expectUnauthorized(await call(operation, 'rc_live_mistyped', away))
      const { status, body, headers } = await call(operation, generateApiKey(), away)
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          error: 'service_unavailable',
          message: 'The service cannot answer at the moment. Try again after the seconds in Retry-After.',
          status: 503,
        },
      })
      expect(headers.get('retry-after')).toMatch(/^[1-5]$/)
      expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    },
  )
})

// The interface's section 5, by hand: the plans of each operation.
const free = ['getHealth', 'getUsage', 'listPrices']
const paid = [...free, 'listChanges', 'listWebhooks', 'createWebhook', 'deleteWebhook']

const day = 86_400_000
const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()
const put = (plan: PaidPlan, period: { from?: string; until?: string } = {}) => ({
  apply: ({ accountId }: Customer) => putSubscription(database.db, accountId, plan, period),
})
const end = (plan: PaidPlan) => ({
  apply: ({ accountId }: Customer) => endSubscription(database.db, accountId, plan),
})
const pack = { apply: ({ accountId }: Customer) => insertPack(database.db, accountId, { units: 10 }) }

const situations: [string, { apply: (customer: Customer) => Promise<unknown> }[], string[]][] = [
  ['free', [], free],
  ['free with a pack', [pack], free],
  ['developer', [put('developer')], paid],
  ['scale', [put('scale')], paid],
  ['team', [put('team')], paid],
  ['enterprise', [put('enterprise')], paid],
  ['developer within its period', [put('developer', { from: at(-day), until: at(day) })], paid],
  ['developer, ended', [put('developer'), end('developer')], free],
  ['enterprise, ended', [put('enterprise'), end('enterprise')], free],
  ['scale, not begun', [put('scale', { from: at(day) })], free],
  ['team, expired', [put('team', { from: at(-2 * day), until: at(-day) })], free],
  ['scale ended, developer current', [put('scale'), put('developer'), end('scale')], paid],
  ['developer ended and taken again', [put('developer'), end('developer'), put('developer')], paid],
]

describe.each(situations)('the plan decides who may call what: %s', (_name, steps, allowed) => {
  let customer: Customer
  beforeAll(async () => {
    customer = await createCustomer(database.db)
    for (const step of steps) await step.apply(customer)
  })

  test.each(byName(operations))('%s', async (id, operation) => {
    const { status, body } = await call(operation, customer.key)
    if (allowed.includes(id)) {
      expect([200, 400, 404]).toContain(status)
    } else {
      expect({ status, body }).toMatchObject({
        status: 403,
        body: { error: 'forbidden', upgrade_url: expect.any(String) as string },
      })
    }
  })

  test('the table above knows every operation, and usage names the plan', async () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(paid.toSorted())
    const { plan } = await usageOf(api, customer)
    expect(plan).toBe(allowed === paid ? 'developer' : 'api_free')
  })
})
