import { expect, test } from 'vitest'
import { useApi } from '../api.ts'
import { Browser, signInNew } from '../dashboard-client.ts'
import { useDatabase } from '../postgres.ts'

// Attempts are counted by whom they are about as well as by where they come from.

const database = useDatabase()
const api = useApi(database)
const email = 'vera@customer.example'
/** A browser of a net of many: each has an address of its own. */
const bot = (index: number) => new Browser(api.url, { 'x-forwarded-for': `198.51.100.${index}` })

test('a password is guessed 20 times an hour, from however many addresses', async () => {
  await signInNew(api, 'Vera')
  const statuses: number[] = []
  for (let index = 1; index <= 24; index += 1) {
    const { status } = await bot(index).post('/sign-in', { email, password: `guess number ${index}` })
    statuses.push(status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.slice(20)).toEqual([429, 429, 429, 429])
})

test('a mailbox gets 3 mails an hour, from however many addresses they are asked for', async () => {
  await signInNew(api, 'Wim')
  const before = api.log.filter((line) => line.includes('"link"')).length
  for (let index = 1; index <= 8; index += 1) {
    await bot(100 + index).post('/password-reset-mail', { email: 'wim@customer.example' })
  }
  expect(api.log.filter((line) => line.includes('"link"')).length - before).toBeLessThanOrEqual(3)
})

test('addresses of one IPv6 network count together', async () => {
  const statuses: number[] = []
  for (let index = 1; index <= 12; index += 1) {
    const browser = new Browser(api.url, { 'x-forwarded-for': `2001:db8:1:2:${index}::${index}` })
    const attempt = { email: `nobody${index}@customer.example`, password: 'not the right one' }
    statuses.push((await browser.post('/sign-in', attempt)).status)
  }
  expect(statuses.slice(10)).toEqual([429, 429])
})
