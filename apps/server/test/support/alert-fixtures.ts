import { Writable } from 'node:stream'
import type { WebhookEvent } from '@ratecard/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createBodyCheck, type BodyCheck } from '../../src/features/webhooks/alert-schema.ts'
import { getDelivery, listDeliveries } from '../../src/features/webhooks/delivery-store.ts'
import { publishWithAlerts, type Publication } from '../../src/features/webhooks/publish-alerts.ts'
import {
  createSecretBox,
  generateSecretsKey,
  type SecretBox,
} from '../../src/features/webhooks/secret-box.ts'
import { insertWebhook, listWebhooks, publicWebhook } from '../../src/features/webhooks/webhook-store.ts'
import { parseChanges } from '../../src/features/changes/change-input.ts'
import { loadContract } from '../../src/platform/contract.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { readConfig, type Config } from '../../src/platform/config.ts'
import { createLogger } from '../../src/platform/logger.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { openAlertQueue } from '../../src/alert-queue.ts'
import { startWorker, type Worker } from '../../src/process/worker.ts'
import { createCustomer } from './actors.ts'
import { authorityFile } from './certificates.ts'
import type { TestDatabase } from './postgres.ts'
import { startReceiver, type Behaviour, type Received, type Receiver } from './receiver.ts'
import { changeFile } from './fixtures.ts'

/** The default secret of a subscription. */
export const secret = 'a secret of sixteen'
export const publicUrl = 'https://ratecard.example'

/** For `expect.poll`: retries begin within a second of when they are due. */
export const soon = { timeout: 60_000, interval: 20 }

interface SubscribeOptions {
  /** Whose it is. Default: a new account on the Scale plan. */
  accountId?: string
  /** The endpoint's action. Default: 200. */
  behave?: Behaviour
  /** Where it is. Default: a path of its own at the receiver. */
  url?: string
  secret?: string
  events?: WebhookEvent[]
}

export interface Subscribed {
  id: string
  accountId: string
  url: string
  path: string
  /** The requests that have arrived there. */
  received: () => Received[]
}

export interface Alerting {
  receiver: Receiver
  secrets: SecretBox
  queue: Queue
  check: BodyCheck
  /** The settings of a process that works on the same deliveries. */
  env: (settings?: Record<string, string>) => Record<string, string>
  subscribe: (options?: SubscribeOptions) => Promise<Subscribed>
  /** Publishes changes with alerts, as `ratecard changes publish` does. */
  publish: (...changes: Record<string, unknown>[]) => Promise<Publication>
  startWorker: (settings?: Record<string, string>) => Promise<Worker & { log: string[] }>
  /** Waits until nothing is pending for the subscription. Returns its deliveries with their attempts, oldest first. */
  settled: (webhookId: string, count?: number) => Promise<Awaited<ReturnType<typeof getDelivery>>[]>
  deliveries: (webhookId: string) => Promise<Awaited<ReturnType<typeof getDelivery>>[]>
  /** The subscription as its owner sees it. */
  webhook: (subscribed: Subscribed) => Promise<ReturnType<typeof publicWebhook>>
}

/** Subscriptions at a real endpoint, changes to alert them of, and workers in this process. Each test begins without subscriptions. */
export function useAlerting(database: TestDatabase, secretsKey = generateSecretsKey()): Alerting {
  const alerting = {} as Alerting
  const secrets = createSecretBox([secretsKey])
  const workers = new Set<Worker>()
  const databaseServer = () => ({
    connectionString: database.url,
    embedded: null,
    revive: () => Promise.resolve(),
    close: () => Promise.resolve(),
  })
  const env = (settings: Record<string, string> = {}) => ({
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey,
    PUBLIC_URL: publicUrl,
    // No test of alerts looks at mails.
    SMTP_URL: 'log:',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    WEBHOOK_RETRY_SCHEDULE: '0s,100ms,200ms',
    // Long: on a busy machine an attempt that is given up is made again, and a test counts it.
    WEBHOOK_TIMEOUT: '15s',
    FEED_SOURCES: '[]',
    ...settings,
  })
  const configOf = (settings?: Record<string, string>): Config => readConfig(env(settings))
  let endpointCount = 0

  beforeAll(async () => {
    const { document } = await loadContract()
    Object.assign(alerting, {
      receiver: await startReceiver(),
      queue: await openAlertQueue(configOf(), databaseServer(), createLogger('silent'), { supervise: false }),
      secrets,
      check: createBodyCheck(document),
      env,
    })
    alerting.subscribe = async ({ behave, ...options } = {}) => {
      const accountId = options.accountId ?? (await createCustomer(database.db, { plan: 'scale' })).accountId
      endpointCount += 1
      const path = `/hook/${endpointCount}`
      const url = options.url ?? alerting.receiver.url + path
      if (behave) alerting.receiver.behave(path, behave)
      const input = {
        url,
        secret: options.secret ?? secret,
        events: options.events ?? ['change.alert' as const],
      }
      const webhook = await database.db
        .transaction()
        .execute((trx) => insertWebhook(trx, accountId, input, secrets))
      const received = () => alerting.receiver.received.filter((item) => item.path === path)
      return { id: webhook.id, accountId, url, path, received }
    }
    alerting.publish = (...changes) => {
      const inputs = parseChanges(changes.length > 0 ? changes : [changeFile()])
      const { queue, check } = alerting
      return database.db
        .transaction()
        .execute((trx) => publishWithAlerts(trx, inputs, { alerts: { queue, publicUrl, check } }))
    }
    alerting.startWorker = async (settings) => {
      const log: string[] = []
      const config = configOf(settings)
      const worker = await startWorker({
        config,
        databaseServer: databaseServer(),
        secrets: createSecretBox(config.SECRETS_KEY ?? []),
        logger: createLogger('trace', collector(log)),
        metrics: createMetrics(),
        publicUrl,
      })
      const stop = async () => {
        if (workers.delete(worker)) await worker.stop()
      }
      workers.add(worker)
      return { stop, log }
    }
    alerting.deliveries = async (webhookId) => {
      const rows = await listDeliveries(database.db, { webhookId, limit: 1_000 })
      return Promise.all(rows.reverse().map(({ id }) => getDelivery(database.db, id)))
    }
    alerting.settled = async (webhookId, count = 1) => {
      const states = async () => {
        const rows = await listDeliveries(database.db, { webhookId, limit: 1_000 })
        return rows.filter(({ state }) => state !== 'pending').length
      }
      await expect.poll(states, soon).toBeGreaterThanOrEqual(count)
      return alerting.deliveries(webhookId)
    }
    alerting.webhook = async ({ id, accountId }) => {
      const found = (await listWebhooks(database.db, accountId)).find((webhook) => webhook.id === id)
      if (!found) throw new Error('There is no such subscription.')
      return publicWebhook(found)
    }
  })

  afterEach(async () => {
    await sql`delete from webhooks`.execute(database.db)
    await sql`update deliveries set state = 'cancelled', next_attempt_at = null where state = 'pending'`.execute(
      database.db,
    )
  })
  afterAll(async () => {
    await Promise.all([...workers].map((worker) => worker.stop()))
    await alerting.queue.stop()
    await alerting.receiver.close()
  })
  return alerting
}

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
}
