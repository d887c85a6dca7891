import { expect, test } from 'vitest'
import type { Schemas } from '@ratecard/dashboard/contract'
import { useApi } from '../api.ts'
import { linkToken, signInNew, type Browser } from '../dashboard-client.ts'
import { useDatabase } from '../postgres.ts'

// An invitation is worth what whoever made it is worth; and it must not carry a stranger's words to the world.

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

test('a mail carries no link but ours, whatever the account and its owner are called', async () => {
  const { browser } = await signInNew(api, 'Fay')
  const name = 'Your card was declined. Pay now: https://evil.example/pay'
  expect((await browser.send('PATCH', '/account', { name })).status).toBe(200)
  await browser.post('/invitations', { email: 'guest@x.example', role: 'member' })
  const line = api.log.findLast((text) => text.includes('"guest@x.example"')) ?? ''
  const { subject } = JSON.parse(line) as { subject: string }
  expect(subject).not.toContain('declined')
  expect(subject).not.toContain('evil.example')
})
