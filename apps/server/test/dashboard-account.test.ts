import { describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { useApi } from './support/api.ts'
import { Browser, linkToken, signInNew, type DashboardAnswer } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard } from './support/process.ts'

const database = useDatabase()
const api = useApi(database)
const password = 'correct horse battery'
const emailOf = (name: string) => `${name.toLowerCase()}@customer.example`
const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data

const meOf = async (browser: Browser) => dataOf<Schemas['Me']>(await browser.get('/me'))
const sessionsOf = async (browser: Browser) => dataOf<Schemas['Session'][]>(await browser.get('/sessions'))
const membersOf = async (browser: Browser) => (await browser.get('/members')).body as Schemas['MemberList']
const auditOf = async (browser: Browser) =>
  dataOf<Schemas['AuditEntry'][]>(await browser.get('/audit-log')).map(
    ({ action, actor_name, details }) =>
      `${actor_name} ${action} ${details.map(({ name, value }) => `${name}=${value}`).join(' ')}`,
  )

async function signInAgain(name: string, headers: Record<string, string> = {}): Promise<Browser> {
  const browser = new Browser(api.url, headers)
  expect((await browser.post('/sign-in', { email: emailOf(name), password })).status).toBe(200)
  return browser
}

/** Invites a signed-in user, who accepts. @returns the user's id */
async function invite(owner: Browser, guest: { name: string; browser: Browser }, role: Schemas['Role']) {
  const email = emailOf(guest.name)
  expect((await owner.post('/invitations', { email, role })).status).toBe(201)
  const token = await linkToken(api, email)
  expect((await guest.browser.post('/accept-invitation', { token })).status).toBe(200)
  return (await meOf(guest.browser)).user.id
}

test('an account that an operator made gets its first owner by a link of the operator', async () => {
  const asOperator = async (...words: string[]) => {
    const result = await ratecard([...words, '--json'], { DATABASE_URL: database.url })
    expect(result.exitCode, result.stderr).toBe(0)
    return JSON.parse(result.stdout) as { id: string; link: string }
  }
  const { id } = await asOperator('accounts', 'create', '--name', 'Acme')
  const { browser } = await signInNew(api, 'Olga')
  const { link } = await asOperator('accounts', 'invite', id, emailOf('Olga').toUpperCase())
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  const joined = await browser.post('/accept-invitation', { token })
  expect(joined.body).toMatchObject({ data: { account: { id, name: 'Acme', role: 'owner' } } })
  expect(await auditOf(browser)).toEqual([
    expect.stringContaining('member.joined'),
    `null member.invited role=owner email=${emailOf('Olga')}`,
  ])
  const refused = await ratecard(['accounts', 'invite', id, 'nobody'], { DATABASE_URL: database.url })
  expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
})

describe('sessions', () => {
  test('are listed with the browser and address of each, and end when they are revoked', async () => {
    const { browser } = await signInNew(api, 'Ada')
    const phone = await signInAgain('Ada', { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '198.51.100.7' })
    const sessions = await sessionsOf(browser)
    expect(sessions).toMatchObject([
      { current: false, user_agent: 'Phone/1.0', ip_address: '198.51.100.7' },
      { current: true },
    ])
    expect(JSON.stringify(sessions)).not.toContain('token')
    const { id } = sessions[0]!
    expect((await browser.send('DELETE', `/sessions/${id}`)).status).toBe(200)
    expect((await phone.get('/me')).status).toBe(401)
    expect((await browser.get('/me')).status).toBe(200)
    expect((await browser.send('DELETE', `/sessions/${id}`)).status).toBe(404)
    expect(await sessionsOf(browser)).toHaveLength(1)
  })

  test('of others cannot be ended', async () => {
    const { browser } = await signInNew(api, 'Barbara')
    const { browser: other } = await signInNew(api, 'Cleo')
    const [session] = await sessionsOf(other)
    expect((await browser.send('DELETE', `/sessions/${session!.id}`)).status).toBe(404)
    expect((await other.get('/me')).status).toBe(200)
  })
})

test('an account is renamed by its owner, once', async () => {
  const { browser } = await signInNew(api, 'Dora')
  const renamed = await browser.send('PATCH', '/account', { name: 'Dora & Co' })
  expect(renamed).toMatchObject({
    status: 200,
    body: { data: { account: { name: 'Dora & Co' }, accounts: [{ name: 'Dora & Co' }] } },
  })
  expect((await browser.send('PATCH', '/account', { name: 'Dora & Co' })).status).toBe(200)
  expect((await meOf(browser)).account?.name).toBe('Dora & Co')
  expect(await auditOf(browser)).toEqual(['dora@customer.example account.renamed to=Dora & Co from=Dora'])
})

describe('members', () => {
  test('are invited by mail, join with that address, and look at the account', async () => {
    const { browser: owner, accountId } = await signInNew(api, 'Elin')
    const { browser: guest, accountId: ownAccountId } = await signInNew(api, 'Fay')
    const { browser: thief } = await signInNew(api, 'Gil')
    expect((await owner.post('/keys', { name: 'Elin’s' })).status).toBe(201)

    const invited = await owner.post('/invitations', { email: 'FAY@customer.example', role: 'member' })
    expect(invited).toMatchObject({ status: 201, body: { data: { email: emailOf('Fay'), role: 'member' } } })
    const first = await linkToken(api, emailOf('Fay'))
    expect(JSON.stringify(invited.body)).not.toContain(first)
    expect((await owner.post('/invitations', { email: emailOf('Fay'), role: 'member' })).status).toBe(201)
    const token = await linkToken(api, emailOf('Fay'))
    expect((await membersOf(owner)).invitations).toHaveLength(1)

    expect((await thief.post('/accept-invitation', { token })).status).toBe(404)
    expect((await guest.post('/accept-invitation', { token: first })).status).toBe(404)
    const joined = await guest.post('/accept-invitation', { token })
    expect(joined).toMatchObject({
      status: 200,
      body: { data: { account: { id: accountId, role: 'member' }, accounts: [{ id: ownAccountId }, {}] } },
    })
    expect((await guest.post('/accept-invitation', { token })).status).toBe(404)
    expect(await guest.get('/keys')).toMatchObject({ body: { data: [{ name: 'Elin’s' }] } })
    expect(await membersOf(owner)).toMatchObject({
      data: [
        { name: 'Elin', role: 'owner' },
        { name: 'Fay', role: 'member' },
      ],
      invitations: [],
    })
    const again = await owner.post('/invitations', { email: emailOf('Fay'), role: 'owner' })
    expect(again).toMatchObject({
      status: 409,
      body: { message: 'fay@customer.example is a member already.' },
    })

    expect((await guest.post('/switch-account', { account_id: ownAccountId })).status).toBe(200)
    expect(await guest.get('/keys')).toMatchObject({ body: { data: [] } })
    expect((await thief.post('/switch-account', { account_id: accountId })).status).toBe(404)
    expect((await auditOf(owner)).slice(0, 2)).toEqual([
      'fay@customer.example member.joined role=member email=fay@customer.example',
      'elin@customer.example member.invited role=member email=fay@customer.example',
    ])
    expect(api.log.join('').split(token)).toHaveLength(2)
  })

  test('an invitation that was taken back, or is too old, does not work', async () => {
    const { browser: owner } = await signInNew(api, 'Hal')
    const { browser: guest } = await signInNew(api, 'Ida')
    const email = emailOf('Ida')
    const inviteIda = async () =>
      dataOf<Schemas['Invitation']>(await owner.post('/invitations', { email, role: 'member' }))
    const { id } = await inviteIda()
    const taken = await linkToken(api, email)
    expect((await guest.send('DELETE', `/invitations/${id}`)).status).toBe(404)
    expect((await owner.send('DELETE', `/invitations/${id}`)).status).toBe(200)
    expect((await owner.send('DELETE', `/invitations/${id}`)).status).toBe(404)
    expect((await guest.post('/accept-invitation', { token: taken })).status).toBe(404)

    await inviteIda()
    await database.db
      .updateTable('invitations')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('email', '=', email)
      .execute()
    expect((await guest.post('/accept-invitation', { token: await linkToken(api, email) })).status).toBe(404)
    expect((await membersOf(owner)).invitations).toEqual([])
  })

  test('may not do what is for owners', async () => {
    const { browser: owner } = await signInNew(api, 'Jo')
    const kim = { name: 'Kim', ...(await signInNew(api, 'Kim')) }
    await invite(owner, kim, 'member')
    const ownerId = (await meOf(owner)).user.id
    const refused = await Promise.all([
      kim.browser.send('PATCH', '/account', { name: 'Mine' }),
      kim.browser.send('PATCH', `/members/${ownerId}`, { role: 'member' }),
      kim.browser.send('DELETE', `/members/${ownerId}`),
      kim.browser.post('/invitations', { email: 'friend@customer.example', role: 'owner' }),
      kim.browser.send('DELETE', '/invitations/inv_1'),
    ])
    expect(refused.map(({ status, body }) => [status, (body as { error: string }).error])).toEqual(
      refused.map(() => [403, 'owner_only']),
    )
  })

  test('are removed by an owner, and see nothing from then on; and remove themselves', async () => {
    const { browser: owner, accountId } = await signInNew(api, 'Lea')
    const mia = { name: 'Mia', ...(await signInNew(api, 'Mia')) }
    const id = await invite(owner, mia, 'member')
    expect((await meOf(mia.browser)).account?.id).toBe(accountId)
    expect((await owner.send('DELETE', `/members/${id}`)).status).toBe(200)
    expect((await meOf(mia.browser)).account?.id).toBe(mia.accountId)
    expect((await mia.browser.post('/switch-account', { account_id: accountId })).status).toBe(404)
    expect((await owner.send('DELETE', `/members/${id}`)).status).toBe(404)

    await invite(owner, mia, 'member')
    expect((await mia.browser.send('DELETE', `/members/${id}`)).status).toBe(200)
    expect((await membersOf(owner)).data).toHaveLength(1)
  })

  test('the last owner stays one, even when two go at the same moment', async () => {
    const { browser: owner } = await signInNew(api, 'Nora')
    const olga = { name: 'Olga', ...(await signInNew(api, 'Olga')) }
    const ownerId = (await meOf(owner)).user.id
    const last = { status: 409, body: { error: 'last_owner' } }
    expect(await owner.send('DELETE', `/members/${ownerId}`)).toMatchObject(last)
    expect(await owner.send('PATCH', `/members/${ownerId}`, { role: 'member' })).toMatchObject(last)

    const olgaId = await invite(owner, olga, 'member')
    expect(await owner.send('DELETE', `/members/${ownerId}`)).toMatchObject(last)
    expect((await owner.send('PATCH', `/members/${olgaId}`, { role: 'owner' })).status).toBe(200)
    const both = await Promise.all([
      owner.send('DELETE', `/members/${ownerId}`),
      olga.browser.send('PATCH', `/members/${olgaId}`, { role: 'member' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('the twenty-first invitation within an hour is refused', async () => {
    const { browser } = await signInNew(api, 'Pia')
    for (let count = 1; count <= 20; count += 1) {
      const answer = await browser.post('/invitations', { email: `guest${count}@x.example`, role: 'member' })
      expect(answer.status).toBe(201)
    }
    const refused = await browser.post('/invitations', { email: 'guest21@x.example', role: 'member' })
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
    expect(refused.headers.get('retry-after')).toBe('3600')
  })
})

test('the audit log is read page by page, each entry once', async () => {
  const { browser } = await signInNew(api, 'Quin')
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await browser.send('PATCH', '/account', { name })
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { body } = await browser.get(`/audit-log?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    const { data, pagination } = body as Schemas['AuditList']
    pages.push(data.map(({ details }) => details.find(({ name }) => name === 'to')!.value))
    cursor = pagination?.next_cursor
  } while (cursor !== undefined)
  expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']])
  expect((await browser.get('/audit-log?cursor=nonsense')).status).toBe(400)
})

test('the audit log tells what a program did with a key', async () => {
  const { browser, accountId } = await signInNew(api, 'Sara')
  await putSubscription(database.db, accountId, 'developer', {})
  const { key, record } = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'CI' }))
  const url = 'https://hooks.customer.example/in'
  const body = { url, events: ['change.alert'], secret: 'a secret of sixteen' }
  const made = await api.request('/v1/webhooks', { key, method: 'POST', body })
  const { id } = (made.body as { data: { id: string } }).data
  expect((await api.request(`/v1/webhooks/${id}`, { key, method: 'DELETE' })).status).toBe(200)
  expect((await api.request(`/v1/webhooks/${id}`, { key, method: 'DELETE' })).status).toBe(404)
  const who = { actor: 'key', actor_name: record.name, subject_id: id }
  expect(dataOf(await browser.get('/audit-log'))).toMatchObject([
    { ...who, action: 'webhook.deleted' },
    { ...who, action: 'webhook.created', details: [{ name: 'host', value: 'hooks.customer.example' }] },
    { actor: 'user', action: 'key.created' },
  ])
})

test('the audit log is filtered and searched, and the same is had as a file', async () => {
  const { browser } = await signInNew(api, 'Vera')
  await browser.send('PATCH', '/account', { name: 'Vera & Co' })
  await browser.post('/keys', { name: '=CI, 100%' })
  const found = async (query: string) =>
    dataOf<Schemas['AuditEntry'][]>(await browser.get(`/audit-log?${query}`)).map(({ action }) => action)
  expect(await found('kind=key')).toEqual(['key.created'])
  expect(await found('search=VERA%20%26')).toEqual(['account.renamed'])
  expect(await found('search=100%25')).toEqual(['key.created'])
  expect(await found('search=vera@customer')).toEqual(['key.created', 'account.renamed'])
  expect(await found('kind=billing&search=vera')).toEqual([])
  expect((await browser.get('/audit-log?kind=keys')).status).toBe(400)
  const [entry] = dataOf<Schemas['AuditEntry'][]>(await browser.get('/audit-log?kind=key'))
  const file = await browser.get('/audit-log.csv?kind=key')
  expect(file.headers.get('content-disposition')).toContain('audit-log.csv')
  const { id, at, subject_id } = entry!
  expect(file.body).toBe(
    `id,at,actor,actor_name,action,subject_id,details\r\n${id},${at},user,vera@customer.example,key.created,${subject_id},"name==CI, 100%"\r\n`,
  )
})

test('a name that turns the direction of the text after it, or has control characters, is refused', async () => {
  const { browser } = await signInNew(api, 'Wim')
  for (const name of ['\u202eevil', 'a\u0000b', 'a\u2067b', 'new\nline'])
    for (const answer of [
      await browser.send('PATCH', '/account', { name }),
      await browser.post('/keys', { name }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
})

test('without a payment provider, the billing page names whom to write to', async () => {
  const { browser } = await signInNew(api, 'Rosa')
  expect(dataOf(await browser.get('/billing'))).toEqual({
    ...{ plan: 'free', subscriptions: [], packs: [], provider: 'none', offers: [] },
    ...{ has_portal: false, contact: null },
  })
  for (const [path, body] of [['/billing/checkout', { item: 'pack' }], ['/billing/portal']] as const) {
    expect(await browser.post(path, body)).toMatchObject({
      status: 409,
      body: {
        error: 'billing_unavailable',
        message: 'Nothing can be bought here. Write to the operator of this server.',
      },
    })
  }
  const event = { id: 'evt_1', type: 'checkout.session.completed' }
  expect((await browser.post('/billing/stripe', event, { 'stripe-signature': 't=1,v1=0' })).status).toBe(404)
})
