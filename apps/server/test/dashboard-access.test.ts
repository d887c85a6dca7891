import { beforeAll, describe, expect, test } from 'vitest'
import { insertMember } from '../src/features/members/member-store.ts'
import { insertVerifiedUser } from '../src/features/members/user-store.ts'
import { findDefinition } from '../src/http/dashboard/registry.ts'
import { useApi } from './support/api.ts'
import { expectedAccess } from './support/dashboard-access.ts'
import { Browser } from './support/dashboard-client.ts'
import { callOf, dashboardOperations } from './support/dashboard-operations.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'
import { createTenant, everyRow, password, type Tenant } from './support/tenants.ts'

// Every operation of the contract, tried by everybody there is.

const database = useDatabase()
const operatorEmail = 'operator@prices.example'
const api = useApi(database, { env: { OPERATOR_EMAILS: operatorEmail } })

const senders = ['a stranger', 'a user without an account', 'a member', 'an owner', 'an operator'] as const
type Sender = (typeof senders)[number]
let tenant: Tenant
let browsers: Record<Sender, Browser>

async function signIn(name: string, email: string, memberOf?: string): Promise<Browser> {
  await database.db.transaction().execute(async (trx) => {
    const userId = await insertVerifiedUser(trx, { name, email, password })
    if (memberOf) await insertMember(trx, { accountId: memberOf, userId, role: 'member' })
  })
  const browser = new Browser(api.url)
  expect(await browser.post('/sign-in', { email, password })).toMatchObject({ status: 200 })
  return browser
}

beforeAll(async () => {
  await publish(database.db, changeFile())
  tenant = await createTenant(database.db, api.url, 'https://hooks.tenant.example/hook')
  browsers = {
    'a stranger': new Browser(api.url),
    'a user without an account': await signIn('Nina', 'nina@nowhere.example'),
    'a member': await signIn('Mia', 'mia@tenant.example', tenant.ids.account),
    'an owner': tenant.browser,
    'an operator': await signIn('Opal', operatorEmail),
  }
})

/** The error that each sender gets; null lets them in. */
const refusals: Record<(typeof expectedAccess)[keyof typeof expectedAccess], (string | null)[]> = {
  anyone: [null, null, null, null, null],
  person: ['not_signed_in', null, null, null, null],
  member: ['not_signed_in', 'no_account', null, null, 'no_account'],
  owner: ['not_signed_in', 'no_account', 'owner_only', null, 'no_account'],
  operator: ['not_signed_in', 'not_found', 'not_found', 'not_found', null],
}

describe.each(senders)('%s', (sender) => {
  test('is let in where the table says so, and refused elsewhere before anything is read or moves', async () => {
    const before = await everyRow(database.db)
    for (const operation of dashboardOperations) {
      const expected = refusals[expectedAccess[operation.id]][senders.indexOf(sender)]!
      const { method, path, body } = callOf(operation, tenant.ids)
      const send = (path: string) => browsers[sender].send(method, path, body)
      // Who is let in gets as far as the form, which is wrong: so nothing is read or moves. Who has a session is told
      // of the form of the query before anybody looks whose it is.
      const answer =
        expected === null ? await send(`${path}${path.includes('?') ? '&' : '?'}nothing=1`) : await send(path)
      expect((answer.body as { error: string }).error, operation.id).toBe(expected ?? 'invalid_request')
    }
    expect(await everyRow(database.db)).toEqual(before)
  })
})

test('costs are those of what an operation does', () => {
  const readsByPost = ['checkWebhookUrl', 'previewWebhookFilter']
  for (const operation of dashboardOperations) {
    const { cost } = findDefinition(operation)
    const isRead = operation.method === 'GET' || readsByPost.includes(operation.id)
    expect(cost === 'read' || cost === 'costlyRead', operation.id).toBe(isRead)
    // An operator's decision hashes a password as well, and waits for a thread.
    const takesPassword = Object.keys(operation.example ?? {}).some((name) => /password$/.test(name))
    const isOperators = expectedAccess[operation.id] === 'operator'
    expect(cost === 'password', operation.id).toBe(takesPassword && !isOperators)
  }
})
