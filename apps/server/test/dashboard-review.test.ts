import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertVerifiedUser } from '../src/features/members/user-store.ts'
import { useApi } from './support/api.ts'
import { expectedAccess } from './support/dashboard-access.ts'
import { Browser } from './support/dashboard-client.ts'
import { callOf, dashboardOperations } from './support/dashboard-operations.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { createFeeder, litellmFile } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { everyRow } from './support/tenants.ts'

// What operators decide in the dashboard, and who is one.

const password = 'correct horse battery'
const operatorEmail = 'ada@prices.example'

const database = useDatabase()
const api = useApi(database, { env: { OPERATOR_EMAILS: `Ada@Prices.example, grace@prices.example` } })
const feed = createFeeder(() => database.db)
let operator: Browser
let customer: Browser

beforeAll(async () => {
  operator = await signInOwner(database.db, api.url, { email: operatorEmail })
  customer = await signInOwner(database.db, api.url)
})

const day1 = '2026-03-01T00:00:00Z'
const day2 = '2026-03-02T00:00:00Z'
const genai = (input: number) =>
  JSON.stringify([
    { id: 'acme', name: 'Acme', models: [{ id: 'alpha', prices: { input_mtok: input, output_mtok: 8 } }] },
  ])
const link = (source: string) => ({ source })

/** litellm alone moves beta and gamma by twenty; alpha it has with another source, which it contradicts. */
async function seed(): Promise<void> {
  await sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db)
  const rows = {
    alpha: { input: 2, output: 8 },
    beta: { input: 1, output: 4, more: link('https://acme.example/pricing') },
    gamma: { input: 1, output: 4, more: link('javascript:alert(1)') },
  }
  await feed(day1, genai(2), { source: 'genai-prices' })
  await feed(day1, litellmFile(rows))
  await feed(
    day2,
    litellmFile({
      alpha: { ...rows.alpha, input: 4 },
      beta: { ...rows.beta, input: 20 },
      gamma: { ...rows.gamma, input: 20 },
    }),
  )
}
beforeAll(seed)

async function waiting(query = ''): Promise<Schemas['HoldList']> {
  const { status, body } = await operator.get(`/review/holds${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Schemas['HoldList']
}

async function idOf(resourceId: string): Promise<string> {
  const hold = (await waiting()).data.find(({ resource_id }) => resource_id === resourceId)
  if (!hold) throw new Error(`Nothing of ${resourceId} waits.`)
  return hold.id
}

async function caseOf(resourceId: string): Promise<Schemas['HoldCase']> {
  const { status, body } = await operator.get(`/review/holds/${await idOf(resourceId)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { data: Schemas['HoldCase'] }).data
}

const inputOf = async (resourceId: string) =>
  (
    await database.db
      .selectFrom('prices')
      .select(sql<string>`trim_scale(input_per_mtok)::text`.as('input'))
      .where('resource_id', '=', resourceId)
      .executeTakeFirst()
  )?.input

describe('who is an operator', () => {
  const operations = dashboardOperations.filter(({ id }) => expectedAccess[id] === 'operator')
  const nothing = { error: 'not_found', message: 'There is nothing at this address.', status: 404 }

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    'for another user %s does not exist, and nothing moves',
    async (_id, operation) => {
      const { method, path, body } = callOf(operation)
      const before = await everyRow(database.db)
      const never = await customer.send('GET', '/review/nothing')
      expect(never).toMatchObject({ status: 404, body: nothing })
      // With input that is right, with some that is not, and with what exists.
      const ids = [await idOf('acme:beta')]
      for (const sent of [body, body && { nothing: 1 }, body && { ...body, ids }]) {
        expect(await customer.send(method, path, sent)).toMatchObject({ status: 404, body: nothing })
      }
      expect(await everyRow(database.db)).toEqual(before)
    },
  )

  test('it is the verified address that counts: not one like it, nor one that is not verified', async () => {
    expect(await operator.get('/me')).toMatchObject({ body: { data: { operator: { waiting: 3 } } } })
    expect(await customer.get('/me')).toMatchObject({ body: { data: { operator: null } } })
    for (const email of [
      `x${operatorEmail}`,
      'ada@prices.example.customer.example',
      'ada+x@prices.example',
    ]) {
      const other = await signInOwner(database.db, api.url, { email })
      expect((await other.get('/review/holds')).status).toBe(404)
    }
    const verify = (isVerified: boolean) =>
      database.db
        .updateTable('auth_users')
        .set({ email_verified: isVerified })
        .where('email', '=', operatorEmail)
        .execute()
    await verify(false)
    expect((await operator.get('/review/holds')).status).toBe(404)
    await verify(true)
    expect((await operator.get('/review/holds')).status).toBe(200)
  })

  test('no request changes the address of a user', async () => {
    const attempts = [
      await customer.send('PATCH', '/me', { email: operatorEmail }),
      await customer.post('/change-email', { newEmail: operatorEmail }),
      await customer.post('/auth/change-email', { newEmail: operatorEmail }),
    ]
    expect(attempts.map(({ status }) => status)).toEqual([405, 404, 404])
    // Signing up with the address of an operator mails the operator, and makes nobody one.
    const stranger = new Browser(api.url)
    expect((await stranger.post('/sign-up', { email: 'Grace@prices.example' })).status).toBe(202)
    expect((await stranger.get('/me')).status).toBe(401)
  })

  test('an operator is one without an account, and whatever account they look at', async () => {
    await database.db
      .transaction()
      .execute((trx) => insertVerifiedUser(trx, { name: 'Grace', email: 'grace@prices.example', password }))
    const grace = new Browser(api.url)
    await grace.post('/sign-in', { email: 'grace@prices.example', password })
    expect(await grace.get('/me')).toMatchObject({
      body: { data: { account: null, operator: { waiting: 3 } } },
    })
    expect((await grace.get('/review/holds')).status).toBe(200)
    await grace.post('/accounts', { name: 'Another' })
    expect((await grace.get('/review/holds')).status).toBe(200)
  })
})

describe('what waits', () => {
  test('is listed page by page, the oldest first, and by source', async () => {
    const all = await waiting()
    expect(all).toMatchObject({
      waiting: 3,
      sources: [{ source: 'litellm', waiting: 3 }],
      data: [
        { resource_id: 'acme:alpha', reason: 'denied' },
        {
          resource_id: 'acme:beta',
          source: 'litellm',
          reason: 'factor',
          before: { input_per_mtok: '1' },
          after: { input_per_mtok: '20' },
          first_seen: '2026-03-02T00:00:00.000000Z',
          state: 'open',
        },
        { resource_id: 'acme:gamma' },
      ],
    })
    const first = await waiting('?limit=1')
    const second = await waiting(`?limit=2&cursor=${first.pagination?.next_cursor}`)
    expect([...first.data, ...second.data]).toEqual(all.data)
    expect(second.pagination).toBeUndefined()
    expect((await waiting('?source=openrouter')).data).toEqual([])
  })

  test('is shown with its evidence; what a file calls a link is one only if it is http', async () => {
    const beta = await caseOf('acme:beta')
    expect(beta).toMatchObject({
      hold: { reason_text: expect.stringContaining('mistake of the unit') as string },
      served: {
        amounts: { input_per_mtok: '1', output_per_mtok: '4' },
        source: 'litellm',
        why: [
          'A move away from it waits.',
          'Input: 1 stays served. No source states it any more. litellm states 20.',
          'Output: 4 is served, as litellm states.',
        ],
      },
      claims: [
        {
          source: 'litellm',
          is_held: true,
          source_key: 'acme/beta',
          source_url: 'https://acme.example/pricing',
          amounts: { input_per_mtok: '20' },
          moves: [{ field: 'input_per_mtok', before: '1', since: '2026-03-02T00:00:00.000000Z' }],
          last_seen: '2026-03-02T00:00:00.000000Z',
        },
      ],
      card: [],
    })
    expect((await caseOf('acme:gamma')).claims[0]?.source_url).toBeNull()
    expect((await operator.get('/review/holds/hold_none')).status).toBe(404)
  })

  test('is beside the state of the sources', async () => {
    expect(await operator.get('/review/sources')).toMatchObject({
      status: 200,
      body: {
        data: {
          priced: 3,
          sources: [
            { source: 'genai-prices', outcome: 'applied', waiting: 0, rows: 1 },
            { source: 'litellm', outcome: 'applied', waiting: 3, rows: 3 },
          ],
        },
      },
    })
  })

  test('has the sources above it that are not taken in, also when nothing else waits', async () => {
    await sql`update feed_holds set state = 'withdrawn'`.execute(database.db)
    for (const time of ['01', '02'])
      await expect(feed(`2026-03-02T${time}:00:00Z`, '<html>')).rejects.toThrow('not JSON')
    const refused = {
      source: 'litellm',
      outcome: 'refused',
      message: expect.stringContaining('not JSON') as string,
      since: '2026-03-02T01:00:00.000000Z',
      runs: 2,
      loaded_at: '2026-03-02T00:00:00.000000Z',
      version: expect.any(String) as string,
      to_do: expect.stringMatching(/^No option takes such a file/) as string,
      remedy: 'give_file',
    }
    expect(await waiting('?source=genai-prices')).toMatchObject({ data: [], waiting: 0, refusals: [refused] })
    await feed('2026-03-02T04:00:00Z', litellmFile({ other: { input: 1, output: 4 } }))
    expect((await waiting()).refusals).toEqual([])
    await seed()
  })

  test('is compared with what the product costs elsewhere', async () => {
    const providers = { openai: 2, azure: 2.5, together_ai: 3, fireworks_ai: 2, deepinfra: 200 }
    const files = Object.entries(providers).map(
      ([provider, input]) =>
        JSON.parse(litellmFile({ 'gpt-4o': { input, output: Math.max(8, input) } }, provider)) as Record<
          string,
          unknown
        >,
    )
    await sql`truncate feed_runs, feed_sources, feed_claims, feed_holds, price_standings, prices cascade`.execute(
      database.db,
    )
    await feed(day1, JSON.stringify(Object.assign({}, ...files)))
    const { data } = await waiting()
    expect(data).toMatchObject([{ resource_id: 'deepinfra:gpt-4o', reason: 'outlier' }])
    const { served, peers, hold } = await caseOf('deepinfra:gpt-4o')
    expect(hold.product_id).toBe('openai/gpt-4o')
    expect(served).toMatchObject({ amounts: { input_per_mtok: null }, is_confirmed: null })
    expect(peers).toMatchObject({
      median: { input_per_mtok: '2.2361', output_per_mtok: '8' },
      platforms_min: 3,
    })
    expect(peers.platforms.map(({ platform, amounts }) => [platform, amounts.input_per_mtok])).toEqual([
      ['azure', '2.5'],
      ['fireworks', '2'],
      ['openai', '2'],
      ['together', '3'],
    ])
  })
})

describe('a decision', () => {
  beforeEach(seed)
  const holdRow = (id: string) =>
    database.db
      .selectFrom('feed_holds')
      .select(['state', 'note', 'decided_by'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('to accept serves and publishes it, and says who decided', async () => {
    const id = await idOf('acme:beta')
    const answer = await operator.post('/review/accept', { ids: [id], as: 'move', password })
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { decided: 1, changes: [expect.stringMatching(/^chg_/)], deliveries: 0 } },
    })
    expect(await inputOf('acme:beta')).toBe('20')
    expect(await holdRow(id)).toEqual({ state: 'accepted', note: null, decided_by: operatorEmail })
    expect(await database.db.selectFrom('changes').select(['category', 'product']).execute()).toEqual([
      { category: 'price_rise', product: 'acme:beta' },
    ])
    expect((await waiting()).waiting).toBe(2)
    expect(await operator.get(`/review/holds/${id}`)).toMatchObject({
      body: { data: { hold: { state: 'accepted', decided_by: operatorEmail } } },
    })
    // Another operator decided first.
    expect(await operator.post('/review/accept', { ids: [id], as: 'move', password })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining('accepted') as string },
    })
  })

  test('to accept several as corrections tells of corrections', async () => {
    const ids = [await idOf('acme:beta'), await idOf('acme:gamma')]
    const body = { ids, as: 'correction', note: 'mended', password }
    expect(await operator.post('/review/accept', body)).toMatchObject({ body: { data: { decided: 2 } } })
    const rows = await database.db.selectFrom('changes').select('category').distinct().execute()
    expect(rows).toEqual([{ category: 'correction' }])
  })

  test('to reject keeps what is served, and the same is not held again', async () => {
    const id = await idOf('acme:beta')
    const body = { ids: [id], reason: 'cents for dollars', password }
    expect(await operator.post('/review/reject', body)).toMatchObject({
      status: 200,
      body: { data: { decided: 1, changes: [], deliveries: 0 } },
    })
    expect(await inputOf('acme:beta')).toBe('1')
    expect(await holdRow(id)).toEqual({
      state: 'rejected',
      note: 'cents for dollars',
      decided_by: operatorEmail,
    })
  })

  test('is all or nothing, and has its bounds', async () => {
    const id = await idOf('acme:beta')
    const before = await everyRow(database.db)
    const refused: [body: object, status: number][] = [
      [{ ids: [id, 'hold_none'], as: 'move', password }, 404],
      [{ ids: [], as: 'move', password }, 400],
      [{ ids: [id, id], as: 'move', password }, 400],
      [{ ids: Array.from({ length: 51 }, (_, index) => `hold_${index}`), as: 'move', password }, 400],
      [{ ids: [id], as: 'cut', password }, 400],
      [{ ids: [id], as: 'move' }, 400],
    ]
    for (const [body, status] of refused)
      expect((await operator.post('/review/accept', body)).status, JSON.stringify(body)).toBe(status)
    expect((await operator.post('/review/reject', { ids: [id], password })).status).toBe(400)
    expect(await everyRow(database.db)).toEqual(before)
  })

  test('needs the present password, of which a session is no proof', async () => {
    const id = await idOf('acme:beta')
    const wrong = { ids: [id], as: 'move', password: 'not the right one' }
    expect(await operator.post('/review/accept', wrong)).toMatchObject({
      status: 400,
      body: { message: 'The present password is wrong.' },
    })
    expect(await inputOf('acme:beta')).toBe('1')
    expect((await holdRow(id)).state).toBe('open')
    expect(api.log.join('')).not.toContain(password)
  })

  test('waits for a source that is being read, and pages are answered meanwhile', async () => {
    const id = await idOf('acme:beta')
    const { promise: read, resolve: end } = Promise.withResolvers<void>()
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>()
    const running = database.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(7310005)`.execute(trx)
      hasLocked()
      await read
    })
    await locked
    const body = { ids: [id], as: 'move', password }
    const deciding = operator.post('/review/accept', body)
    // Meanwhile the pages are read.
    expect((await operator.get('/review/holds')).status).toBe(200)
    end()
    await running
    expect(await deciding).toMatchObject({ status: 200 })
  })
})
