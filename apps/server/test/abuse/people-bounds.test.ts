import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { openInvitationsMax } from '../../src/features/members/actions.ts'
import { deleteExpired } from '../../src/features/members/expired-rows.ts'
import { membersMax } from '../../src/features/members/member-store.ts'
import { useApi } from '../support/api.ts'
import { linkToken, signInNew, type Browser } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// The bounds of an account's members and invitations: their lists are not paged, so they must end.

const database = useDatabase()
const api = useApi(database)
const emailOf = (name: string) => `${name.toLowerCase()}@customer.example`

/** Rows as invitations make them, without the hour that sending so many takes. */
async function fillInvitations(accountId: string, count: number, { inDays = 7 } = {}): Promise<void> {
  await sql`insert into invitations (id, account_id, email, role, token_hash, expires_at)
    select ${accountId} || '-' || ${inDays}::int || '-' || n, ${accountId}, 'open' || ${inDays}::int || '-' || n || '@x.example', 'member',
      sha256((${accountId} || ${inDays}::int || n)::bytea), ratecard_now() + make_interval(days => ${inDays})
    from generate_series(1, ${count}::int) n`.execute(database.db)
}

async function fillMembers(accountId: string, count: number): Promise<void> {
  await sql`insert into auth_users (id, name, email, email_verified)
    select 'usr_' || ${accountId} || n, 'Filler', ${accountId} || n || '@x.example', true
    from generate_series(1, ${count}::int) n`.execute(database.db)
  await sql`insert into members (account_id, user_id, role)
    select ${accountId}, 'usr_' || ${accountId} || n, 'member' from generate_series(1, ${count}::int) n`.execute(
    database.db,
  )
}

const peopleOf = async (owner: Browser) => (await owner.get('/members')).body as Schemas['MemberList']
const invite = (owner: Browser, email: string) => owner.post('/invitations', { email, role: 'member' })

test(`an account has ${openInvitationsMax} open invitations, however many are sent at once`, async () => {
  const { browser: owner, accountId } = await signInNew(api, 'Ada')
  await fillInvitations(accountId, openInvitationsMax - 1)
  // An expired invitation is not open.
  await fillInvitations(accountId, 50, { inDays: -1 })
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => invite(owner, `${name}@x.example`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject({
    body: { error: 'conflict', message: expect.stringContaining('Take some back first.') as string },
  })
  // Asking one of them again makes no more of them.
  expect((await invite(owner, 'open7-1@x.example')).status).toBe(201)
  const { invitations } = await peopleOf(owner)
  expect(invitations).toHaveLength(openInvitationsMax)
  expect((await owner.send('DELETE', `/invitations/${invitations[0]?.id}`)).status).toBe(200)
  expect((await invite(owner, 'e@x.example')).status).toBe(201)
})

test('invitations that are over are forgotten, and the others stay', async () => {
  const { accountId } = await signInNew(api, 'Bob')
  await deleteExpired(database.db, 'invitations')
  await fillInvitations(accountId, 3)
  await fillInvitations(accountId, 5, { inDays: -1 })
  expect(await deleteExpired(database.db, 'invitations')).toBe(5)
  expect(await deleteExpired(database.db, 'invitations')).toBe(0)
  const left = await database.db
    .selectFrom('invitations')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  expect(left).toHaveLength(3)
})

test(`an account has ${membersMax} members, however many follow their links at once`, async () => {
  const { browser: owner, accountId } = await signInNew(api, 'Cleo')
  const names = ['Dan', 'Eve', 'Fay']
  const guests = []
  for (const name of names) {
    const { browser } = await signInNew(api, name)
    expect((await invite(owner, emailOf(name))).status).toBe(201)
    guests.push({ browser, token: await linkToken(api, emailOf(name)) })
  }
  // The owner is one.
  await fillMembers(accountId, membersMax - 2)
  const answers = await Promise.all(
    guests.map(({ browser, token }) => browser.post('/accept-invitation', { token })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject({
    body: { message: expect.stringContaining('An owner can remove somebody.') as string },
  })
  const { data: members } = await peopleOf(owner)
  expect(members).toHaveLength(membersMax)
  expect((await invite(owner, 'more@x.example')).status).toBe(409)

  // The invitation is not used up: with room for one it works.
  const filler = members.find(({ name }) => name === 'Filler')
  expect((await owner.send('DELETE', `/members/${filler?.user_id}`)).status).toBe(200)
  const index = answers.findIndex(({ status }) => status === 409)
  const { browser, token } = guests[index]!
  expect((await browser.post('/accept-invitation', { token })).status).toBe(200)
})
