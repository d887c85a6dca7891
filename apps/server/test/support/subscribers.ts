import type { Db } from '../../src/database/connect.ts'
import { insertAccount } from '../../src/features/accounts/account-store.ts'
import type { ChangeInput } from '../../src/features/changes/change-input.ts'
import { putSubscription } from '../../src/features/entitlements/subscription-store.ts'
import { createBodyCheck } from '../../src/features/webhooks/alert-schema.ts'
import { publishWithAlerts, type Publication } from '../../src/features/webhooks/publish-alerts.ts'
import type { SecretBox } from '../../src/features/webhooks/secret-box.ts'
import { loadContract } from '../../src/platform/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Queue } from '../../src/queue/queue.ts'

// Many subscriptions and many alerts at once, past the API and the commands.

export interface Subscriber {
  webhookId: string
  accountId: string
  url: string
  secret: string
}

/** Customers on the plan with the most subscriptions. */
export async function createAccounts(db: Db, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await insertAccount(db, `Acme ${index}`)
    await putSubscription(db, id, 'scale', {})
    ids.push(id)
  }
  return ids
}

/** A subscription for each address, dealt out to the accounts in turn. */
export async function subscribe(
  db: Db,
  secrets: SecretBox,
  { accountIds, urls }: { accountIds: readonly string[]; urls: readonly string[] },
): Promise<Subscriber[]> {
  const subscribers = urls.map((url, index): Subscriber => {
    const accountId = accountIds[index % accountIds.length]
    if (accountId === undefined) throw new Error('There is no account.')
    return { webhookId: newId('wh'), accountId, url, secret: `the secret of number ${index}` }
  })
  const rows = subscribers.map(({ webhookId, accountId, url, secret }) => {
    const { ciphertext, keyId } = secrets.seal(secret, { webhookId, accountId })
    return {
      id: webhookId,
      account_id: accountId,
      url,
      events: ['change.alert'],
      secret_ciphertext: ciphertext,
      secret_key_id: keyId,
    }
  })
  await db.insertInto('webhooks').values(rows).execute()
  return subscribers
}

export function changeInputs(count: number): ChangeInput[] {
  return Array.from({ length: count }, (_, index) => ({
    vendor: 'acme',
    product: `acme/alpha-${index}`,
    modality: 'llm',
    category: 'price_cut',
    severity: 3,
    title: `Alpha ${index} costs less`,
    summary: 'Input falls from 3 to 2 US dollars per million tokens, output from 15 to 10.',
    impact_score: 40,
  }))
}

let contract: ReturnType<typeof loadContract> | undefined

/** Publishes alerts of one change each in one transaction; every subscription gets each of them. */
export async function publishMany(db: Db, queue: Queue, alerts: number): Promise<Publication> {
  contract ??= loadContract()
  const check = createBodyCheck((await contract).document)
  const options = { queue, publicUrl: 'http://localhost:8080', check }
  return db.transaction().execute(async (trx) => {
    const all: Publication = { ids: [], deliveries: 0 }
    for (const change of changeInputs(alerts)) {
      const { ids, deliveries } = await publishWithAlerts(trx, [change], { alerts: options })
      all.ids.push(...ids)
      all.deliveries += deliveries
    }
    return all
  })
}
