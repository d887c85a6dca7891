import { expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { useApi } from '../support/api.ts'
import { linkToken, signInNew, type Browser } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// Each account has a free quota of its own: a new user gets one, and does not get more by leaving.

const database = useDatabase()
const api = useApi(database)
const meOf = async (browser: Browser) => ((await browser.get('/me')).body as { data: Schemas['Me'] }).data

test('who leaves one account after the other to a friend does not make accounts without end', async () => {
  const { browser: leaving } = await signInNew(api, 'Ann')
  const { browser: friend } = await signInNew(api, 'Ben')
  const email = 'ben@customer.example'
  for (let turn = 0; turn < 6; turn += 1) {
    const { user } = await meOf(leaving)
    await leaving.post('/invitations', { email, role: 'owner' })
    await friend.post('/accept-invitation', { token: await linkToken(api, email) })
    await leaving.send('DELETE', `/members/${user.id}`)
    await meOf(leaving)
  }
  const { count } = await database.db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeLessThanOrEqual(4)
})

test('who is a member of none is told so, and makes one by hand: two a day', async () => {
  const { browser: leaving } = await signInNew(api, 'Cleo')
  const { browser: friend } = await signInNew(api, 'Dan')
  const email = 'dan@customer.example'
  const leave = async () => {
    const { user } = await meOf(leaving)
    expect((await leaving.post('/invitations', { email, role: 'owner' })).status).toBe(201)
    const token = await linkToken(api, email)
    expect((await friend.post('/accept-invitation', { token })).status).toBe(200)
    expect((await leaving.send('DELETE', `/members/${user.id}`)).status).toBe(200)
  }
  expect((await leaving.post('/accounts', { name: 'Another' })).status).toBe(409)
  await leave()
  expect(await meOf(leaving)).toMatchObject({ account: null, accounts: [] })
  for (const [method, path, body] of [
    ['GET', '/keys', undefined],
    ['POST', '/keys', { name: 'mine' }],
    ['GET', '/members', undefined],
    ['PATCH', '/account', { name: 'mine' }],
  ] as const) {
    expect(await leaving.send(method, path, body)).toMatchObject({
      status: 409,
      body: { error: 'no_account' },
    })
  }
  expect((await leaving.get('/sessions')).status).toBe(200)

  // Many at once make one.
  const made = await Promise.all(
    Array.from({ length: 5 }, () => leaving.post('/accounts', { name: 'Second' })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await meOf(leaving)).toMatchObject({ account: { name: 'Second', role: 'owner', plan: 'free' } })
  await leave()
  const third = await leaving.post('/accounts', { name: 'Third' })
  expect(third).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
  expect(third.headers.get('retry-after')).toBe('86400')
})
