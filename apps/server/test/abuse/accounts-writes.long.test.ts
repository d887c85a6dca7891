import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { insertAuditEntry } from '../../src/features/audit/audit-store.ts'
import { useApi } from '../support/api.ts'
import { createCustomer, createKey } from '../support/actors.ts'
import type { Browser, DashboardAnswer } from '../support/dashboard-client.ts'
import { request } from '../support/client.ts'
import { signInOwner } from '../support/dashboard-owner.ts'
import { becomeReady } from '../support/load.ts'
import { useDatabase } from '../support/postgres.ts'
import { startServer, type ServerProcess } from '../support/process.ts'
import { feelBeside, flood } from './accounts-beside.ts'
import { again, expectUndisturbed } from './attacker.ts'

// One account's writes must not keep others from reading, nor fill the disk with its history.

const database = useDatabase()
const api = useApi(database)
const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
const accountOf = async (browser: Browser) =>
  dataOf<Schemas['Me']>(await browser.get('/me')).account?.id ?? ''

async function actionsOf(accountId: string): Promise<string[]> {
  const entries = await database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('account_id', '=', accountId)
    .execute()
  return entries.map(({ action }) => action)
}

async function keyOf(browser: Browser): Promise<Schemas['NewKey']> {
  return dataOf(await browser.post('/keys', { name: 'CI' }))
}

describe('in a process of its own,', () => {
  let server: ServerProcess
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const env = { DATABASE_URL: database.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
    server = await startServer(env, ['--no-worker'], (end) => ends.push(end))
    await becomeReady([server])
  })
  afterAll(() => Promise.all(ends.map((end) => end())))
  const usage = (key: string) => request(server.url, '/v1/usage', { key })

  describe('a free account that renames its key from 100 connections', () => {
    let browser: Browser
    let other: Browser
    let keyId: string
    const rename = (index: number) => browser.send('PATCH', `/keys/${keyId}`, { name: `name ${index}` })
    const attack = { total: 1_000, atOnce: 100 }

    beforeAll(async () => {
      browser = await signInOwner(database.db, server.url)
      other = await signInOwner(database.db, server.url)
      keyId = (await keyOf(browser)).record.id
    })

    test('slows down no request of another account, and is told to wait', again, async () => {
      const { key } = await createCustomer(database.db)
      const { attacked, feeling } = await feelBeside(flood(attack, rename), () => usage(key))
      expectUndisturbed(feeling)
      // And 503 for a request that waited too long for the account's others.
      expect(Object.keys(attacked)).toEqual(expect.arrayContaining(['200', '429']))
      // The unused part of the minute comes back gradually.
      let refused = await rename(0)
      for (let count = 0; count < 200 && refused.status === 200; count += 1) refused = await rename(count)
      expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts', status: 429 } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    test('nor another account in the dashboard', again, async () => {
      const { feeling } = await feelBeside(flood(attack, rename), () => other.get('/overview'))
      expectUndisturbed(feeling)
    })

    test('leaves no more than a minute allows in the log of what was done', async () => {
      const actions = await actionsOf(await accountOf(browser))
      expect(actions.length).toBeLessThan(200)
    })
  })

  test('a session that reads from 100 connections slows nobody down', again, async () => {
    const [browser, other] = [
      await signInOwner(database.db, server.url),
      await signInOwner(database.db, server.url),
    ]
    const { key } = await createCustomer(database.db)
    const attack = flood({ total: 1_500, atOnce: 100 }, () => browser.get('/overview'))
    const [{ attacked, feeling }, { feeling: inDashboard }] = await Promise.all([
      feelBeside(attack, () => usage(key)),
      feelBeside(attack, () => other.get('/overview')),
    ])
    expectUndisturbed(feeling)
    expectUndisturbed(inDashboard)
    expect(Object.keys(attacked).sort()).toEqual(['200', '429'])
  })

  test('an account with ten keys that all write takes no connection from others', again, async () => {
    const { accountId } = await createCustomer(database.db, { plan: 'developer' })
    const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(database.db, accountId)))
    const create = (index: number) =>
      request(server.url, '/v1/webhooks', {
        method: 'POST',
        key: keys[index % keys.length]!.key,
        body: { url: 'https://hooks.customer.example/ratecard', secret: 'a secret of 24 characters' },
      })
    const { key } = await createCustomer(database.db)
    const { attacked, feeling } = await feelBeside(flood({ total: 1_000, atOnce: 100 }, create), () =>
      usage(key),
    )
    expectUndisturbed(feeling)
    expect(attacked[201]).toBe(2)
  })
})

describe('what changes nothing is no action', () => {
  test('of a webhook', async () => {
    const browser = await signInOwner(database.db, api.url, { plan: 'developer' })
    const url = 'https://hooks.customer.example/ratecard'
    const { record } = dataOf<Schemas['NewWebhook']>(await browser.post('/webhooks', { url }))
    for (const body of [{ url }, { active: true }, { events: record.events, url, active: true }]) {
      const answer = await browser.send('PATCH', `/webhooks/${record.id}`, body)
      expect(answer).toMatchObject({ status: 200, body: { data: { updated_at: record.updated_at } } })
    }
    expect(await actionsOf(await accountOf(browser))).toEqual(['webhook.created'])
    expect((await browser.send('PATCH', `/webhooks/${record.id}`, { active: false })).status).toBe(200)
    expect(await actionsOf(await accountOf(browser))).toHaveLength(2)
  })

  test('of the account: one name, given twenty times at once, is one change', async () => {
    const browser = await signInOwner(database.db, api.url)
    const rename = () => browser.send('PATCH', '/account', { name: 'Acme & Sons' })
    const answers = await Promise.all(Array.from({ length: 20 }, rename))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await actionsOf(await accountOf(browser))).toEqual(['account.renamed'])
  })
})

test('somebody who has changed 1,000 things in a day changes no more, but may still take things away', async () => {
  const browser = await signInOwner(database.db, api.url)
  const { record } = await keyOf(browser)
  const { user } = dataOf<Schemas['Me']>(await browser.get('/me'))
  const accountId = await accountOf(browser)
  await database.db.transaction().execute(async (trx) => {
    for (let count = 1; count < 1_000; count += 1) {
      const actor = { kind: 'user', userId: user.id, email: user.email } as const
      await insertAuditEntry(trx, {
        accountId,
        actor,
        action: 'key.renamed',
        subjectId: record.id,
      })
    }
  })
  const refused = await browser.send('PATCH', `/keys/${record.id}`, { name: 'once more' })
  expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  expect((await browser.post(`/keys/${record.id}/revoke`)).status).toBe(200)
  expect(await actionsOf(accountId)).toHaveLength(1_001)
})
