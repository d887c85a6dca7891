import { expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { useApi } from './support/api.ts'
import { codeOf } from './support/authenticator.ts'
import { Browser, linkToken, signInNew } from './support/dashboard-client.ts'
import { Device } from './support/passkey.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard } from './support/process.ts'

// The operator's way to readmit a user without the second factor and the recovery codes.

const database = useDatabase()
const secretsKey = generateSecretsKey()
const api = useApi(database, { env: { SECRETS_KEY: secretsKey } })
const password = 'correct horse battery'
const reset = (...args: string[]) =>
  ratecard(['members', 'reset-second-factor', ...args], {
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey,
    SMTP_URL: 'log:',
  })

async function enrol(name: string) {
  const { browser, accountId } = await signInNew(api, name)
  const begun = await browser.post('/second-factor/setup', { password })
  const { secret, recovery_codes } = (begun.body as { data: Schemas['SecondFactorSetup'] }).data
  expect((await browser.post('/second-factor/confirm', { code: codeOf(secret) })).status).toBe(200)
  return {
    browser,
    accountId,
    recoveryCodes: recovery_codes,
    email: `${name.toLowerCase()}@customer.example`,
  }
}

test('the password is enough again, every session ends, and owner and log are told', async () => {
  const { browser, accountId, email, recoveryCodes } = await enrol('Ada')
  // A second account, in which she is a member.
  const other = await signInNew(api, 'Bob')
  await other.browser.post('/invitations', { email, role: 'member' })
  await browser.post('/accept-invitation', { token: await linkToken(api, email) })
  // A sign-in that waits for the second factor.
  const halfway = new Browser(api.url)
  await halfway.post('/sign-in', { email, password })

  const { stdout, stderr, exitCode } = await reset('Ada@Customer.example', '--json')
  expect(exitCode, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    id: expect.stringMatching(/^usr_/) as string,
    email,
    account_ids: [accountId, other.accountId],
  })
  expect((await browser.get('/me')).status).toBe(401)
  expect((await halfway.post('/second-factor', { code: recoveryCodes[0] })).status).toBe(401)
  const again = new Browser(api.url)
  expect(await again.post('/sign-in', { email, password })).toMatchObject({
    status: 200,
    body: { needs_second_factor: false },
  })
  expect(await again.get('/me')).toMatchObject({ body: { data: { user: { has_second_factor: false } } } })

  for (const owner of [again, other.browser]) {
    const { data } = (await owner.get('/audit-log')).body as { data: Schemas['AuditEntry'][] }
    expect(data.find(({ action }) => action === 'member.second_factor_reset')).toMatchObject({
      actor: 'operator',
      details: [{ name: 'email', value: email }],
    })
  }
  await api.sendMails()
  const mail = api.log.findLast((line) => line.includes('second factor was removed')) ?? '{}'
  expect(JSON.parse(mail)).toMatchObject({
    to: email,
    link: expect.stringMatching(/\/dashboard\/sign-in$/) as string,
  })
  // Another one can be set up.
  expect((await again.post('/second-factor/setup', { password })).status).toBe(200)
})

test('passkeys go too, of who has nothing else as well', async () => {
  const { browser } = await signInNew(api, 'Dora')
  const asked = (await browser.post('/passkeys/challenge', { password })).body as {
    data: Schemas['PasskeyChallenge']
  }
  const made = { name: 'Phone', ...new Device(api.url).make(asked.data) }
  expect((await browser.post('/passkeys', made)).status).toBe(201)
  expect((await reset('dora@customer.example')).exitCode).toBe(0)
  expect((await browser.get('/me')).status).toBe(401)
  await browser.post('/sign-in', { email: 'dora@customer.example', password })
  expect(await browser.get('/passkeys')).toMatchObject({ status: 200, body: { data: [] } })
})

test('who has none, or is nobody, is named, and nothing else happens', async () => {
  const { browser } = await signInNew(api, 'Cleo')
  const none = await reset('cleo@customer.example')
  expect([none.exitCode, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toContain('cleo@customer.example has no second factor and no passkey.')
  expect((await browser.get('/me')).status).toBe(200)
  expect((await reset('stranger@customer.example')).stderr).toContain('There is no user')
  expect((await reset('nonsense')).exitCode).toBe(2)
})
