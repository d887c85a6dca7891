import { expect, test } from 'vitest'
import { inviteMember } from '../src/features/members/actions.ts'
import { createCustomer } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { Browser } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

// Where new accounts are made in another cell: this one leads there, but for who is invited to an account of its own.

const database = useDatabase()
const api = useApi(database, {
  env: { CELL_HOSTS: 'home=http://127.0.0.1,+a1=https://a1.prices.example' },
})

async function signUp(email: string): Promise<{ status: number; link: string }> {
  const { status } = await new Browser(api.url).post('/sign-up', { email })
  await api.sendMails()
  const lines = api.log.map((line) => JSON.parse(line) as { to?: string; link?: string })
  return { status, link: lines.findLast(({ to }) => to === email)?.link ?? '' }
}

test('who signs up is led to the cell that takes sign-ups', async () => {
  expect(await signUp('ada@customer.example')).toEqual({
    status: 202,
    link: 'https://a1.prices.example/dashboard/sign-up',
  })
  const hosts = await fetch(`${api.url}/dashboard/cells.json`)
  expect(await hosts.json()).toEqual([
    { mark: 'home', url: 'http://127.0.0.1', sign_up: false },
    { mark: 'a1', url: 'https://a1.prices.example', sign_up: true },
  ])
})

test('who is invited to an account here signs up here, and no answer tells that they are', async () => {
  const { accountId } = await createCustomer(database.db)
  const email = 'grace@customer.example'
  await database.db
    .transaction()
    .execute((trx) =>
      inviteMember(trx, { accountId, actor: { kind: 'operator' } }, { email, role: 'member' }),
    )
  expect(await signUp(email)).toEqual({
    status: 202,
    link: expect.stringContaining('/dashboard/finish-sign-up#token=') as string,
  })
})
