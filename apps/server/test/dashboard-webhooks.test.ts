import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '@ratecard/dashboard/contract'
import type { PaidPlan } from '../src/features/entitlements/plans.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { soon, useAlerting } from './support/alert-fixtures.ts'
import { useApi } from './support/api.ts'
import { authorityFile } from './support/certificates.ts'
import type { Browser, DashboardAnswer } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabase } from './support/postgres.ts'
import { isSigned, type Behaviour } from './support/receiver.ts'

const database = useDatabase()
const secretsKey = generateSecretsKey()
const alerting = useAlerting(database, secretsKey)
const api = useApi(database, {
  env: {
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    WEBHOOK_TIMEOUT: '1500ms',
  },
})
beforeAll(() => alerting.startWorker())

const secret = 'a secret of the test, long enough'
const generated = /^rc_whsec_[0-9A-Za-z]{40}$/

let endpointCount = 0

/** A user with an account on this plan. */
async function customer(
  plan: PaidPlan | null = 'developer',
): Promise<{ browser: Browser; accountId: string }> {
  // Made by hand: the worker of this file sends mails too, and has a log of its own.
  const browser = await signInOwner(database.db, api.url, plan === null ? {} : { plan })
  const { account } = dataOf<Schemas['Me']>(await browser.get('/me'))
  return { browser, accountId: account!.id }
}

const dataOf = <Data>({ body }: DashboardAnswer): Data => (body as { data: Data }).data

/** An endpoint of its own at the receiver. */
function endpoint(behave?: Behaviour) {
  endpointCount += 1
  const path = `/dashboard/${endpointCount}`
  if (behave) alerting.receiver.behave(path, behave)
  const received = () => alerting.receiver.received.filter((item) => item.path === path)
  return { url: alerting.receiver.url + path, path, received }
}

async function create(browser: Browser, body: Record<string, unknown>): Promise<Schemas['NewWebhook']> {
  const answer = await browser.post('/webhooks', body)
  expect(answer.status).toBe(201)
  return dataOf(answer)
}

const deliveriesOf = async (browser: Browser, query = '') =>
  (await browser.get(`/deliveries${query}`)).body as Schemas['DeliveryList']

const auditOf = async (accountId: string) =>
  database.db
    .selectFrom('audit_entries')
    .select(['action', 'subject_id', 'details'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .execute()

const answer =
  (status: number): Behaviour =>
  (res) =>
    res.writeHead(status).end()

describe('a subscription', () => {
  test('is made with a secret that is shown once, and is listed without it', async () => {
    const { browser, accountId } = await customer()
    const { url } = endpoint()
    const made = await create(browser, { url })
    expect(made.secret).toMatch(generated)
    const record = {
      url,
      events: ['change.alert'],
      active: true,
      obstacle: null,
      last_status: null,
      last_error: null,
      last_success_at: null,
      failing_since: null,
    }
    expect(made.record).toMatchObject(record)
    expect(await browser.get('/webhooks')).toMatchObject({
      status: 200,
      body: { data: [{ id: made.record.id, ...record }], active: 1, active_max: 2 },
    })
    const { id } = made.record
    expect(dataOf(await browser.get(`/webhooks/${id}`))).toEqual(made.record)
    expect(await auditOf(accountId)).toEqual([
      { action: 'webhook.created', subject_id: id, details: { host: new URL(url).host } },
    ])
    expect(api.log.join('')).not.toContain(made.secret)
    expect(JSON.stringify(await browser.get('/webhooks'))).not.toContain(made.secret)
  })

  test('takes a secret of one’s own', async () => {
    const { browser } = await customer()
    expect((await create(browser, { url: endpoint().url, secret })).secret).toBe(secret)
    expect(await browser.post('/webhooks', { url: endpoint().url, secret: `${secret}\ud800` })).toMatchObject(
      {
        status: 400,
        body: { message: expect.stringContaining('well-formed') as string },
      },
    )
    expect(api.log.join('')).not.toContain(secret)
  })

  test('is not for the free plan, which says so', async () => {
    const { browser } = await customer(null)
    expect(await browser.get('/webhooks')).toMatchObject({ body: { data: [], active: 0, active_max: 0 } })
    expect(await browser.post('/webhooks', { url: endpoint().url })).toMatchObject({
      status: 403,
      body: {
        error: 'forbidden',
        message: 'Your plan does not include webhooks. Upgrade to be told of changes.',
      },
    })
  })

  test('of a plan that has lapsed says why nothing comes, and can be deleted', async () => {
    const { browser, accountId } = await customer()
    const { record } = await create(browser, { url: endpoint().url })
    await database.db.deleteFrom('subscriptions').where('account_id', '=', accountId).execute()
    expect(dataOf(await browser.get(`/webhooks/${record.id}`))).toMatchObject({
      active: true,
      obstacle: expect.stringContaining('no current paid plan') as string,
    })
    expect((await browser.post(`/webhooks/${record.id}/test`)).status).toBe(403)
    expect((await browser.send('DELETE', `/webhooks/${record.id}`)).status).toBe(200)
    expect(await browser.get('/webhooks')).toMatchObject({ body: { data: [] } })
    expect(await browser.send('DELETE', `/webhooks/${record.id}`)).toMatchObject({ status: 404 })
  })

  test('has an address that the check and the creation judge alike', async () => {
    const { browser } = await customer()
    const bad = [
      'https://10.0.0.1/hook',
      'https://hooks',
      'https://user:word@hooks.example.com/',
      'https://hooks.example.com/#part',
    ]
    for (const url of bad) {
      const { problem } = dataOf<Schemas['UrlVerdict']>(await browser.post('/webhook-url', { url }))
      expect(problem).toMatch(/^The url must /)
      expect(await browser.post('/webhooks', { url })).toMatchObject({
        status: 400,
        body: { message: problem },
      })
    }
    expect(dataOf(await browser.post('/webhook-url', { url: 'https' }))).toEqual({
      problem: 'The url must start with "https://" in lower case.',
    })
    expect(dataOf(await browser.post('/webhook-url', { url: 'https://hooks.example.com/' }))).toEqual({
      problem: null,
    })
  })
})

describe('switching', () => {
  test('off and on again, within what the plan allows', async () => {
    const { browser, accountId } = await customer()
    const first = (await create(browser, { url: endpoint().url })).record
    await create(browser, { url: endpoint().url })
    const limit = { status: 409, body: { error: 'webhook_limit_reached' } }
    expect(await browser.post('/webhooks', { url: endpoint().url })).toMatchObject(limit)

    const path = `/webhooks/${first.id}`
    expect(dataOf(await browser.send('PATCH', path, { active: false }))).toMatchObject({
      active: false,
      obstacle: expect.stringContaining('switched off') as string,
    })
    const third = (await create(browser, { url: endpoint().url })).record
    const refused = await browser.send('PATCH', path, { active: true })
    expect(refused).toMatchObject(limit)
    expect(refused.body).toMatchObject({
      message: expect.stringContaining('allows 2 active webhooks') as string,
    })
    expect(dataOf(await browser.get(path))).toMatchObject({ active: false })

    await browser.send('PATCH', `/webhooks/${third.id}`, { active: false })
    await sql`update webhooks set exhausted_count = 9, failing_since = '2020-01-01' where id = ${first.id}`.execute(
      database.db,
    )
    expect(dataOf(await browser.send('PATCH', path, { active: true }))).toMatchObject({
      active: true,
      obstacle: null,
    })
    const { rows } =
      await sql`select exhausted_count, failing_since > '2021-01-01' as anew from webhooks where id = ${first.id}`.execute(
        database.db,
      )
    expect(rows).toEqual([{ exhausted_count: 0, anew: true }])
    expect((await auditOf(accountId)).filter(({ action }) => action === 'webhook.updated')).toMatchObject([
      { subject_id: first.id, details: { active: 'off' } },
      { subject_id: third.id, details: { active: 'off' } },
      { subject_id: first.id, details: { active: 'on' } },
    ])
  })

  test('two on at the same moment, with room for one', async () => {
    const { browser } = await customer()
    const made = [
      await create(browser, { url: endpoint().url }),
      await create(browser, { url: endpoint().url }),
    ].map(({ record }) => `/webhooks/${record.id}`)
    for (const path of made) await browser.send('PATCH', path, { active: false })
    await create(browser, { url: endpoint().url })
    const answers = await Promise.all(made.map((path) => browser.send('PATCH', path, { active: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await browser.get('/webhooks')).toMatchObject({ body: { active: 2 } })
  })

  test('to another address begins anew, and a private one is refused', async () => {
    const { browser } = await customer()
    const { id } = (await create(browser, { url: endpoint().url })).record
    const { url } = endpoint()
    expect(dataOf(await browser.send('PATCH', `/webhooks/${id}`, { url, events: ['*'] }))).toMatchObject({
      url,
      events: ['*'],
    })
    expect((await browser.send('PATCH', `/webhooks/${id}`, { url: 'https://192.168.0.1/' })).status).toBe(400)
    expect((await browser.send('PATCH', `/webhooks/${id}`, {})).status).toBe(400)
  })
})

describe('a test', () => {
  test('is signed, marked as one, and says what the endpoint made of it', async () => {
    const { browser, accountId } = await customer()
    const good = endpoint()
    const { record } = await create(browser, { url: good.url, secret })
    expect(await browser.post(`/webhooks/${record.id}/test`)).toMatchObject({
      status: 200,
      body: { data: { attempt: 1, status: 200, error_class: null, error: null } },
    })
    expect(good.received()).toHaveLength(1)
    const [received] = good.received()
    expect(received?.headers['x-svc-test']).toBe('true')
    expect(received && isSigned(received, secret)).toBe(true)
    expect(received?.alert.changes).toMatchObject([{ title: 'A test alert' }])
    expect(await deliveriesOf(browser)).toEqual({ data: [] })
    expect((await auditOf(accountId)).map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.tested',
    ])

    const bad = endpoint(answer(500))
    await browser.send('PATCH', `/webhooks/${record.id}`, { url: bad.url })
    expect(dataOf(await browser.post(`/webhooks/${record.id}/test`))).toMatchObject({
      status: 500,
      error_class: 'http_500',
      error: 'The endpoint answered 500. It must answer 200 to 299 for a received alert.',
    })
    const silent = endpoint(() => undefined)
    await browser.send('PATCH', `/webhooks/${record.id}`, { url: silent.url })
    const late = dataOf<Schemas['Attempt']>(await browser.post(`/webhooks/${record.id}/test`))
    expect(late).toMatchObject({ status: null, error_class: 'timeout' })
    expect(late.duration_ms).toBeGreaterThanOrEqual(1_500)
    expect(dataOf(await browser.get(`/webhooks/${record.id}`))).toMatchObject({
      last_status: null,
      last_error: null,
    })
  })

  test('the eleventh of an account within a minute is refused', async () => {
    const { browser } = await customer()
    const { url, received } = endpoint()
    const { id } = (await create(browser, { url })).record
    const send = () => browser.post(`/webhooks/${id}/test`)
    const answers: DashboardAnswer[] = []
    for (let count = 0; count < 8; count += 1) answers.push(await send())
    // The last of them at the same moment: none slips through between the count and the note of another.
    answers.push(...(await Promise.all([send(), send(), send()])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
    const wait = Number(refused?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(received()).toHaveLength(10)
  })
})

describe('another secret', () => {
  test.each<[string, { secret?: string }]>([
    ['generated', {}],
    ['given', { secret: 'another secret, brought along' }],
  ])('that is %s signs what is sent next', async (how, body) => {
    const { browser, accountId } = await customer()
    const { url, received } = endpoint()
    const made = await create(browser, { url })
    const path = `/webhooks/${made.record.id}`
    const rotated = await browser.post(`${path}/secret`, body)
    expect(rotated.status).toBe(200)
    const { secret: next, record } = dataOf<Schemas['NewWebhook']>(rotated)
    expect(record.id).toBe(made.record.id)
    if (body.secret === undefined) expect(next).toMatch(generated)
    else expect(next).toBe(body.secret)
    expect(next).not.toBe(made.secret)
    await browser.post(`${path}/test`)
    const [item] = received()
    expect(item && [isSigned(item, made.secret), isSigned(item, next)]).toEqual([false, true])
    expect(await auditOf(accountId)).toContainEqual({
      action: 'webhook.secret_rotated',
      subject_id: made.record.id,
      details: { secret: how },
    })
    expect(JSON.stringify(await auditOf(accountId)) + api.log.join('')).not.toContain(next)
  })

  test('that is too short is refused without naming it', async () => {
    const { browser } = await customer()
    const { id } = (await create(browser, { url: endpoint().url })).record
    const refused = await browser.post(`/webhooks/${id}/secret`, { secret: 'fifteen chars!!' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(JSON.stringify(refused.body) + api.log.join('')).not.toContain('fifteen chars!!')
  })
})

describe('deliveries', () => {
  test('are told with every attempt and what to do, and can be sent again', async () => {
    const { browser, accountId } = await customer()
    let status = 503
    const { url, received } = endpoint((res) => res.writeHead(status).end())
    const { id } = (await create(browser, { url, secret })).record
    await alerting.publish()
    const exhausted = async () => (await deliveriesOf(browser)).data.map(({ state }) => state)
    await expect.poll(exhausted, soon).toEqual(['exhausted'])
    const [delivery] = (await deliveriesOf(browser)).data
    expect(delivery).toMatchObject({
      webhook_id: id,
      attempts: 3,
      advice: 'Given up after 3 attempts. Mend the endpoint, then send it again.',
      change_ids: [expect.stringMatching(/^chg_/)],
      next_attempt_at: null,
      log: [1, 2, 3].map((attempt) => ({
        attempt,
        status: 503,
        error_class: 'http_503',
        error: 'The endpoint answered 503. It must answer 200 to 299 for a received alert.',
      })),
    })
    expect(dataOf(await browser.get(`/deliveries/${delivery?.id}`))).toEqual(delivery)
    const failing = dataOf<Schemas['Webhook']>(await browser.get(`/webhooks/${id}`))
    expect(failing).toMatchObject({ last_status: 503, last_success_at: null })
    expect(failing.failing_since).not.toBeNull()

    status = 200
    const again = await browser.post(`/deliveries/${delivery?.id}/resend`)
    expect(again).toMatchObject({
      status: 201,
      body: { data: { webhook_id: id, state: 'pending', advice: null, attempts: 0, log: [] } },
    })
    const { id: newId } = dataOf<Schemas['Delivery']>(again)
    await expect
      .poll(async () => dataOf<Schemas['Delivery']>(await browser.get(`/deliveries/${newId}`)), soon)
      .toMatchObject({ state: 'delivered', advice: null, log: [{ attempt: 1, status: 200, error: null }] })
    expect(received()).toHaveLength(4)
    expect(
      received()
        .at(-1)
        ?.alert.changes.map((change) => change.id),
    ).toEqual(delivery?.change_ids)
    expect((await deliveriesOf(browser, '?state=delivered')).data.map((row) => row.id)).toEqual([newId])
    expect(dataOf(await browser.get(`/webhooks/${id}`))).toMatchObject({
      last_status: 200,
      failing_since: null,
    })
    expect(await auditOf(accountId)).toContainEqual({
      action: 'delivery.resent',
      subject_id: delivery?.id,
      details: { new_delivery: newId, webhook: id },
    })

    // A sent delivery outlives the subscription; sending it again does not.
    await browser.send('DELETE', `/webhooks/${id}`)
    expect((await deliveriesOf(browser, `?webhook_id=${id}`)).data).toHaveLength(2)
    expect(await browser.post(`/deliveries/${newId}/resend`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
  })

  test('of what is switched off say so', async () => {
    const { browser } = await customer()
    const held = Promise.withResolvers<void>()
    const { url } = endpoint((res) => void held.promise.then(() => res.writeHead(500).end()))
    const { id } = (await create(browser, { url })).record
    await alerting.publish()
    await browser.send('PATCH', `/webhooks/${id}`, { active: false })
    held.resolve()
    const latest = async () => (await deliveriesOf(browser, `?webhook_id=${id}`)).data[0]
    await expect.poll(latest, soon).toMatchObject({
      state: 'inactive',
      advice: 'The subscription was switched off when it was due. Switch it on, then send it again.',
    })
  })

  test('come in pages, each once', async () => {
    const { browser } = await customer()
    const { id } = (await create(browser, { url: endpoint().url })).record
    for (let count = 0; count < 5; count += 1) await alerting.publish()
    await expect.poll(async () => (await deliveriesOf(browser, '?state=delivered')).data.length, soon).toBe(5)
    const all = (await deliveriesOf(browser)).data.map((row) => row.id)
    const paged: string[] = []
    let query: string | null = `?webhook_id=${id}&limit=2`
    while (query !== null) {
      const page: Schemas['DeliveryList'] = await deliveriesOf(browser, query)
      expect(page.data.length).toBeLessThanOrEqual(2)
      paged.push(...page.data.map((row) => row.id))
      const next = page.pagination?.next_cursor
      query = next === undefined ? null : `?webhook_id=${id}&limit=2&cursor=${next}`
    }
    expect(paged).toEqual(all)
    expect((await browser.get('/deliveries?cursor=nonsense')).status).toBe(400)
  })
})

test('another account’s webhooks and deliveries are not there, and stay as they are', async () => {
  const owner = await customer()
  const { url, received } = endpoint()
  const { id } = (await create(owner.browser, { url })).record
  await alerting.publish()
  await expect
    .poll(async () => (await deliveriesOf(owner.browser, '?state=delivered')).data.length, soon)
    .toBe(1)
  const [delivery] = (await deliveriesOf(owner.browser)).data
  const before = await owner.browser.get('/webhooks')

  const { browser: stranger, accountId } = await customer()
  const attempts = await Promise.all([
    stranger.get(`/webhooks/${id}`),
    stranger.send('PATCH', `/webhooks/${id}`, { active: false }),
    stranger.send('DELETE', `/webhooks/${id}`),
    stranger.post(`/webhooks/${id}/secret`, {}),
    stranger.post(`/webhooks/${id}/test`),
    stranger.get(`/deliveries?webhook_id=${id}`),
    stranger.get(`/deliveries/${delivery?.id}`),
    stranger.post(`/deliveries/${delivery?.id}/resend`),
  ])
  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 404))
  expect(await stranger.get('/webhooks')).toMatchObject({ body: { data: [] } })
  expect(await deliveriesOf(stranger)).toEqual({ data: [] })
  expect((await owner.browser.get('/webhooks')).body).toEqual(before.body)
  expect((await deliveriesOf(owner.browser)).data).toEqual([delivery])
  expect(received()).toHaveLength(1)
  expect(await auditOf(accountId)).toEqual([])
})
