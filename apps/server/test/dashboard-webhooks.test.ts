import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import type { DashboardAnswer } from './support/dashboard-client.ts'
import { isSigned } from './support/receiver.ts'
import {
  create,
  answer,
  dataOf,
  deliveriesOf,
  generated,
  secret,
  useDashboardWebhooks,
} from './support/dashboard-webhooks.ts'

const { database, api, customer, endpoint, auditOf } = useDashboardWebhooks()

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
    expect(dataOf(await browser.get(`/webhooks/${id}`))).toEqual({ ...made.record, failed_count: 0 })
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
        body: { message: expect.stringContaining('surrogate') as string },
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
