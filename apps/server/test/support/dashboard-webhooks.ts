import { beforeAll, expect } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import type { PaidPlan } from '../../src/features/entitlements/plans.ts'
import { generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { useAlerting } from './alert-fixtures.ts'
import { useApi } from './api.ts'
import { authorityFile } from './certificates.ts'
import type { Browser, DashboardAnswer } from './dashboard-client.ts'
import { signInOwner } from './dashboard-owner.ts'
import { useDatabase } from './postgres.ts'
import type { Behaviour } from './receiver.ts'

// What the tests of the dashboard's webhooks and of their deliveries share.

export const secret = 'a secret of the test, long enough'
export const generated = /^rc_whsec_[0-9A-Za-z]{40}$/

export const dataOf = <Data>({ body }: DashboardAnswer): Data => (body as { data: Data }).data

export async function create(
  browser: Browser,
  body: Record<string, unknown>,
): Promise<Schemas['NewWebhook']> {
  const answer = await browser.post('/webhooks', body)
  expect(answer.status).toBe(201)
  return dataOf(answer)
}

export const deliveriesOf = async (browser: Browser, query = '') =>
  (await browser.get(`/deliveries${query}`)).body as Schemas['DeliveryList']

/** An endpoint that answers with this status. */
export const answer =
  (status: number): Behaviour =>
  (res) =>
    res.writeHead(status).end()

/** A server, a worker that sends alerts, and a receiver, for the length of the file. */
export function useDashboardWebhooks() {
  const database = useDatabase()
  const secretsKey = generateSecretsKey()
  const alerting = useAlerting(database, secretsKey)
  const api = useApi(database, {
    env: {
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: authorityFile,
      WEBHOOK_TIMEOUT: '1500ms',
    },
  })
  beforeAll(() => alerting.startWorker())

  let endpointCount = 0

  /** A user with an account on this plan. */
  async function customer(
    plan: PaidPlan | null = 'developer',
  ): Promise<{ browser: Browser; accountId: string }> {
    // Made by hand: the worker of this file sends mails too, and has a log of its own.
    const browser = await signInOwner(database.db, api.url, plan === null ? {} : { plan })
    const { account } = dataOf<Schemas['Me']>(await browser.get('/me'))
    return { browser, accountId: account!.id }
  }

  /** An endpoint of its own at the receiver. */
  function endpoint(behave?: Behaviour) {
    endpointCount += 1
    const path = `/dashboard/${endpointCount}`
    if (behave) alerting.receiver.behave(path, behave)
    const received = () => alerting.receiver.received.filter((item) => item.path === path)
    return { url: alerting.receiver.url + path, path, received }
  }

  const auditOf = async (accountId: string) =>
    database.db
      .selectFrom('audit_entries')
      .select(['action', 'subject_id', 'details'])
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()

  return { database, alerting, api, customer, endpoint, auditOf }
}
