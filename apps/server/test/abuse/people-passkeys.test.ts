import { describe, expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { passkeysMax } from '../../src/features/members/passkey-store.ts'
import { useApi } from '../support/api.ts'
import { Authenticator } from '../support/authenticator.ts'
import { deviceCertificate } from '../support/certificates.ts'
import { Browser, signInNew } from '../support/dashboard-client.ts'
import { Device } from '../support/passkey.ts'
import { useDatabase } from '../support/postgres.ts'

// What a passkey opens, and what is none.

const database = useDatabase()
let aheadMs = 0
const api = useApi(database, { clock: { now: () => new Date(Date.now() + aheadMs) } })
const password = 'correct horse battery'

type Asked = Schemas['PasskeyChallenge']
const dataOf = <T>({ body }: { body: unknown }) => (body as { data: T }).data

async function ask(browser: Browser, path: string, body: object): Promise<Asked> {
  const answer = await browser.post(path, body)
  expect(answer, path).toMatchObject({ status: 200 })
  return dataOf<Asked>(answer)
}
const askToAdd = (browser: Browser) => ask(browser, '/passkeys/challenge', { password })
const askToSignIn = (browser: Browser, in_place_of_code = false) =>
  ask(browser, '/passkey-sign-in/challenge', { in_place_of_code })

interface Owner {
  browser: Browser
  userId: string
  email: string
  device: Device
  passkeyId: string
}

/** A user with a passkey. */
async function enrol(name: string): Promise<Owner> {
  const { browser } = await signInNew(api, name)
  const userId = dataOf<Schemas['Me']>(await browser.get('/me')).user.id
  const device = new Device(api.url)
  const made = await browser.post('/passkeys', { name: 'Phone', ...device.make(await askToAdd(browser)) })
  expect(made).toMatchObject({ status: 201, body: { data: { name: 'Phone', last_used_at: null } } })
  return {
    ...{ browser, userId, email: `${name.toLowerCase()}@customer.example`, device },
    passkeyId: dataOf<Schemas['Passkey']>(made).id,
  }
}

/** Signs in with a browser of its own. */
async function show({ device, userId }: Owner, lies?: Parameters<Device['sign']>[2]) {
  const browser = new Browser(api.url)
  const signed = device.sign(await askToSignIn(browser), userId, lies)
  return { browser, signed, answer: await browser.post('/passkey-sign-in', signed) }
}

const refusal = { status: 401, body: { error: 'wrong_credentials' } }

describe('a passkey', () => {
  test('signs in without a password, and says when it was used', async () => {
    const owner = await enrol('Ada')
    const { browser, answer } = await show(owner)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await browser.get('/me')).toMatchObject({ body: { data: { user: { id: owner.userId } } } })
    const [passkey] = dataOf<Schemas['Passkey'][]>(await browser.get('/passkeys'))
    expect(passkey).toMatchObject({ id: owner.passkeyId, last_used_at: expect.any(String) as string })
    // The browser is a known one from now on.
    expect(browser.cookie).toContain('known_browser')
    const renamed = await browser.send('PATCH', `/passkeys/${owner.passkeyId}`, { name: 'Old phone' })
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Old phone' } } })
  })

  test('of a device that does not count its signatures signs in again and again', async () => {
    const owner = await enrol('Abe')
    owner.device.count = null
    for (let round = 0; round < 2; round += 1) expect((await show(owner)).answer.status).toBe(200)
  })

  test.each([
    ['for another origin', { origin: 'https://ratecard.example.evil' }],
    ['for another host', { host: 'evil.example' }],
    ['without a finger or a PIN', { isVerified: false }],
    ['what was not asked', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['for something else', { type: 'webauthn.create' }],
  ])('that signs %s is refused, when it signs in and when it is added', async (what, lies) => {
    const name = `Bob${what.replaceAll(' ', '-')}`
    const owner = await enrol(name)
    const { browser, answer } = await show(owner, lies)
    expect(answer).toMatchObject(refusal)
    expect((await browser.get('/me')).status).toBe(401)
    const made = new Device(api.url).make(await askToAdd(owner.browser), {
      ...lies,
      ...('type' in lies && { type: 'webauthn.get' }),
    })
    expect((await owner.browser.post('/passkeys', { name: 'Evil', ...made })).status).toBe(400)
  })

  test('whose device has counted back is refused: there are two of it', async () => {
    const owner = await enrol('Cleo')
    expect((await show(owner, { count: 7 })).answer.status).toBe(200)
    for (const count of [6, 7, 0]) expect((await show(owner, { count })).answer).toMatchObject(refusal)
    expect((await show(owner, { count: 8 })).answer.status).toBe(200)
  })

  test('that is removed opens nothing, and what it opened ends', async () => {
    const owner = await enrol('Dan')
    const { browser: elsewhere } = await show(owner)
    const path = `/passkeys/${owner.passkeyId}/remove`
    expect((await owner.browser.post(path, { password: 'not the password' })).status).toBe(400)
    expect((await owner.browser.post(path, { password })).status).toBe(200)
    expect((await owner.browser.post(path, { password })).status).toBe(404)
    expect((await elsewhere.get('/me')).status).toBe(401)
    expect((await owner.browser.get('/me')).status).toBe(200)
    expect((await show(owner)).answer).toMatchObject(refusal)
  })

  test('of somebody else is refused where one is asked for by name, and signs in as its own user', async () => {
    const [owner, thief] = [await enrol('Eve'), await enrol('Mallory')]
    const asOwner = { ...thief, userId: owner.userId }
    expect((await show(asOwner)).answer).toMatchObject(refusal)
    // No one says whose it is, where nobody was asked for.
    const browser = new Browser(api.url)
    const unnamed = thief.device.sign(await askToSignIn(browser), null)
    expect(await browser.post('/passkey-sign-in', unnamed)).toMatchObject(refusal)
    for (const path of [`/passkeys/${owner.passkeyId}`, `/passkeys/${owner.passkeyId}/remove`]) {
      const [method, body] = path.endsWith('remove') ? ['POST', { password }] : ['PATCH', { name: 'Mine' }]
      expect((await thief.browser.send(method, path, body)).status).toBe(404)
    }
    // A device says what it likes of its passkey: it is whose it was added by.
    const copy = thief.device.make(await askToAdd(owner.browser))
    expect((await owner.browser.post('/passkeys', { name: 'Taken', ...copy })).status).toBe(409)
    expect((await show(owner)).answer.status).toBe(200)
  })

  test('is added with the password, and of who has a second factor with a code', async () => {
    const { browser } = await enrol('Fay')
    expect((await browser.post('/passkeys/challenge', { password: 'not the password' })).status).toBe(400)
    const setup = dataOf<Schemas['SecondFactorSetup']>(
      await browser.post('/second-factor/setup', { password }),
    )
    const app = new Authenticator(setup.secret)
    await browser.post('/second-factor/confirm', { code: await app.next() })
    expect((await browser.post('/passkeys/challenge', { password })).status).toBe(400)
    expect((await browser.post('/passkeys/challenge', { password, code: app.wrong() })).status).toBe(400)
    const both = { password, code: await app.next() }
    const made = new Device(api.url).make(await ask(browser, '/passkeys/challenge', both))
    expect((await browser.post('/passkeys', { name: 'Second', ...made })).status).toBe(201)
  })

  test('takes the place of a code, of the user whose password was shown alone', async () => {
    const [owner, thief] = [await enrol('Gus'), await enrol('Trudy')]
    const setup = dataOf<Schemas['SecondFactorSetup']>(
      await owner.browser.post('/second-factor/setup', { password }),
    )
    await owner.browser.post('/second-factor/confirm', { code: await new Authenticator(setup.secret).next() })
    const browser = new Browser(api.url)
    const challenge = { in_place_of_code: true }
    expect((await browser.post('/passkey-sign-in/challenge', challenge)).status).toBe(401)
    expect(await browser.post('/sign-in', { email: owner.email, password })).toMatchObject({
      body: { needs_second_factor: true },
    })
    const asked = await askToSignIn(browser, true)
    expect(asked.credentials).toEqual([owner.device.credential])
    expect(await browser.post('/passkey-sign-in', thief.device.sign(asked, thief.userId))).toMatchObject(
      refusal,
    )
    // A device that was named its passkey need not say whose it is.
    expect((await browser.post('/passkey-sign-in', owner.device.sign(asked, null))).status).toBe(200)
    expect(await browser.get('/me')).toMatchObject({ body: { data: { user: { id: owner.userId } } } })
  })

  test('is one of ten at most, however many are added at once', async () => {
    const { browser } = await enrol('Hal')
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const other = new Browser(api.url)
        await other.post('/sign-in', { email: 'hal@customer.example', password })
        return other
      }),
    )
    for (let count = 2; count < passkeysMax; count += 1) {
      const made = new Device(api.url).make(await askToAdd(browser))
      expect((await browser.post('/passkeys', { name: `Phone ${count}`, ...made })).status).toBe(201)
    }
    const made: [Browser, object][] = []
    for (const other of others) made.push([other, new Device(api.url).make(await askToAdd(other))])
    const answers = await Promise.all(
      made.map(([other, passkey]) => other.post('/passkeys', { name: 'Last', ...passkey })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(dataOf<unknown[]>(await browser.get('/passkeys'))).toHaveLength(passkeysMax)
  })

  test('comes without a certificate, whose addresses would be asked', async () => {
    const { browser } = await enrol('Ida')
    const made = new Device(api.url).make(await askToAdd(browser), { certificate: deviceCertificate })
    expect((await browser.post('/passkeys', { name: 'Certified', ...made })).status).toBe(400)
  })

  test('goes with its user', async () => {
    const owner = await enrol('Jan')
    expect((await owner.browser.post('/delete-user', { password })).status).toBe(200)
    expect((await show(owner)).answer).toMatchObject(refusal)
    const rows = await database.db
      .selectFrom('passkeys')
      .select('id')
      .where('id', '=', owner.passkeyId)
      .execute()
    expect(rows).toEqual([])
  })
})

describe('a challenge', () => {
  test('is answered once, also at once', async () => {
    const owner = await enrol('Kim')
    owner.device.count = null
    const { browser, signed } = await show(owner)
    expect(await browser.post('/passkey-sign-in', signed)).toMatchObject(refusal)
    const other = new Browser(api.url)
    const answer = owner.device.sign(await askToSignIn(other), owner.userId)
    const answers = await Promise.all(Array.from({ length: 4 }, () => other.post('/passkey-sign-in', answer)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('adds one passkey, which does not come back once it is removed', async () => {
    const { browser } = await signInNew(api, 'Lea')
    const made = { name: 'Phone', ...new Device(api.url).make(await askToAdd(browser)) }
    const { id } = dataOf<Schemas['Passkey']>(await browser.post('/passkeys', made))
    expect((await browser.post('/passkeys', made)).status).toBe(409)
    await browser.post(`/passkeys/${id}/remove`, { password })
    expect((await browser.post('/passkeys', made)).status).toBe(409)
    expect(dataOf<unknown[]>(await browser.get('/passkeys'))).toEqual([])
  })

  test('holds for five minutes', async () => {
    const owner = await enrol('Max')
    const browser = new Browser(api.url)
    const signed = owner.device.sign(await askToSignIn(browser), owner.userId)
    const made = new Device(api.url).make(await askToAdd(owner.browser))
    aheadMs = 302_000
    try {
      expect(await browser.post('/passkey-sign-in', signed)).toMatchObject(refusal)
      expect((await owner.browser.post('/passkeys', { name: 'Late', ...made })).status).toBe(400)
    } finally {
      aheadMs = 0
    }
    expect((await browser.post('/passkey-sign-in', signed)).status).toBe(200)
  })

  test('is of the browser that asked, and for what it was asked', async () => {
    const owner = await enrol('Ned')
    const asking = new Browser(api.url)
    const signed = owner.device.sign(await askToSignIn(asking), owner.userId)
    for (const browser of [new Browser(api.url), owner.browser]) {
      expect(await browser.post('/passkey-sign-in', signed)).toMatchObject(refusal)
    }
    const toAdd = owner.device.sign(await askToAdd(owner.browser), owner.userId)
    expect(await owner.browser.post('/passkey-sign-in', toAdd)).toMatchObject(refusal)
    // Somebody else at the same browser.
    const made = new Device(api.url).make(await askToAdd(owner.browser))
    await owner.browser.post('/sign-out')
    await signInNew(api, 'Nia')
    await owner.browser.post('/sign-in', { email: 'nia@customer.example', password })
    expect((await owner.browser.post('/passkeys', { name: 'Left', ...made })).status).toBe(400)
    const [cookie = ''] = /__Host-ratecard\.passkey=[^;]+/.exec(asking.cookie) ?? []
    const forged = cookie.replace(/\.[^.]+\.[^.]*\.([^.]+)$/, `.9999999999..$1`)
    expect(forged).not.toBe(cookie)
    const asForged = await new Browser(api.url).post('/passkey-sign-in', signed, { cookie: forged })
    expect(asForged).toMatchObject(refusal)
  })

  test('costs no row of a stranger, whom no answer tells what there is', async () => {
    const owner = await enrol('Oli')
    const rows = async () =>
      (await database.db.selectFrom('attempts').select('key').execute()).length +
      (await database.db.selectFrom('auth_verifications').select('id').execute()).length
    const stranger = new Browser(api.url)
    const first = { ...new Device(api.url).sign(await askToSignIn(stranger), owner.userId) }
    const unknown = await stranger.post('/passkey-sign-in', first)
    const before = await rows()
    const asked = await askToSignIn(stranger)
    expect(asked.credentials).toEqual([])
    const forger = new Device(api.url)
    const forged = { ...forger.sign(asked, owner.userId), credential: owner.device.credential }
    const known = await stranger.post('/passkey-sign-in', forged)
    expect(known).toMatchObject(refusal)
    expect(unknown.body).toEqual(known.body)
    expect(await rows()).toBe(before)
  })

  test('is answered ten times a minute from an address', async () => {
    const stranger = new Browser(api.url)
    const answer = new Device(api.url).sign(await askToSignIn(stranger), 'usr_nobody')
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1)
      statuses.push((await stranger.post('/passkey-sign-in', answer)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})
