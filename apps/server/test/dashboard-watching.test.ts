import { sql } from 'kysely'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createUnsubscribeTokens } from '../src/features/notices/unsubscribe-token.ts'
import { watchesMax } from '../src/features/watching/watch-store.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { useApi } from './support/api.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

const [newKey, oldKey] = [generateSecretsKey(), generateSecretsKey()]
const database = useDatabase()
const api = useApi(database, { env: { SECRETS_KEY: `${newKey},${oldKey}` } })
const tokens = createUnsubscribeTokens(createSecretBox([newKey, oldKey]))
let ada: Browser

beforeAll(async () => {
  ada = await signInOwner(database.db, api.url, { email: 'ada@customer.example' })
  await storePrices(database.db, [
    priceRecord({ resource_id: 'acme:alpha', input_per_mtok: '0.25', output_per_mtok: '1' }),
    priceRecord({ resource_id: 'bolt:alpha', platform: 'bolt', input_per_mtok: '0.2', output_per_mtok: '1' }),
    priceRecord({ resource_id: 'yen:alpha', platform: 'yen', input_per_mtok: '0.1', currency: 'JPY' }),
    priceRecord({ resource_id: 'haze:alpha', platform: 'haze', input_per_mtok: '0.1', currency: null }),
    priceRecord({ resource_id: 'mist:alpha', platform: 'mist', input_per_mtok: null, output_per_mtok: null }),
    priceRecord({ resource_id: 'mist:own', product_id: null, vendor: 'mist', input_per_mtok: null, output_per_mtok: null }),
  ]) // prettier-ignore
  await publish(
    database.db,
    changeFile({ title: 'Older' }),
    changeFile({ title: 'Newer', severity: 4 }),
    changeFile({ title: 'Down', category: 'incident' }),
  )
  await sql`insert into scheduled_prices (source, resource_id, starts_on, amounts, learned_at)
    values ('test', 'acme:alpha', (ratecard_now() + interval '30 days')::date, '{"input_per_mtok":"0.5"}', ratecard_now())`.execute(
    database.db,
  )
})

const set = (browser: Browser, kind: string, name: string, watched = true) =>
  browser.send('PUT', '/watches', { kind, name, watched })
const list = async (browser: Browser) => ((await browser.get('/watches')).body as Schemas['WatchList']).data

describe('a watch list', () => {
  test('has the cheapest platform, the last change and what is announced', async () => {
    expect((await set(ada, 'product', 'acme/alpha')).status).toBe(200)
    expect((await set(ada, 'product', 'acme/alpha')).status).toBe(200)
    expect((await set(ada, 'product', 'mist:own')).status).toBe(200)
    expect((await set(ada, 'vendor', 'acme')).status).toBe(200)
    const [alpha, unpriced, acme, ...others] = await list(ada)
    expect(others).toEqual([])
    expect(alpha).toMatchObject({
      kind: 'product',
      name: 'acme/alpha',
      page: '/models/acme/alpha',
      vendor: 'acme',
      platforms: 5,
      records: 5,
      cheapest: { platform: 'bolt', input_per_mtok: 0.2, output_per_mtok: 1, image_per_unit: null },
      last_change: { title: 'Newer', severity: 4 },
      announced: { resource_id: 'acme:alpha', input_per_mtok: 0.5, output_per_mtok: null, currency: 'USD' },
    })
    // Nothing is known: not a price of 0.
    expect(unpriced).toMatchObject({
      name: 'mist:own',
      page: '/prices/mist:own',
      cheapest: null,
      last_change: null,
      announced: null,
    })
    expect(acme).toMatchObject({
      kind: 'vendor',
      page: '/vendors/acme',
      products: 1,
      records: 5,
      cheapest: null,
    })

    expect((await set(ada, 'vendor', 'acme', false)).status).toBe(200)
    expect((await set(ada, 'vendor', 'acme', false)).status).toBe(200)
    expect(await list(ada)).toHaveLength(2)
  })

  test('takes what there is alone, and says so', async () => {
    expect(await set(ada, 'product', 'acme/nothing')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('There is no product “acme/nothing”') as string },
    })
    // A resource of a product has the product's changes.
    expect((await set(ada, 'product', 'acme:alpha')).status).toBe(400)
    expect((await set(ada, 'vendor', 'acme/alpha')).status).toBe(400)
    expect((await set(ada, 'vendor', `${'x'.repeat(513)}`)).status).toBe(400)
    expect((await ada.send('PUT', '/watches', { kind: 'all', name: 'acme', watched: true })).status).toBe(400)
  })

  test('is of a person in an account', async () => {
    const other = await signInOwner(database.db, api.url)
    expect(await list(other)).toEqual([])
    const isWatched = async (browser: Browser, query: string) => (await browser.get(`/watch?${query}`)).body
    expect(await isWatched(ada, 'kind=product&name=acme/alpha')).toEqual({ data: { watched: true } })
    expect(await isWatched(ada, 'kind=vendor&name=acme/alpha')).toEqual({ data: { watched: false } })
    expect(await isWatched(other, 'kind=product&name=acme/alpha')).toEqual({ data: { watched: false } })
    await set(other, 'product', 'acme/alpha', false)
    expect(await list(ada)).toHaveLength(2)
  })

  test('is read a few times a minute, and what one page asks for as often as other pages', async () => {
    const eager = await signInOwner(database.db, api.url)
    const statuses: number[] = []
    for (let count = 0; count < 22; count += 1) statuses.push((await eager.get('/watches')).status)
    expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(200))
    expect(statuses.at(-1)).toBe(429)
    expect((await eager.get('/watch?kind=vendor&name=acme')).status).toBe(200)
    expect((await eager.get('/usage')).status).toBe(200)
  })

  test(`holds ${watchesMax}, also when the last ones come at the same moment`, async () => {
    const eve = await signInOwner(database.db, api.url, { email: 'eve@customer.example' })
    await set(eve, 'vendor', 'acme')
    await sql`insert into watches (account_id, user_id, kind, name)
      select account_id, user_id, 'vendor', 'filler ' || n from watches
      join auth_users u on u.id = user_id and u.email = 'eve@customer.example',
      generate_series(1, ${watchesMax - 2}::int) n`.execute(database.db)
    const answers = await Promise.all([
      set(eve, 'product', 'acme/alpha'),
      set(eve, 'product', 'mist:own'),
      set(eve, 'vendor', 'mist'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: expect.stringContaining('Take one off your watch list') as string,
    })
    expect(await list(eve)).toHaveLength(watchesMax)
  })
})

describe('notifications', () => {
  const read = async (browser: Browser) =>
    ((await browser.get('/notifications')).body as { data: Schemas['Notifications'] }).data

  test('are all on, one by one off, and say that the server cannot mail', async () => {
    const on = { quota: true, packs: true, webhooks: true, keys: true, watched: true }
    expect(await read(ada)).toEqual({
      email: 'ada@customer.example',
      can_mail: false,
      kinds: on,
      at_once_severity: null,
      notices: [],
    })
    await ada.send('PATCH', '/notifications', { quota: false, at_once_severity: 4 })
    await ada.send('PATCH', '/notifications', { packs: false })
    await ada.send('PATCH', '/notifications', { quota: true })
    expect(await read(ada)).toMatchObject({ kinds: { ...on, packs: false }, at_once_severity: 4 })
    await ada.send('PATCH', '/notifications', { packs: true, at_once_severity: null })
    expect(await read(ada)).toMatchObject({ kinds: on, at_once_severity: null })
    expect((await ada.send('PATCH', '/notifications', {})).status).toBe(400)
    expect((await ada.send('PATCH', '/notifications', { at_once_severity: 6 })).status).toBe(400)
    expect((await ada.send('PATCH', '/notifications', { everything: false })).status).toBe(400)
  })

  test('list what the person was told, and nobody else', async () => {
    await sql`insert into notices (user_id, account_id, event, period, facts, outcome)
      select m.user_id, m.account_id, 'packs_low', 'pack_1', '{"units":1000,"remaining":50}', 'not_mailed'
      from members m join auth_users u on u.id = m.user_id where u.email = 'ada@customer.example'`.execute(
      database.db,
    )
    expect((await read(ada)).notices).toMatchObject([
      {
        kind: 'packs',
        account: { name: 'Acme' },
        subject: 'Your packs are nearly used up: 50 requests left',
        path: '/dashboard/billing',
        outcome: 'not_mailed',
      },
    ])
    expect((await read(await signInOwner(database.db, api.url))).notices).toEqual([])
  })

  describe('end by the link in a mail', () => {
    const userId = async () =>
      (
        await database.db
          .selectFrom('auth_users')
          .select('id')
          .where('email', '=', 'ada@customer.example')
          .executeTakeFirstOrThrow()
      ).id
    const open = (method: string, token: string, init: RequestInit = {}) =>
      fetch(`${api.url}/unsubscribe/${token}`, { method, ...init })

    test('signed out, when its button is pressed and not when it is opened', async () => {
      const token = tokens.make({ userId: await userId(), kind: 'quota' })
      for (const method of ['GET', 'HEAD']) {
        const looked = await open(method, token)
        expect(looked.status).toBe(200)
        expect(looked.headers.get('cache-control')).toBe('no-store')
        if (method === 'GET') expect(await looked.text()).toContain('method="post"')
      }
      expect((await read(ada)).kinds.quota).toBe(true)
      // As mail programs do (RFC 8058), in either form; twice is as good as once.
      const oneClick = { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
      const parts = new FormData()
      parts.set('List-Unsubscribe', 'One-Click')
      for (const init of [oneClick, { body: parts }, {}]) {
        const pressed = await open('POST', token, init)
        expect(pressed.status).toBe(200)
        expect(await pressed.text()).toContain('You are unsubscribed')
      }
      expect((await read(ada)).kinds).toMatchObject({ quota: false, packs: true })
      expect(JSON.stringify(api.log)).not.toContain(token)
    })

    test('of several notices all of them; a link under an older key works', async () => {
      const old = createUnsubscribeTokens(createSecretBox([oldKey]))
      expect((await open('POST', old.make({ userId: await userId(), kind: 'all' }))).status).toBe(200)
      expect(Object.values((await read(ada)).kinds)).toEqual([false, false, false, false, false])
      const on = { quota: true, packs: true, webhooks: true, keys: true, watched: true }
      await ada.send('PATCH', '/notifications', on)
    })

    test('which is ours and whole', async () => {
      const good = tokens.make({ userId: await userId(), kind: 'packs' })
      const others = createUnsubscribeTokens(createSecretBox([generateSecretsKey()]))
      const bad = [
        good.slice(0, -1),
        good.replace('packs', 'quota'),
        good.replace('packs', 'every'),
        others.make({ userId: await userId(), kind: 'packs' }),
        '%00',
        'x'.repeat(5_000),
      ]
      for (const token of bad) {
        for (const method of ['GET', 'POST']) {
          const { status } = await open(method, token)
          expect([400, 404], `${method} ${token.slice(0, 50)}`).toContain(status)
        }
      }
      expect((await read(ada)).kinds.packs).toBe(true)
      // Whoever is gone has nothing to end.
      expect((await open('POST', tokens.make({ userId: 'usr_gone', kind: 'packs' }))).status).toBe(200)
    })
  })
})
