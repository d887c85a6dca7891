import { expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { insertMember } from '../src/features/members/member-store.ts'
import { useApi } from './support/api.ts'
import { Authenticator } from './support/authenticator.ts'
import { linkToken, signInNew, type Browser } from './support/dashboard-client.ts'
import { Device } from './support/passkey.ts'
import { useDatabase } from './support/postgres.ts'

// What a thief would change as well is mailed to the user, and stands in the log of each of their accounts.

const database = useDatabase()
const api = useApi(database)
const password = 'correct horse battery'

/** The subjects of the mails to an address since they were asked for last, oldest first. */
async function mailsTo(email: string): Promise<string[]> {
  await api.sendMails()
  const lines = api.log.splice(0).map((line) => JSON.parse(line) as { to?: string; subject?: string })
  return lines.flatMap(({ to, subject }) => (to === email && subject !== undefined ? [subject] : []))
}

async function auditOf(browser: Browser): Promise<string[]> {
  const { body } = await browser.get('/audit-log?kind=user')
  return (body as { data: Schemas['AuditEntry'][] }).data.map(({ action }) => action)
}

test('a new password, a second factor, recovery codes and passkeys are told of', async () => {
  const { browser } = await signInNew(api, 'Ada')
  const { browser: colleague, accountId } = await signInNew(api, 'Bob')
  const me = (await browser.get('/me')).body as { data: { user: { id: string } } }
  const member = { accountId, userId: me.data.user.id, role: 'member' as const }
  await database.db.transaction().execute((trx) => insertMember(trx, member))
  const email = 'ada@customer.example'
  await mailsTo(email)

  const next = 'another horse battery'
  expect((await browser.post('/password', { current_password: 'wrong horse battery', new_password: next })).status).toBe(400)
  expect(await mailsTo(email)).toEqual([])
  expect((await browser.post('/password', { current_password: password, new_password: next })).status).toBe(200)
  expect(await mailsTo(email)).toEqual(['Your Ratecard password was changed'])

  const begun = await browser.post('/second-factor/setup', { password: next })
  const app = new Authenticator((begun.body as { data: Schemas['SecondFactorSetup'] }).data.secret)
  expect((await browser.post('/second-factor/confirm', { code: await app.next() })).status).toBe(200)
  expect(await mailsTo(email)).toEqual(['Your Ratecard second factor is on'])
  const both = async () => ({ password: next, code: await app.next() })
  expect((await browser.post('/second-factor/recovery-codes', await both())).status).toBe(200)
  expect(await mailsTo(email)).toEqual(['Your Ratecard recovery codes were renewed'])
  expect((await browser.post('/second-factor/remove', await both())).status).toBe(200)
  expect(await mailsTo(email)).toEqual(['Your Ratecard second factor was removed'])

  const asked = (await browser.post('/passkeys/challenge', { password: next })).body as { data: Schemas['PasskeyChallenge'] }
  const made = await browser.post('/passkeys', { name: 'Phone', ...new Device(api.url).make(asked.data) })
  const { id } = (made.body as { data: Schemas['Passkey'] }).data
  expect(await mailsTo(email)).toEqual(['A passkey was added to your Ratecard sign-in'])
  expect((await browser.post(`/passkeys/${id}/remove`, { password: next })).status).toBe(200)
  expect(await mailsTo(email)).toEqual(['A passkey of your Ratecard sign-in was removed'])

  await browser.post('/password-reset-mail', { email })
  const token = await linkToken(api, email)
  expect((await browser.post('/password-reset', { token, password })).status).toBe(200)
  expect(await mailsTo(email)).toContain('Your Ratecard password was changed')

  const expected = [
    'user.password_changed',
    'user.passkey_removed',
    'user.passkey_added',
    'user.second_factor_removed',
    'user.recovery_codes_renewed',
    'user.second_factor_added',
    'user.password_changed',
  ]
  // The owner of an account of which the user is a member reads it too.
  expect(await auditOf(colleague)).toEqual(expected)
  await browser.post('/sign-in', { email, password })
  expect(await auditOf(browser)).toEqual(expected)
}) // prettier-ignore
