import { symmetricDecrypt } from 'better-auth/crypto'
import { describe, expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { authPurpose, parseVersion } from '../../src/features/members/auth.ts'
import { resealSecondFactors } from '../../src/features/members/second-factor-store.ts'
import { createSecretBox, generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { useApi } from '../support/api.ts'
import { Authenticator, codeOf } from '../support/authenticator.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

const database = useDatabase()
const oldKey = generateSecretsKey()
const api = useApi(database, { env: { SECRETS_KEY: oldKey } })
const password = 'correct horse battery'
const emailOf = (name: string) => `${name.toLowerCase()}@customer.example`

interface Enrolled {
  browser: Browser
  email: string
  app: Authenticator
  recoveryCodes: string[]
}

async function enrol(name: string): Promise<Enrolled> {
  const { browser } = await signInNew(api, name)
  const begun = await browser.post('/second-factor/setup', { password })
  expect(begun.status).toBe(200)
  const { secret, uri, recovery_codes } = (begun.body as { data: Schemas['SecondFactorSetup'] }).data
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  expect(recovery_codes).toHaveLength(10)
  const app = new Authenticator(secret)
  expect((await browser.post('/second-factor/confirm', { code: await app.next() })).status).toBe(200)
  return { browser, email: emailOf(name), app, recoveryCodes: recovery_codes }
}

/** A browser in which the password was shown, and no code yet. */
async function challenge(email: string): Promise<Browser> {
  const browser = new Browser(api.url)
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200)
  return browser
}

describe('a second factor', () => {
  test('is asked for after the password, and without it there is no session', async () => {
    const { browser, email, app } = await enrol('Ada')
    expect(await browser.get('/me')).toMatchObject({ body: { data: { user: { has_second_factor: true } } } })
    const other = new Browser(api.url)
    expect(await other.post('/sign-in', { email, password })).toMatchObject({
      status: 200,
      body: { success: true, needs_second_factor: true },
    })
    expect((await other.get('/me')).status).toBe(401)
    expect((await other.post('/second-factor', { code: app.wrong() })).status).toBe(401)
    expect((await other.get('/me')).status).toBe(401)
    expect((await other.post('/second-factor', { code: await app.next() })).status).toBe(200)
    expect((await other.get('/me')).status).toBe(200)
    // The challenge is used up.
    expect((await new Browser(api.url).post('/second-factor', { code: await app.next() })).status).toBe(401)
  })

  test('is guessed ten times in a quarter of an hour, over all sign-ins', async () => {
    const { email, app } = await enrol('Bob')
    const outcomes: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const thief = new Browser(api.url)
      expect((await thief.post('/sign-in', { email, password })).status).toBe(200)
      for (let count = 0; count < 6; count += 1) {
        outcomes.push((await thief.post('/second-factor', { code: app.wrong() })).status)
      }
      expect((await thief.get('/me')).status).toBe(401)
    }
    expect(outcomes).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 8 }, () => 429),
    ])
    const locked = new Browser(api.url)
    await locked.post('/sign-in', { email, password })
    // Even the right one has to wait now.
    expect((await locked.post('/second-factor', { code: await app.next() })).status).toBe(429)
  })

  test('is replaced by each recovery code once', async () => {
    const { email, recoveryCodes, browser, app } = await enrol('Cleo')
    const show = async (code: string) => {
      const other = new Browser(api.url)
      await other.post('/sign-in', { email, password })
      return (await other.post('/second-factor', { code })).status
    }
    expect(await show(recoveryCodes[0]!)).toBe(200)
    expect(await show(recoveryCodes[0]!)).toBe(401)
    const renewed = await browser.post('/second-factor/recovery-codes', { password, code: await app.next() })
    const codes = (renewed.body as { data: Schemas['RecoveryCodes'] }).data.recovery_codes
    expect(await show(recoveryCodes[1]!)).toBe(401)
    expect(await show(codes[0]!)).toBe(200)
    const stored = await database.db.selectFrom('auth_two_factors').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(codes[1])
  })

  test('is not guessed more often by guesses that are sent at once', async () => {
    const { email, app } = await enrol('Hal')
    const thieves: Browser[] = []
    // Few passwords are compared at a time.
    for (let count = 0; count < 12; count += 1) thieves.push(await challenge(email))
    const code = app.wrong()
    const guesses = thieves.flatMap((thief) =>
      Array.from({ length: 3 }, () => thief.post('/second-factor', { code })),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    // 503: not compared.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(statuses).not.toContain(200)
  })

  test('takes a code once, and none from before it', async () => {
    const { email, app } = await enrol('Ike')
    const early = await app.next()
    const late = await app.next()
    const show = async (code: string) =>
      (await (await challenge(email)).post('/second-factor', { code })).status
    expect(await show(late)).toBe(200)
    expect(await show(late)).toBe(401)
    expect(await show(early)).toBe(401)
  })

  test('is removed, and its recovery codes are renewed, with the password and a code', async () => {
    const { browser, app, recoveryCodes } = await enrol('Jan')
    const code = await app.next()
    for (const path of ['/second-factor/remove', '/second-factor/recovery-codes']) {
      expect((await browser.post(path, { password })).status).toBe(400)
      expect((await browser.post(path, { password, code: app.wrong() })).status).toBe(400)
      expect((await browser.post(path, { password: 'not the password', code })).status).toBe(400)
    }
    const notOfOurs = { password, code: 'abCd3-FgHi5' }
    expect((await browser.post('/second-factor/remove', notOfOurs)).status).toBe(400)
    expect((await browser.post('/second-factor/recovery-codes', { password, code })).status).toBe(200)
    // The codes of before are worth nothing here either.
    const old = { password, code: recoveryCodes[0] }
    expect((await browser.post('/second-factor/remove', old)).status).toBe(400)
    expect((await browser.post('/second-factor/remove', { password, code: await app.next() })).status).toBe(
      200,
    )
  })

  test('is removed with a recovery code where the app is lost', async () => {
    const { browser, recoveryCodes } = await enrol('Kim')
    const lost = { password, code: recoveryCodes[3] }
    expect((await browser.post('/second-factor/remove', lost)).status).toBe(200)
    expect((await browser.get('/me')).body).toMatchObject({ data: { user: { has_second_factor: false } } })
  })

  test('outlives a new password', async () => {
    const { browser, email, app } = await enrol('Dan')
    expect((await browser.post('/second-factor/setup', { password })).status).toBe(409)
    await browser.post('/password-reset-mail', { email })
    const next = 'another horse battery'
    await browser.post('/password-reset', { token: await linkToken(api, email), password: next })
    expect(await browser.post('/sign-in', { email, password: next })).toMatchObject({
      body: { needs_second_factor: true },
    })
    expect((await browser.post('/second-factor', { code: await app.next() })).status).toBe(200)
  })

  test('ends the sessions that the password alone began', async () => {
    const { browser } = await signInNew(api, 'Eve')
    const other = new Browser(api.url)
    await other.post('/sign-in', { email: emailOf('Eve'), password })
    const begun = await browser.post('/second-factor/setup', { password })
    const { secret } = (begun.body as { data: Schemas['SecondFactorSetup'] }).data
    // A set-up without a confirmation changes nothing for signing in.
    expect((await other.get('/me')).status).toBe(200)
    expect((await browser.post('/second-factor/confirm', { code: codeOf(secret) })).status).toBe(200)
    expect((await browser.get('/me')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
  })
})

test('a second factor is moved to a new key, which alone opens it then', async () => {
  const { email } = await enrol('Gil')
  const secrets = createSecretBox([generateSecretsKey(), oldKey]).deriveAll(authPurpose)
  expect(await resealSecondFactors(database.db, secrets)).toBeGreaterThan(0)
  expect(await resealSecondFactors(database.db, secrets)).toBe(0)
  const row = await database.db
    .selectFrom('auth_two_factors')
    .innerJoin('auth_users', 'auth_users.id', 'auth_two_factors.user_id')
    .select(['secret', 'backup_codes'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const [current] = secrets
  const key = {
    keys: new Map([[parseVersion(current!), current!.secret]]),
    currentVersion: parseVersion(current!),
  }
  expect(await symmetricDecrypt({ key, data: row.secret })).toMatch(/^[\w-]{32}$/)
  expect(JSON.parse(await symmetricDecrypt({ key, data: row.backup_codes }))).toHaveLength(10)
})

test('the present password is guessed ten times an hour by who finds a signed-in browser', async () => {
  const { browser } = await signInNew(api, 'Fay')
  const statuses: number[] = []
  for (const path of ['/second-factor/setup', '/delete-user', '/delete-account', '/second-factor/setup']) {
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await browser.post(path, { password: 'not the password' })).status)
    }
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429])
})
