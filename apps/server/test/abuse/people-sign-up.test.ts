import { expect, test } from 'vitest'
import { insertVerifiedUser } from '../../src/features/members/user-store.ts'
import { useApi } from '../support/api.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// The first person to name an address must not get into the account that its owner later confirms.

const database = useDatabase()
const api = useApi(database)
const email = 'vera@corp.example'
const theirs = 'the password of mallory'
const own = 'the password of vera'
const usersOf = async (address: string) =>
  database.db.selectFrom('auth_users').selectAll().where('email', '=', address).execute()
const linksTo = (address: string) =>
  api.log
    .map((line) => JSON.parse(line) as { to?: string; subject?: string; link?: string })
    .filter(({ to }) => to === address)

test('a password that was chosen before the address was confirmed opens nothing', async () => {
  const attacker = new Browser(api.url)
  const victim = new Browser(api.url)
  // No request to sign up takes a password, and none makes a user.
  const withPassword = await attacker.post('/sign-up', { name: 'Mallory', email, password: theirs })
  expect(withPassword).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  await attacker.post('/sign-up', { email: email.toUpperCase() })
  await attacker.post('/password-reset-mail', { email })
  const first = await linkToken(api, email)
  expect(await usersOf(email)).toEqual([])
  expect((await attacker.post('/sign-in', { email, password: theirs })).status).toBe(401)

  // The victim signs up second, and requests another link.
  await victim.post('/sign-up', { email })
  const second = await linkToken(api, email)
  expect(second).not.toBe(first)
  await victim.post('/sign-up', { email })
  const third = await linkToken(api, email)
  // A link of one kind does nothing of the other.
  expect((await victim.post('/password-reset', { token: third, password: own })).status).toBe(400)
  const finished = await victim.post('/finish-sign-up', { token: second, name: 'Vera', password: own })
  expect(finished).toMatchObject({ status: 200, body: { success: true } })
  // With one link used, those before and after it are useless.
  for (const token of [first, second, third]) {
    const again = { token, name: 'Mallory', password: theirs }
    expect((await attacker.post('/finish-sign-up', again)).status).toBe(400)
  }

  expect((await attacker.post('/sign-in', { email, password: theirs })).status).toBe(401)
  expect((await attacker.get('/me')).status).toBe(401)
  expect((await victim.post('/sign-in', { email: email.toUpperCase(), password: own })).status).toBe(200)
  expect(await usersOf(email)).toHaveLength(1)
})

test('of two who follow two links to one mailbox at the same moment, one makes the user', async () => {
  const mailbox = 'wanda@corp.example'
  const browser = new Browser(api.url)
  await browser.post('/sign-up', { email: mailbox })
  const first = await linkToken(api, mailbox)
  await browser.post('/sign-up', { email: mailbox })
  const second = await linkToken(api, mailbox)
  const answers = await Promise.all(
    [first, second, first].map((token) =>
      browser.post('/finish-sign-up', { token, name: 'Wanda', password: own }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect(await usersOf(mailbox)).toHaveLength(1)
})

test('who has an account and signs up again is told so by mail, and by nothing else', async () => {
  const { browser } = await signInNew(api, 'Xena')
  const mailbox = 'xena@customer.example'
  const known = await new Browser(api.url).post('/sign-up', { email: 'Xena@Customer.example' })
  const unknown = await new Browser(api.url).post('/sign-up', { email: 'nobody@customer.example' })
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  const token = await linkToken(api, mailbox)
  expect(linksTo(mailbox).at(-1)?.subject).toBe('You have a Ratecard account already')
  // The link sets a new password for the reader of that mailbox.
  const chosen = await new Browser(api.url).post('/password-reset', { token, password: own })
  expect(chosen.status).toBe(200)
  expect((await browser.get('/me')).status).toBe(401)
})

test('a new password is mailed to users only, and nobody becomes one by it', async () => {
  const mailbox = 'yves@corp.example'
  await new Browser(api.url).post('/password-reset-mail', { email: mailbox })
  expect(await linkToken(api, mailbox)).toBe('')
  await new Browser(api.url).post('/sign-up', { email: mailbox })
  const token = await linkToken(api, mailbox)
  // Between the mail and the click an operator has made the user.
  await database.db
    .transaction()
    .execute((trx) => insertVerifiedUser(trx, { name: 'Yves', email: mailbox, password: own }))
  const late = await new Browser(api.url).post('/finish-sign-up', { token, name: 'M', password: theirs })
  expect(late.status).toBe(400)
  expect((await new Browser(api.url).post('/sign-in', { email: mailbox, password: own })).status).toBe(200)
})

test('a link is refused after its time, and then forgotten', async () => {
  const mailbox = 'zoe@corp.example'
  const browser = new Browser(api.url)
  await browser.post('/sign-up', { email: mailbox })
  const token = await linkToken(api, mailbox)
  await database.db
    .updateTable('mailed_links')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('email', '=', mailbox)
    .execute()
  expect((await browser.post('/finish-sign-up', { token, name: 'Zoe', password: own })).status).toBe(400)
  const stored = await database.db.selectFrom('mailed_links').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(token)
})
