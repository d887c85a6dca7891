import { beforeAll, describe, expect, test } from 'vitest'
import { insertMember } from '../../src/features/members/member-store.ts'
import { insertVerifiedUser } from '../../src/features/members/user-store.ts'
import { useApi } from '../support/api.ts'
import { expectedAccess } from '../support/dashboard-access.ts'
import { Browser } from '../support/dashboard-client.ts'
import { callOf, dashboardOperations, type DashboardOperation } from '../support/dashboard-operations.ts'
import { changeFile, publish } from '../support/fixtures.ts'
import { useDatabase } from '../support/postgres.ts'
import { createTenant, everyRow, password, type Tenant } from '../support/tenants.ts'

// What members are refused beyond whole operations, which test/dashboard-access.test.ts tries, and what they are not.

const database = useDatabase()
const api = useApi(database)
let tenant: Tenant
let member: Browser
let memberId: string

beforeAll(async () => {
  // The change that the example of its details names.
  const ofChange = dashboardOperations.find(({ id }) => id === 'getChangeDetails')!
  await publish(database.db, changeFile({ id: callOf(ofChange).path.split('/').at(-2) }))
  tenant = await createTenant(database.db, api.url, 'https://hooks.tenant.example/hook')
  const email = 'member@tenant.example'
  await database.db.transaction().execute(async (trx) => {
    memberId = await insertVerifiedUser(trx, { name: 'Member', email, password })
    await insertMember(trx, { accountId: tenant.ids.account, userId: memberId, role: 'member' })
  })
  member = new Browser(api.url)
  await member.post('/sign-in', { email, password })
  expect(await member.post('/switch-account', { account_id: tenant.ids.account })).toMatchObject({
    status: 200,
    body: { data: { account: { role: 'member' } } },
  })
})

const named = (operations: DashboardOperation[]) =>
  operations.map((operation): [string, DashboardOperation] => [operation.id, operation])
const refused = { status: 403, body: { error: 'owner_only' } }

describe('to a member', () => {
  test('removing somebody else is refused, owner or not', async () => {
    const before = await everyRow(database.db)
    for (const id of [tenant.userId, tenant.ids.member]) {
      expect(await member.send('DELETE', `/members/${id}`)).toMatchObject(refused)
    }
    expect(await everyRow(database.db)).toEqual(before)
  })

  test('raising themselves is refused, by every way there is', async () => {
    const attempts = [
      await member.send('PATCH', `/members/${memberId}`, { role: 'owner' }),
      await member.post('/invitations', { email: 'member@tenant.example', role: 'owner' }),
    ]
    for (const attempt of attempts) expect(attempt).toMatchObject(refused)
    expect(await member.get('/me')).toMatchObject({ body: { data: { account: { role: 'member' } } } })
  })

  const reading = dashboardOperations.filter(
    ({ id, method }) => method === 'GET' && ['person', 'member'].includes(expectedAccess[id]),
  )
  test.each(named(reading))('%s is answered', async (_id, operation) => {
    const { method, path } = callOf(operation, tenant.ids)
    expect((await member.send(method, path)).status).toBe(200)
  })
})
