import { expect, test } from 'vitest'
import { useApi } from '../api.ts'
import { Browser, linkToken } from '../dashboard-client.ts'
import { useDatabase } from '../postgres.ts'

// Whoever names an address first must not get into the account that its owner later confirms.

const database = useDatabase()
const api = useApi(database)

test('a password that was chosen before the address was confirmed opens nothing', async () => {
  const email = 'vera@corp.example'
  const attacker = new Browser(api.url)
  const victim = new Browser(api.url)
  await attacker.post('/sign-up', { name: 'Mallory', email, password: 'the password of mallory' })
  await victim.post('/sign-up', { name: 'Vera', email, password: 'the password of vera' })
  await victim.post('/verification-mail', { email })
  await victim.post('/verify-email', { token: await linkToken(api, email) })
  const entered = await attacker.post('/sign-in', { email, password: 'the password of mallory' })
  expect(entered.status).toBe(401)
  expect((await attacker.get('/me')).status).toBe(401)
})
