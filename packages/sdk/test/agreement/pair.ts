import type { Webhook } from '@ratecard/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { useDatabaseClock } from '../../../../apps/server/test/support/database-clock.ts'
import type { TestDatabase } from '../../../../apps/server/test/support/postgres.ts'
import { createFakeTarget } from './fake-target.ts'
import { openDatabase, startRealTarget } from './real-target.ts'
import { startInstant, type Target, type TargetCustomer } from './target.ts'
import type { FakeChange, FakePlan, FakePrice } from '../../src/testing.ts'

/** The fake and the real server, kept in step: whatever is done, is done to both. */
export interface Pair {
  real: Target
  fake: Target
  createCustomers: (plan: FakePlan) => Promise<CustomerPair>
  putPrices: (...prices: FakePrice[]) => Promise<void>
  putChanges: (...changes: FakeChange[]) => Promise<void>
  setClock: (instant: string) => Promise<void>
}

export interface CustomerPair {
  real: TargetCustomer
  fake: TargetCustomer
  /** Does the same for both. */
  each: (work: (customer: TargetCustomer) => Promise<void>) => Promise<void>
}

/** Starts both for the length of the file. */
export function usePair(): Pair {
  const pair = {} as Pair
  const database = {} as TestDatabase
  const ends: (() => Promise<void>)[] = []
  const defer = (end: () => Promise<void>) => void ends.unshift(end)
  beforeAll(async () => {
    Object.assign(database, await openDatabase(defer))
  })
  const clock = useDatabaseClock(database)
  beforeAll(async () => {
    const real = await startRealTarget(database, clock, defer)
    const fake = createFakeTarget(real.baseUrl)
    await real.setClock(startInstant)
    Object.assign(pair, {
      real,
      fake,
      createCustomers: async (plan) => {
        const customers = { real: await real.createCustomer(plan), fake: await fake.createCustomer(plan) }
        return {
          ...customers,
          each: async (work) => {
            await work(customers.real)
            await work(customers.fake)
          },
        }
      },
      putPrices: async (...prices) => {
        await real.putPrices(...prices)
        await fake.putPrices(...prices)
      },
      putChanges: async (...changes) => {
        await real.putChanges(...changes)
        await fake.putChanges(...changes)
      },
      setClock: async (instant) => {
        await real.setClock(instant)
        await fake.setClock(instant)
      },
    } satisfies Pair)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })
  return pair
}

/** A request as a table gives it. `{webhook}` in a path stands for the newest webhook of the customer. */
export interface Question {
  path: string
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown
  /** Instead of the customer's own header. */
  authorization?: string | null
}

interface Reply {
  status: number
  headers: Record<string, string>
  body: unknown
}

const comparedHeaders = [
  'allow',
  'cache-control',
  'content-type',
  'retry-after',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-topup',
]

/** Puts a question to both, and returns the one answer they must agree on. */
export async function agree(pair: Pair, customers: CustomerPair, question: Question): Promise<Reply> {
  const real = await ask(pair.real, customers.real, question)
  const fake = await ask(pair.fake, customers.fake, question)
  expect(fake, `${question.method ?? 'GET'} ${question.path.slice(0, 100)}`).toEqual(real)
  return real
}

const newestWebhooks = new WeakMap<TargetCustomer, string>()

async function ask(target: Target, customer: TargetCustomer, question: Question): Promise<Reply> {
  const { method = 'GET', body, authorization = `Bearer ${customer.key}` } = question
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
  const path = question.path.replace('{webhook}', newestWebhooks.get(customer) ?? 'wh_none')
  const response = await target.fetch(path, {
    method,
    redirect: 'manual',
    headers: {
      ...(authorization !== null && { authorization: authorization.replace('{key}', customer.key) }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...question.headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
  })
  const text = await response.text()
  const id = response.status === 201 && /"id":"(wh_\w+)"/.exec(text)?.[1]
  if (id) newestWebhooks.set(customer, id)
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w{20}$/)
  return {
    status: response.status,
    headers: Object.fromEntries(
      comparedHeaders.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
    body: text === '' ? text : normalise(JSON.parse(text)),
  }
}

/**
 * Takes out what may differ: the random part of ids, the time of the health check, which asks no database, and the order
 * of subscriptions that were made at the same instant, which is that of their ids.
 */
function normalise(body: unknown): unknown {
  const plain = withoutIds(body)
  const { data } = plain as { data?: unknown }
  if (!Array.isArray(data) || !data.every(isWebhook)) return plain
  const sortKey = ({ url, events }: Webhook) => `${url} ${events.join()}`
  return { ...(plain as object), data: data.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) }
}

function isWebhook(row: object): row is Webhook {
  return 'has_secret' in row
}

/** A value without the random part of the ids in it. */
export function withoutIds(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (_name, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value
      const row = value as Record<string, unknown>
      if ('status' in row && row.status === 'ok') return { ...row, timestamp: 'now' }
      const id = typeof row.id === 'string' && /^(wh|pack|alt|chg)_[0-9A-Za-z]{20}$/.exec(row.id)
      return id ? { ...row, id: id[1] } : row
    }),
  )
}
