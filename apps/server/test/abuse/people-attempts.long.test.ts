import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// Attempts are counted by their subject as well as by their origin.

const database = useDatabase()
const api = useApi(database)
const email = 'vera@customer.example'
const password = 'correct horse battery'
/** A browser of a net of many: each has an address of its own. */
const bot = (index: number) => new Browser(api.url, { 'x-forwarded-for': `198.51.100.${index}` })
const guess = async (index: number, address = email) =>
  (await bot(index).post('/sign-in', { email: address, password: `guess number ${index}` })).status
/** Several at once, no more than fit in the time: an attempt that waits too long is refused before any count. */
async function guessAll(count: number, one: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let begin = 0; begin < count; begin += 3) {
    const length = Math.min(3, count - begin)
    statuses.push(...(await Promise.all(Array.from({ length }, (_, index) => one(begin + index)))))
  }
  return statuses
}

test('a password is guessed 20 times an hour from wherever, and its owner is not locked out', async () => {
  const { browser } = await signInNew(api, 'Vera')
  // At once: none slips through while another is being checked. In another case, too.
  const statuses = await guessAll(26, (index) =>
    guess(index + 1, index % 2 === 0 ? email : email.toUpperCase()),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  // Not even the right one, from an unknown browser.
  const closed = await bot(40).post('/sign-in', { email, password })
  expect(closed).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
  expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)

  // The owner's browser has signed in before: the attack does not concern it.
  await browser.post('/sign-out')
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200)
  // In another browser, a mailed link unblocks.
  const elsewhere = bot(41)
  await elsewhere.post('/password-reset-mail', { email })
  const chosen = { token: await linkToken(api, email), password: 'another horse battery' }
  expect((await elsewhere.post('/password-reset', chosen)).status).toBe(200)
  expect((await elsewhere.post('/sign-in', { email, password: chosen.password })).status).toBe(200)
  // A proof by the password before is not valid now.
  expect((await browser.post('/sign-in', { email, password: chosen.password })).status).toBe(429)
})

test('who is no user is counted alike, and one user’s count is nobody else’s', async () => {
  const nobody = 'nobody@customer.example'
  const statuses = await guessAll(22, (index) => guess(100 + index, nobody))
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  const { browser } = await signInNew(api, 'Wim')
  expect((await browser.get('/me')).status).toBe(200)
})

test('who signs in uses nothing up', async () => {
  await signInNew(api, 'Xaver')
  const credentials = { email: 'xaver@customer.example', password }
  for (let index = 0; index < 22; index += 1) {
    expect((await bot(130 + index).post('/sign-in', credentials)).status).toBe(200)
  }
})

test('a mailbox gets 3 mails an hour, whoever asks, and each opens the way for its owner', async () => {
  await signInNew(api, 'Yann')
  const mailbox = 'yann@customer.example'
  const linksTo = () => api.log.filter((line) => line.includes(`"to":"${mailbox}"`)).length
  const before = linksTo()
  for (let index = 1; index <= 6; index += 1) {
    const path = index % 2 === 0 ? '/sign-up' : '/password-reset-mail'
    expect((await bot(160 + index).post(path, { email: mailbox })).status).toBe(202)
    await api.sendMails()
  }
  // One of the three was his sign-up.
  expect(linksTo() - before).toBe(2)
  const token = await linkToken(api, mailbox)
  const chosen = { token, password: 'another horse battery' }
  expect((await bot(170).post('/password-reset', chosen)).status).toBe(200)
})

test('the same mail that is asked for a hundred times waits once', async () => {
  const asked = Array.from({ length: 40 }, (_, index) =>
    bot(200 + (index % 20)).post('/sign-up', { email: 'zed@customer.example' }),
  )
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([202]))
  await api.sendMails()
  expect(api.log.filter((line) => line.includes('"to":"zed@customer.example"'))).toHaveLength(1)
})

test('addresses of one IPv6 network count together, and their neighbours do not', async () => {
  let nobodies = 0
  const tryFrom = async (address: string) => {
    const browser = new Browser(api.url, { 'x-forwarded-for': address })
    const email = `nobody${(nobodies += 1)}@x.example`
    return (await browser.post('/sign-in', { email, password: 'not the right one' })).status
  }
  const statuses: number[] = []
  for (let index = 1; index <= 12; index += 1) statuses.push(await tryFrom(`2001:db8:1:2:${index}::${index}`))
  expect(statuses.slice(10)).toEqual([429, 429])
  expect(await tryFrom('2001:db8:1:3::1')).not.toBe(429)
})

test('what is counted says neither who nor what was typed, and is forgotten', async () => {
  const rows = await database.db.selectFrom('attempts').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(new Set(rows.map(({ key }) => key.length))).toEqual(new Set([32]))
})
