import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApi } from '../api.ts'
import { signInNew } from '../dashboard-client.ts'
import { useDatabase } from '../postgres.ts'

const database = useDatabase()
const api = useApi(database, { env: { DATABASE_POOL_SIZE: '1' } })

test('a session that cannot be read because the database is busy is a 503, not a 500', async () => {
  const { browser } = await signInNew(api, 'Ada')
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  // Somebody else's work holds the row of the session: reading waits, and then gives up.
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
