import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { OperationId } from '@ratecard/contract'
import type { Agent } from 'undici'
import { connect, logFailure, type Db } from './database/connect.ts'
import { Replica } from './database/replica.ts'
import { dailyLimits } from './features/entitlements/plans.ts'
import { batchSessionConnector } from './features/metering/batch-session.ts'
import { LossReport } from './features/metering/lost-commits.ts'
import { createBatchingMeter, type Meter } from './features/metering/meter.ts'
import { RequestRecorder } from './features/metering/request-recorder.ts'
import { recordRequests } from './features/metering/request-store.ts'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { createBodyCheck, type BodyCheck } from './features/webhooks/alert-schema.ts'
import type { SendableWebhook } from './features/webhooks/webhook-store.ts'
import type { AlertQueue } from './features/webhooks/actions.ts'
import type { SecretBox } from './features/webhooks/secret-box.ts'
import type { SendResult } from './features/webhooks/send-webhook.ts'
import type { PaymentProvider } from './features/billing/provider.ts'
import { authPurpose, createAuth } from './features/members/auth.ts'
import type { MailQueue } from './features/members/mail-queue.ts'
import { compileContract, type CompiledContract } from './http/contract/compile.ts'
import { dashboardContract } from './http/dashboard/document.ts'
import type { OperationId as DashboardOperationId } from './http/dashboard/registry.ts'
import { createListCheck } from './http/lists/list-check.ts'
import type { PageSource } from './http/html/page-source.ts'
import { houseLinks } from './http/html/layout.ts'
import { createHttpApp } from './http/server.ts'
import { toPublishingTask } from './ingest/publish/publishing-task.ts'
import { readConfirmation } from './ingest/review/status.ts'
import { loadContract } from './platform/contract.ts'
import type { Metrics } from './platform/metrics.ts'
import { budgets } from './platform/budgets.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import { mailServer, type Config } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { realScheduler } from './platform/scheduler.ts'
import { testPayments } from './platform/settings/accounts.ts'
import { UserError } from './platform/user-error.ts'
import { readVersion } from './platform/version.ts'
import { readOnceIn } from './platform/versioned.ts'
import { connectForNotes, directUrl, type DatabaseServer } from './database-server.ts'

// The composition root: only this file builds a server. Modules that only some servers need are loaded on first use:
// the libraries for sending, queueing and payments take some 20 MB together.

/** The replica from which lists are read; null: none is configured. */
export function openReplica(config: Config, logger: Logger): Replica | null {
  if (config.DATABASE_REPLICA_URL === undefined) return null
  const db = connect({
    connectionString: config.DATABASE_REPLICA_URL,
    connectionsMax: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: budgets.replicaMs,
    statementTimeoutMs: budgets.replicaMs,
    onIdleError: (error) => logger.debug({ err: error }, 'replica connection lost'),
  })
  return new Replica(db, logger)
}

/** The contracts of both interfaces, with the checks of requests and answers against them. */
export interface CompiledContracts extends CompiledContract<OperationId> {
  dashboard: CompiledContract<DashboardOperationId>
}

/** @throws UserError when a contract does not load */
export async function compileContracts(): Promise<CompiledContracts> {
  const [api, dashboard] = [await loadContract(), dashboardContract()]
  return {
    ...(await compileContract(api, api.operations)),
    // Compiling all of them would take as long as the rest of the start; compiling one shows whether the contract
    // loads.
    dashboard: await compileContract(dashboard, dashboard.operations.slice(0, 1)),
  }
}

/** Reserves units for requests. Close it before the database. */
export function openMeter(
  databaseServer: DatabaseServer,
  { db, logger, metrics }: Pick<ApiOptions, 'db' | 'logger' | 'metrics'>,
): Meter {
  const losses = new LossReport(db, logger, metrics)
  const meter = createBatchingMeter({
    limits: dailyLimits,
    connector: () =>
      batchSessionConnector({
        connectionString: directUrl(databaseServer),
        limits: dailyLimits,
        onLoss: (loss) => losses.add(loss),
      }),
    scheduler: realScheduler,
    onFailure: (error, message) => logFailure(logger, error, message),
    observer: metrics.meterObserver,
  })
  metrics.watchMeter(() => meter.state())
  return meter
}

/**
 * Notes requests for the log of their account, and writes it over a connection of its own: no request waits for it.
 * Close it before the database.
 */
export function openRequestRecorder(
  databaseServer: DatabaseServer,
  { contract, logger, metrics }: Pick<ApiOptions, 'contract' | 'logger' | 'metrics'>,
): { recorder: RequestRecorder; close: () => Promise<void> } {
  const db = connectForNotes(databaseServer, logger)
  const recorder = new RequestRecorder({
    write: (counts, lines) => recordRequests(db, counts, lines),
    parameters: new Set(contract.operations.flatMap(({ queryTypes }) => [...queryTypes.keys()])),
    scheduler: realScheduler,
    onLost: (requests, reason) => {
      metrics.requestsUnrecorded.inc(requests)
      const isError = reason instanceof Error
      const facts = isError ? { err: reason, requests } : { reason, requests }
      logger.warn(facts, 'requests are missing in the request logs of their accounts')
    },
  })
  return {
    recorder,
    async close() {
      await recorder.close()
      await db.destroy()
    },
  }
}

/** TLS included. Around the world it takes about one second; `WEBHOOK_TIMEOUT` bounds the whole attempt. */
const endpointConnectMs = 5_000

/** Connections to customers' endpoints, with every address vetted. */
export async function createWebhookAgent(config: Config): Promise<Agent> {
  const { createGuardedAgent } = await import('./features/webhooks/guarded-agent.ts')
  return createGuardedAgent({
    isAllowedAddress: createAddressGuard(config.WEBHOOK_ALLOW_CIDRS),
    connectTimeoutMs: endpointConnectMs,
    // Many endpoints may share a host, and none may wait for another's answer: the slots bound each endpoint.
    connectionsMax: config.WEBHOOK_IN_FLIGHT_MAX,
    extraCa: await readExtraCa(config.WEBHOOK_CA_FILE),
  })
}

/** The `User-Agent` of requests to endpoints. */
export function userAgent(): string {
  return `Ratecard-Webhooks/${readVersion()}`
}

async function readExtraCa(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UserError(`WEBHOOK_CA_FILE cannot be read: ${file}.`, { cause })
  })
}

/** Sends a signed sample to a subscription now, over a connection of its own. */
export async function sendTestAlert(
  config: Config,
  webhook: SendableWebhook,
  { secrets, publicUrl, check }: { secrets: SecretBox; publicUrl: string; check: BodyCheck },
): Promise<{ delivery_id: string; body: string; result: SendResult }> {
  const testAlert = await import('./features/webhooks/test-alert.ts')
  const agent = await createWebhookAgent(config)
  try {
    return await testAlert.sendTestAlert(webhook, {
      secrets,
      agent,
      check,
      publicUrl,
      timeoutMs: config.WEBHOOK_TIMEOUT,
      userAgent: userAgent(),
    })
  } finally {
    await agent.destroy()
  }
}

const testPaymentsPurpose = 'ratecard test payments 1'

/**
 * The payment provider; null: none is configured, and an operator grants what is bought elsewhere.
 * @param apiUrl where Stripe is reached, when not at Stripe itself
 * @throws UserError when a part of the settings is missing
 */
export async function openPayments(
  config: Config,
  { secrets, logger }: { secrets: SecretBox; logger: Logger },
  apiUrl?: string,
): Promise<PaymentProvider | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  const { STRIPE_PRICE_DEVELOPER: developer, STRIPE_PRICE_PACK: pack } = config
  if (secretKey === undefined) return null
  if (secretKey === testPayments) {
    if (config.PUBLIC_URL?.startsWith('https:'))
      throw new UserError(
        'STRIPE_SECRET_KEY is test:, and PUBLIC_URL is https: whoever signs up could add requests without paying. Set a key of Stripe, or remove it.',
      )
    logger.warn(
      'STRIPE_SECRET_KEY is test: nobody pays, and whoever signs up can add requests. Never leave it on where strangers reach this server',
    )
    const { createTestProvider } = await import('./features/billing/test-provider.ts')
    return createTestProvider(secrets.derive(testPaymentsPurpose))
  }
  if (webhookSecret === undefined || developer === undefined || pack === undefined) {
    const missing = Object.entries({
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_DEVELOPER: developer,
      STRIPE_PRICE_PACK: pack,
    }).flatMap(([name, value]) => (value === undefined ? [name] : []))
    throw new UserError(`STRIPE_SECRET_KEY is set. Set ${missing.join(', ')} too, or none of them.`)
  }
  const { createStripeProvider } = await import('./features/billing/stripe-provider.ts')
  return createStripeProvider({ secretKey, webhookSecret, prices: { developer, pack }, apiUrl })
}

export interface ApiOptions extends CompiledContracts {
  config: Config
  db: Db
  /** For requests of the dashboard. */
  dashboardDb: Db
  replica: Replica | null
  meter: Meter
  secrets: SecretBox
  logger: Logger
  metrics: Metrics
  recorder: RequestRecorder
  publicUrl: string
  /** Memory for the pages of lists, where it is not the usual. */
  pagesBytesMax?: number | undefined
  payments: PaymentProvider | null
  /** Opens the queue into which the dashboard puts deliveries and mails. */
  openAlertQueue: () => Promise<AlertQueue & MailQueue>
  /** Of the database, for threads with connections of their own. */
  connectionString: string
  pageSource: PageSource
  isReady: () => boolean
  isStopping: () => boolean
  clock?: Clock
}

/** Counting reads the standing of every price, some 50 ms: a page that is open does it no more often. */
const confirmationMs = 60_000

export function createApi({
  config,
  db,
  dashboardDb,
  meter,
  publicUrl,
  secrets,
  payments,
  clock = systemClock,
  dashboard,
  openAlertQueue,
  connectionString,
  ...options
}: ApiOptions): RequestListener {
  const { logger } = options
  const billingUrl = `${publicUrl}/dashboard/billing`
  const check = createBodyCheck(options.contract.document)
  const services = {
    db,
    meter,
    clock,
    secrets,
    isAllowedAddress: createAddressGuard(config.WEBHOOK_ALLOW_CIDRS),
    topupUrl: billingUrl,
    cellHosts: config.CELL_HOSTS,
  }
  return createHttpApp({
    ...options,
    checkList: createListCheck(options.contract, options.checkAnswer),
    services,
    dashboard: {
      ...dashboard,
      services: {
        ...services,
        db: dashboardDb,
        billing: { provider: payments, contact: config.CONTACT ?? null },
        houseLinks: houseLinks(config),
        logger,
        keptDays: { usage: config.USAGE_RETENTION_DAYS, requests: config.REQUEST_RETENTION_DAYS },
        canMail: mailServer(config) !== undefined,
        dashboardUrl: `${publicUrl}/dashboard`,
        publishing: toPublishingTask({ config, connectionString, publicUrl }),
        readConfirmation: readOnceIn(confirmationMs, () => readConfirmation(dashboardDb)),
        alertSeverityMin: config.ALERT_MIN_SEVERITY,
        openAlertQueue,
        sendTestAlert: async (webhook) => {
          return sendTestAlert(config, webhook, { secrets, publicUrl, check })
        },
      },
      openAuth: createAuth({
        db: dashboardDb,
        secrets: secrets.deriveAll(authPurpose),
        publicUrl,
      }),
      operators: new Set(config.OPERATOR_EMAILS),
      publicUrl,
    },
    config,
    publicUrl,
    urls: { upgrade_url: billingUrl, topup_url: billingUrl },
  })
}
