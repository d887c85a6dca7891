import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteExpired } from '../../src/features/members/expired-rows.ts'
import { useApi } from '../support/api.ts'
import { signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

const database = useDatabase()
const api = useApi(database, { env: { DATABASE_POOL_SIZE: '1' } })

test('a session that cannot be read because the database is busy is a 503, not a 500', async () => {
  const { browser } = await signInNew(api, 'Ada')
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  // Another transaction holds the row of the session: reading waits, and then gives up.
  const holder = database.db.transaction().execute(async (trx) => {
    await sql`lock table auth_sessions in access exclusive mode`.execute(trx)
    holding.resolve()
    await done
  })
  await holding.promise
  const answer = await browser.get('/me')
  end()
  await holder
  expect(answer).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
})

test('who signs in without end has 50 sessions; what is over is forgotten', async () => {
  const { browser } = await signInNew(api, 'Ben')
  const email = 'ben@customer.example'
  await sql`
    insert into auth_sessions (id, user_id, token, expires_at, created_at)
    select 'ses_' || n, (select id from auth_users where email = ${email}), 'token ' || n,
      ratecard_now() + interval '1 day' * (n % 2 * 2 - 1), ratecard_now() - interval '1 hour'
    from generate_series(1, 120) n`.execute(database.db)
  await browser.post('/sign-in', { email, password: 'correct horse battery' })
  const count = async () => (await database.db.selectFrom('auth_sessions').select('id').execute()).length
  const others = 1
  expect(await count()).toBe(50 + others)
  expect((await browser.get('/me')).status).toBe(200)
  await deleteExpired(database.db, 'auth_sessions', 'auth_verifications')
  expect(await count()).toBeLessThan(40)
  expect((await browser.get('/me')).status).toBe(200)
})
