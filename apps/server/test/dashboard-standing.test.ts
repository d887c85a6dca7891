import { request } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Trx } from '../src/database/connect.ts'
import { lockAccount } from '../src/features/accounts/account-store.ts'
import { insertMember } from '../src/features/members/member-store.ts'
import { useApi } from './support/api.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInNew } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

// Who may do something is judged when it is done: not when its request began, nor when its turn was waited for.

const database = useDatabase()
const api = useApi(database)

interface Pair {
  accountId: string
  owner: Browser
  other: Browser
  otherId: string
}

/** An account with two owners; the browser of the second shows it. */
async function twoOwners(first: string, second: string): Promise<Pair> {
  const { browser: owner, accountId } = await signInNew(api, first)
  const { browser: other } = await signInNew(api, second)
  const me = (await other.get('/me')).body as { data: { user: { id: string } } }
  const otherId = me.data.user.id
  await database.db
    .transaction()
    .execute((trx) => insertMember(trx, { accountId, userId: otherId, role: 'owner' }))
  expect((await other.post('/switch-account', { account_id: accountId })).status).toBe(200)
  return { accountId, owner, other, otherId }
}

/** Sends all of a request but its last byte. @returns sends that too, and gives the answer */
async function beginSlowly(browser: Browser, method: string, path: string, body: object) {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    cookie: browser.cookie,
    'sec-fetch-site': 'same-origin',
    'x-ratecard-dashboard': '1',
    'content-type': 'application/json',
    'content-length': bytes.length,
  }
  const req = request(`${api.url}/dashboard/api${path}`, { method, headers })
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    req.on('error', reject)
    req.on('response', (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => (text += chunk.toString()))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
    })
  })
  req.write(bytes.subarray(0, -1))
  // The head has come, and all that is done with it before the body.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return () => {
    req.end(bytes.subarray(-1))
    return answered
  }
}

const countKeys = async (accountId: string) =>
  (await database.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute()).length

test('a member who is removed while their request is on its way does nothing to the account', async () => {
  const { accountId, owner, other, otherId } = await twoOwners('Ada', 'Bob')
  const { browser: accomplice } = await signInNew(api, 'Cleo')
  const { data } = (await accomplice.get('/me')).body as { data: { user: { id: string } } }
  const member = { accountId, userId: data.user.id, role: 'member' as const }
  await database.db.transaction().execute((trx) => insertMember(trx, member))
  const endKey = await beginSlowly(other, 'POST', '/keys', { name: 'late' })
  const endRole = await beginSlowly(other, 'PATCH', `/members/${data.user.id}`, { role: 'owner' })
  expect((await owner.send('DELETE', `/members/${otherId}`)).status).toBe(200)
  await endKey()
  await endRole()
  expect(await countKeys(accountId)).toBe(0)
  const { role } = await database.db
    .selectFrom('members')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', data.user.id)
    .executeTakeFirstOrThrow()
  expect(role).toBe('member')
})

test('an owner who is made a member meanwhile is no owner when the body has come', async () => {
  const { owner, other, otherId } = await twoOwners('Dan', 'Eve')
  const end = await beginSlowly(other, 'PATCH', '/account', { name: 'Taken over' })
  expect((await owner.send('PATCH', `/members/${otherId}`, { role: 'member' })).status).toBe(200)
  expect(JSON.parse((await end()).text)).toMatchObject({ error: 'owner_only' })
})

test('a session that is ended meanwhile does nothing', async () => {
  const { browser, accountId } = await signInNew(api, 'Fay')
  const end = await beginSlowly(browser, 'POST', '/keys', { name: 'late' })
  await database.db.deleteFrom('auth_sessions').execute()
  expect((await end()).status).toBe(401)
  expect(await countKeys(accountId)).toBe(0)
})

/** Does something to an account while a request waits for it, which has passed all checks by then. */
async function whileWaiting(
  accountId: string,
  act: (trx: Trx) => Promise<unknown>,
  send: () => ReturnType<Browser['send']>,
) {
  let answer: ReturnType<Browser['send']> | undefined
  await database.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId)
    answer = send()
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1)
    await act(trx)
  })
  return answer!
}

test.each([
  ['is removed', 409, 'other_account', (trx: Trx, { otherId, accountId }: Pair) =>
    trx.deleteFrom('members').where('user_id', '=', otherId).where('account_id', '=', accountId).execute()],
  ['is made a member', 403, 'owner_only', (trx: Trx, { otherId }: Pair) =>
    trx.updateTable('members').set({ role: 'member' }).where('user_id', '=', otherId).execute()],
  ['is signed out', 401, 'not_signed_in', (trx: Trx, { otherId }: Pair) =>
    trx.deleteFrom('auth_sessions').where('user_id', '=', otherId).execute()],
])('who %s while they wait for their turn is refused: %i %s', async (what, status, error, act) => {
  const [first, second] = [`Gil${status}`, `Hal${status}`]
  const pair = await twoOwners(first, second)
  const answer = await whileWaiting(pair.accountId, (trx) => act(trx, pair), () =>
    pair.other.send('PATCH', '/account', { name: what }),
  )
  expect(answer).toMatchObject({ status, body: { error } })
  const account = database.db.selectFrom('accounts').select('name').where('id', '=', pair.accountId)
  expect((await account.executeTakeFirstOrThrow()).name).not.toBe(what)
}) // prettier-ignore

test('nothing is done to another account than the one that the page shows', async () => {
  const { accountId, other } = await twoOwners('Ida', 'Jan')
  const shown = { 'x-ratecard-account': accountId }
  expect((await other.post('/keys', { name: 'here' }, shown)).status).toBe(201)
  // Another tab of the same browser shows their own account from now on.
  const me = (await other.get('/me')).body as { data: { accounts: { id: string }[] } }
  const own = me.data.accounts.find(({ id }) => id !== accountId)!
  await other.post('/switch-account', { account_id: own.id })
  const refused = await other.post('/keys', { name: 'there' }, shown)
  expect(refused).toMatchObject({ status: 409, body: { error: 'other_account' } })
  expect((refused.body as { message: string }).message).toContain('Load the page again')
  expect(await countKeys(own.id)).toBe(0)
  // What is about no account goes on, as reading who one is does.
  expect((await other.send('GET', '/me', undefined, shown)).status).toBe(200)
})
