import { expect, test } from 'vitest'
import type { Schemas } from '@ratecard/dashboard/contract'
import { useApi } from '../api.ts'
import { linkToken, signInNew, type Browser } from '../dashboard-client.ts'
import { useDatabase } from '../postgres.ts'

// Each account has a free quota of its own: whoever signs up has one, and does not make more by leaving.

const database = useDatabase()
const api = useApi(database)
const meOf = async (browser: Browser) => ((await browser.get('/me')).body as { data: Schemas['Me'] }).data

test('who leaves one account after the other to a friend does not make accounts without end', async () => {
  const { browser: leaving } = await signInNew(api, 'Ann')
  const { browser: friend } = await signInNew(api, 'Ben')
  const email = 'ben@customer.example'
  for (let turn = 0; turn < 6; turn += 1) {
    const { user } = await meOf(leaving)
    await leaving.post('/invitations', { email, role: 'owner' })
    await friend.post('/accept-invitation', { token: await linkToken(api, email) })
    await leaving.send('DELETE', `/members/${user.id}`)
    await meOf(leaving)
  }
  const { count } = await database.db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeLessThanOrEqual(4)
})
