import { expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { putSubscription } from '../../src/features/entitlements/subscription-store.ts'
import { useApi } from '../support/api.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

const database = useDatabase()
const api = useApi(database)
const password = 'correct horse battery'
const emailOf = (name: string) => `${name.toLowerCase()}@customer.example`
const idOf = async (browser: Browser) =>
  ((await browser.get('/me')).body as { data: Schemas['Me'] }).data.user.id

async function join(owner: Browser, guest: { name: string; browser: Browser }, role: Schemas['Role']) {
  await owner.post('/invitations', { email: emailOf(guest.name), role })
  const token = await linkToken(api, emailOf(guest.name))
  expect((await guest.browser.post('/accept-invitation', { token })).status).toBe(200)
}

test('all sessions end, this one too', async () => {
  const { browser } = await signInNew(api, 'Ada')
  const other = new Browser(api.url)
  await other.post('/sign-in', { email: emailOf('Ada'), password })
  expect((await browser.send('DELETE', '/sessions')).status).toBe(200)
  expect([(await browser.get('/me')).status, (await other.get('/me')).status]).toEqual([401, 401])
  expect((await browser.post('/sign-in', { email: emailOf('Ada'), password })).status).toBe(200)
})

test('a deleted account serves nobody, and its log stays', async () => {
  const { browser, accountId } = await signInNew(api, 'Bob')
  const { browser: member } = await signInNew(api, 'Cleo')
  await putSubscription(database.db, accountId, 'developer', {})
  await join(browser, { name: 'Cleo', browser: member }, 'member')
  const made = await browser.post('/keys', { name: 'CI' })
  const { key } = (made.body as { data: Schemas['NewKey'] }).data
  const url = 'https://hooks.customer.example/in'
  expect((await browser.post('/webhooks', { url })).status).toBe(201)
  expect((await api.request('/v1/prices?limit=1', { key })).status).toBe(200)
  await browser.post('/invitations', { email: emailOf('Later'), role: 'owner' })
  const invitation = await linkToken(api, emailOf('Later'))

  expect((await member.post('/delete-account', { password })).status).toBe(403)
  expect((await browser.post('/delete-account', { password: 'not the password' })).status).toBe(400)
  expect((await browser.post('/delete-account', { password })).status).toBe(200)

  expect((await api.request('/v1/prices?limit=1', { key })).status).toBe(401)
  expect(await browser.get('/me')).toMatchObject({ body: { data: { account: null } } })
  expect((await member.post('/switch-account', { account_id: accountId })).status).toBe(404)
  const { browser: later } = await signInNew(api, 'Later')
  expect((await later.post('/accept-invitation', { token: invitation })).status).toBe(404)
  const left = await database.db
    .selectFrom('webhooks')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  expect(left).toEqual([])
  const log = await database.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_name'])
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .execute()
  expect(log[0]).toEqual({ action: 'account.deleted', actor_name: emailOf('Bob') })
})

test('an account is deleted by its only owner, and not while somebody pays for it', async () => {
  const { browser, accountId } = await signInNew(api, 'Dan')
  const { browser: second } = await signInNew(api, 'Eve')
  await join(browser, { name: 'Eve', browser: second }, 'owner')
  expect(await browser.post('/delete-account', { password })).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  })
  await browser.send('DELETE', `/members/${await idOf(second)}`)
  const renewsAt = new Date(Date.now() + 86_400_000).toISOString()
  await putSubscription(database.db, accountId, 'developer', { provider: { ref: 'sub_1', renewsAt } })
  const refused = await browser.post('/delete-account', { password })
  expect(refused.status).toBe(409)
  expect(JSON.stringify(refused.body)).toContain('renews')
  expect((await browser.post('/delete-user', { password })).status).toBe(409)
  expect((await browser.get('/keys')).status).toBe(200)
})

test('a deleted user is gone, with accounts of nobody else; what was invited too; the address is free', async () => {
  const { browser, accountId } = await signInNew(api, 'Fay')
  const { browser: owner, accountId: shared } = await signInNew(api, 'Gil')
  await join(owner, { name: 'Fay', browser }, 'owner')
  const other = new Browser(api.url)
  await other.post('/sign-in', { email: emailOf('Fay'), password })
  await browser.post('/switch-account', { account_id: shared })
  await browser.post('/invitations', { email: emailOf('Hal'), role: 'owner' })
  const invitation = await linkToken(api, emailOf('Hal'))

  expect((await browser.post('/delete-user', { password })).status).toBe(200)
  expect([(await browser.get('/me')).status, (await other.get('/me')).status]).toEqual([401, 401])
  expect((await browser.post('/sign-in', { email: emailOf('Fay'), password })).status).toBe(401)
  const { browser: hal } = await signInNew(api, 'Hal')
  expect((await hal.post('/accept-invitation', { token: invitation })).status).toBe(404)
  const account = await database.db
    .selectFrom('accounts')
    .select(['name', 'deleted_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(account).toMatchObject({ name: 'Deleted account', deleted_at: expect.any(String) as string })
  expect((await owner.get('/members')).body).toMatchObject({ data: [{ name: 'Gil' }], invitations: [] })
  // The mailbox may sign up anew, and finds nothing of before.
  await new Browser(api.url).post('/sign-up', { email: emailOf('Fay') })
  const token = await linkToken(api, emailOf('Fay'))
  expect((await new Browser(api.url).post('/finish-sign-up', { token, name: 'Fay', password })).status).toBe(
    200,
  )
})

test('the only owner of an account with others in it stays until somebody else is one', async () => {
  const { browser } = await signInNew(api, 'Ida')
  const { browser: member } = await signInNew(api, 'Jo')
  await join(browser, { name: 'Jo', browser: member }, 'member')
  expect(await browser.post('/delete-user', { password })).toMatchObject({
    status: 409,
    body: { error: 'last_owner' },
  })
  expect((await browser.get('/me')).status).toBe(200)
  await browser.send('PATCH', `/members/${await idOf(member)}`, { role: 'owner' })
  expect((await browser.post('/delete-user', { password })).status).toBe(200)
})
