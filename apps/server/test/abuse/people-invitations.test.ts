import { expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { writeMail } from '../../src/features/members/write-mail.ts'
import { useApi } from '../support/api.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// An invitation is valid as long as its author may invite, and it must not send a stranger's words to third parties.

const database = useDatabase()
const api = useApi(database)
const emailOf = (name: string) => `${name.toLowerCase()}@customer.example`
const idOf = async (browser: Browser) =>
  ((await browser.get('/me')).body as { data: Schemas['Me'] }).data.user.id

/** An account with two owners; the second has invited an address of their own. */
async function secondOwnerInvites(names: [string, string, string]) {
  const [first, second, alias] = names
  const { browser: owner, accountId } = await signInNew(api, first)
  const { browser: leaving } = await signInNew(api, second)
  await owner.post('/invitations', { email: emailOf(second), role: 'owner' })
  await leaving.post('/accept-invitation', { token: await linkToken(api, emailOf(second)) })
  const { browser: again } = await signInNew(api, alias)
  expect((await leaving.post('/invitations', { email: emailOf(alias), role: 'owner' })).status).toBe(201)
  const token = await linkToken(api, emailOf(alias))
  return { owner, accountId, again, leavingId: await idOf(leaving), token }
}

test('who was removed does not come back by an invitation of their own', async () => {
  const { owner, again, leavingId, token } = await secondOwnerInvites(['Ada', 'Bob', 'Bobby'])
  expect((await owner.send('DELETE', `/members/${leavingId}`)).status).toBe(200)
  expect((await again.post('/accept-invitation', { token })).status).toBe(404)
})

test('who was made a plain member does not become an owner by an invitation of their own', async () => {
  const { owner, again, leavingId, token } = await secondOwnerInvites(['Cleo', 'Dan', 'Danny'])
  expect((await owner.send('PATCH', `/members/${leavingId}`, { role: 'member' })).status).toBe(200)
  expect((await again.post('/accept-invitation', { token })).status).toBe(404)
})

test('of 60 invitations at once an account sends 20', async () => {
  const { browser } = await signInNew(api, 'Eve')
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      browser.post('/invitations', { email: `guest${index}@x.example`, role: 'member' }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
})

test('a user of many accounts sends 20 as well', async () => {
  const { browser: first } = await signInNew(api, 'Fred')
  const { browser: second } = await signInNew(api, 'Gus')
  await first.post('/invitations', { email: emailOf('Gus'), role: 'owner' })
  await second.post('/accept-invitation', { token: await linkToken(api, emailOf('Gus')) })
  const { accounts } = ((await second.get('/me')).body as { data: Schemas['Me'] }).data
  const sent: number[] = []
  for (const { id } of accounts) {
    await second.post('/switch-account', { account_id: id })
    for (let count = 0; count < 15; count += 1) {
      const guest = { email: `${id.toLowerCase()}-${count}@x.example`, role: 'member' }
      sent.push((await second.post('/invitations', guest)).status)
    }
  }
  expect(sent.filter((status) => status === 201)).toHaveLength(20)
})

test('an invitation of somebody who may not invite any more does not hold, however it came to stay', async () => {
  const { owner, accountId, again, leavingId, token } = await secondOwnerInvites(['Hal', 'Ian', 'Iannis'])
  // As a version before left it behind.
  await database.db
    .deleteFrom('members')
    .where('user_id', '=', leavingId)
    .where('account_id', '=', accountId)
    .execute()
  expect((await again.post('/accept-invitation', { token })).status).toBe(404)
  expect((await owner.get('/members')).status).toBe(200)
})

test('a mail carries no link but ours, whatever the account and its owner are called', async () => {
  const { browser } = await signInNew(api, 'Fay')
  const name = 'Your card was declined. Pay now: https://evil.example/pay'
  expect((await browser.send('PATCH', '/account', { name })).status).toBe(200)
  await browser.post('/invitations', { email: 'guest@x.example', role: 'member' })
  await api.sendMails()
  const line = api.log.findLast((text) => text.includes('"guest@x.example"')) ?? ''
  const { subject } = JSON.parse(line) as { subject: string }
  expect(subject).toBe('You are invited to an account on Ratecard')
  const { id } = await database.db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', 'guest@x.example')
    .executeTakeFirstOrThrow()
  const dashboardUrl = 'https://prices.example/dashboard'
  const written = await writeMail(
    database.db,
    { kind: 'invitation', invitationId: id },
    { dashboardUrl, signUpUrl: null, isFirst: false },
  )
  const text = written.kind === 'mail' ? written.mail.text : ''
  expect(text).toContain('“Your card was declined. Pay now https evil example pay”')
  expect(text).not.toContain('evil.example')
})

test('an invitation is named to who has its link alone, and as long as it holds', async () => {
  const { browser: owner } = await signInNew(api, 'Nora')
  await owner.post('/invitations', { email: emailOf('Olga'), role: 'owner' })
  const token = await linkToken(api, emailOf('Olga'))
  const stranger = new Browser(api.url)
  const check = async (of: string) => stranger.post('/invitation-check', { token: of })
  expect(await check(token)).toMatchObject({
    status: 200,
    body: { data: { account: expect.any(String) as string, invited_by: emailOf('Nora'), role: 'owner' } },
  })
  const told = await check(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)
  expect(told.status).toBe(400)
  await database.db
    .updateTable('invitations')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('email', '=', emailOf('Olga'))
    .execute()
  const late = await check(token)
  const saying = ({ body }: typeof late) => ({ ...(body as object), request_id: null })
  expect([late.status, saying(late)]).toEqual([400, saying(told)])
})
