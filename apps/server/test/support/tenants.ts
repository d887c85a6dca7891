import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { insertAccount } from '../../src/features/accounts/account-store.ts'
import { insertApiKey } from '../../src/features/accounts/api-key-store.ts'
import { putSubscription } from '../../src/features/entitlements/subscription-store.ts'
import { insertMember } from '../../src/features/members/member-store.ts'
import { insertPasskey } from '../../src/features/members/passkey-store.ts'
import { insertVerifiedUser } from '../../src/features/members/user-store.ts'
import { recordRequests } from '../../src/features/metering/request-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { Browser } from './dashboard-client.ts'

/** The kinds of an account's ids, by the names in the contract's paths and parameters. */
export type OwnedKind =
  'account' | 'session' | 'passkey' | 'member' | 'invitation' | 'key' | 'webhook' | 'delivery'

/** An account with one of everything, and its owner, signed in. */
export interface Tenant {
  browser: Browser
  userId: string
  email: string
  ids: Record<OwnedKind, string>
  /** The account that was joined first, which a new session looks at. */
  accountId: string
}

export const password = 'correct horse battery'
let tenants = 0

/**
 * The owner of two accounts, the second with one of everything.
 * @param url of the server, to sign in at
 * @param webhookUrl where its subscription points
 */
export async function createTenant(db: Db, url: string, webhookUrl: string): Promise<Tenant> {
  tenants += 1
  const email = `owner${tenants}@tenant.example`
  const made = await db.transaction().execute(async (trx) => {
    const owner = await insertVerifiedUser(trx, { name: `Owner ${tenants}`, email, password })
    const colleague = newId('usr')
    await trx
      .insertInto('auth_users')
      .values({ id: colleague, name: 'Colleague', email: `colleague${tenants}@tenant.example` })
      .execute()
    const home = await insertAccount(trx, `Home ${tenants}`)
    const account = await insertAccount(trx, `Tenant ${tenants}`)
    for (const { id } of [home, account]) {
      await putSubscription(trx, id, 'developer', {})
      await insertMember(trx, { accountId: id, userId: owner, role: 'owner' })
    }
    await insertMember(trx, { accountId: account.id, userId: colleague, role: 'member' })
    const key = await insertApiKey(trx, account.id, `key of tenant ${tenants}`, 10)
    const invitation = newId('inv')
    await trx
      .insertInto('invitations')
      .values({
        id: invitation,
        account_id: account.id,
        email: `guest${tenants}@tenant.example`,
        role: 'member',
        token_hash: createHash('sha256').update(randomBytes(32)).digest(),
        invited_by: owner,
        expires_at: sql`ratecard_now() + interval '1 day'`,
      })
      .execute()
    const { id: passkey } = await insertPasskey(trx, owner, 'Phone', {
      credentialId: randomBytes(16).toString('base64url'),
      publicKey: randomBytes(77),
      signCount: 0,
    })
    return { owner, colleague, home: home.id, account: account.id, key: key.id, invitation, passkey }
  })
  const browser = new Browser(url)
  await done(browser.post('/sign-in', { email, password }))
  await done(browser.post('/switch-account', { account_id: made.account }))
  const created = await done(browser.post('/webhooks', { url: webhookUrl }))
  const webhook = (created as { data: { record: { id: string } } }).data.record.id
  const delivery = await insertDelivery(db, made.account, webhook)
  await insertRequests(db, made.key)
  const session = await db
    .selectFrom('auth_sessions')
    .select('id')
    .where('user_id', '=', made.owner)
    .executeTakeFirstOrThrow()
  return {
    browser,
    userId: made.owner,
    email,
    accountId: made.home,
    ids: {
      account: made.account,
      session: session.id,
      passkey: made.passkey,
      member: made.colleague,
      invitation: made.invitation,
      key: made.key,
      webhook,
      delivery,
    },
  }
}

/** Two requests of its programs. */
async function insertRequests(db: Db, keyId: string): Promise<void> {
  const kind = { key_id: keyId, key_hash: undefined, operation: 'listPrices', status: 200, error: '' }
  const lines = [1, 2].map((age_ms) => ({
    ...kind,
    id: newId('req'),
    target: `/v1/prices?vendor=${keyId}`,
    duration_ms: 1,
    age_ms,
  }))
  await recordRequests(db, [{ ...kind, requests: 2, age_ms: 0 }], lines)
}

/** An alert that the endpoint never took. */
async function insertDelivery(db: Db, accountId: string, webhookId: string): Promise<string> {
  const [alert, delivery] = [newId('alert'), newId('dlv')]
  const { id: change } = await db.selectFrom('changes').select('id').limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('alerts')
    .values({
      id: alert,
      event: 'change.alert',
      change_ids: [change],
      public_url: 'https://ratecard.example',
    })
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      id: delivery,
      alert_id: alert,
      webhook_id: webhookId,
      account_id: accountId,
      state: 'exhausted',
      attempts: 1,
      finished_at: sql`ratecard_now()`,
    })
    .execute()
  return delivery
}

async function done(answer: Promise<{ status: number; body: unknown }>): Promise<unknown> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Every row of every table, except counts of attempts: a refused request must not change them. */
export async function everyRow(db: Db): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'attempts'
    order by 1`.execute(db)
  const all: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ rows: unknown }>`
      select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) as rows from ${sql.table(name)} t`.execute(db)
    all[name] = rows[0]?.rows
  }
  return all
}
