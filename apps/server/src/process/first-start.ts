import { formatDistance } from '@ratecard/contract/wording'
import { readFile } from 'node:fs/promises'
import { connectForWork, type DatabaseServer } from '../database-server.ts'
import type { Db } from '../database/connect.ts'
import { insertAccount } from '../features/accounts/account-store.ts'
import { insertApiKey } from '../features/accounts/api-key-store.ts'
import { insertMember } from '../features/members/member-store.ts'
import { insertVerifiedUser } from '../features/members/user-store.ts'
import { parseChanges } from '../features/changes/change-input.ts'
import { countChanges } from '../features/changes/change-store.ts'
import { publishChanges } from '../features/changes/publish-changes.ts'
import { putSubscription } from '../features/entitlements/subscription-store.ts'
import { readMadeOf } from '../catalog/export-store.ts'
import { countPrices } from '../catalog/price-store.ts'
import { toDay, daysBetween } from '../ingest/days.ts'
import { makeExports } from '../exports/make-exports.ts'
import { createSigner, signingPurpose } from '../exports/signature.ts'
import { runFeed } from '../ingest/run/run-feed.ts'
import type { RunReport } from '../ingest/publish/run-report.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { randomBase62 } from '../platform/ids.ts'

const firstChanges = new URL('../../data/changes/first-set.json', import.meta.url)

export interface DemoAccount {
  account_id: string
  key: string
  /** Signs in to the dashboard, with the password. */
  email: string
  password: string
}

const demoEmail = 'demo@ratecard.example'
// 119 bits.
const demoPasswordLength = 20

/**
 * What makes `start` a product on an empty database: real prices, a first set of published changes, and a demo
 * account. Each is made once; a start that was interrupted goes on where it stopped.
 * @returns the demo account, at the one start that makes it
 */
export async function firstStart(
  databaseServer: DatabaseServer,
  secrets: Pick<SecretBox, 'derive'>,
  say: (text: string) => void,
): Promise<DemoAccount | null> {
  await using db = connectForWork(databaseServer)
  if ((await countPrices(db)) === 0) {
    say(loadedText(await runFeed(db, { source: 'genai-prices', input: {}, alerts: null })))
  }
  if ((await countChanges(db)) === 0) {
    const changes = parseChanges(JSON.parse(await readFile(firstChanges, 'utf8')))
    const ids = await db.transaction().execute((trx) => publishChanges(trx, changes))
    say(`Published ${ids.length} changes.`)
  }
  // Gateways ask once when they start: the files are there from the first second.
  if ((await readMadeOf(db)) === null) await makeExports(db, createSigner(secrets.derive(signingPurpose)))
  return await makeDemoAccount(db)
}

function loadedText({ added, rejected, data_at, observed_at }: RunReport): string {
  const refused = rejected.length > 0 ? `, ${rejected.length} rows rejected` : ''
  const loaded = `Loaded ${added.length} prices from @pydantic/genai-prices${refused}`
  if (data_at === null) return `${loaded}.`
  const age = formatDistance(daysBetween(toDay(observed_at), data_at))
  return `${loaded}: prices of ${data_at}, ${age}; "ratecard feed refresh" reads newer ones.`
}

/** The account and the note that it was made are one transaction: there is never a second one. */
async function makeDemoAccount(db: Db): Promise<DemoAccount | null> {
  return db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('settings')
      .values({ name: 'demo_account', value: '' })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return null
    const account = await insertAccount(trx, 'Demo')
    await putSubscription(trx, account.id, 'developer', {})
    const { key } = await insertApiKey(trx, account.id, 'demo', 1)
    const login = { email: demoEmail, password: randomBase62(demoPasswordLength) }
    const userId = await insertVerifiedUser(trx, { name: 'Demo', ...login })
    await insertMember(trx, { accountId: account.id, userId, role: 'owner' })
    await trx.updateTable('settings').set({ value: account.id }).where('name', '=', 'demo_account').execute()
    return { account_id: account.id, key, ...login }
  })
}
