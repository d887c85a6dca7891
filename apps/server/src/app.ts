import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { RequestHandler } from 'express'
import type { Agent } from 'undici'
import { connect, logFailure, type Db } from './database/connect.ts'
import { Replica } from './database/replica.ts'
import { dailyLimitsOf } from './features/entitlements/plans.ts'
import { laneConnector } from './features/metering/lane-session.ts'
import { createBatchingMeter, createDirectMeter, type Meter } from './features/metering/meter.ts'
import { createAddressGuard } from './features/webhooks/addresses.ts'
import { createBodyCheck, type BodyCheck } from './features/webhooks/alert-schema.ts'
import type { SendableWebhook } from './features/webhooks/webhook-store.ts'
import type { AlertQueue } from './features/webhooks/actions.ts'
import type { SecretBox } from './features/webhooks/secret-box.ts'
import type { SendResult } from './features/webhooks/send-webhook.ts'
import type { PaymentProvider } from './features/billing/provider.ts'
import { authPurpose } from './features/members/auth-secrets.ts'
import { createAuth, loadAuth } from './features/members/auth.ts'
import type { MailQueue } from './features/members/mail-queue.ts'
import { enforceDashboardContract, type DashboardEnforcement } from './http/dashboard/index.ts'
import { SharedPriceTable } from './http/dashboard/shared-price-table.ts'
import { createAnswerCheck, createPageCheck, type PageCheck } from './http/page-check.ts'
import { createHttpApp } from './http/server.ts'
import { loadContract, type Contract } from './platform/contract.ts'
import type { Metrics } from './platform/metrics.ts'
import { createValidator, warmUp } from './http/validate.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import type { Config, PublicUrls } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { realScheduler } from './platform/scheduler.ts'
import { UserError } from './platform/user-error.ts'
import { readVersion } from './platform/version.ts'
import { plansOf, type Store } from './store.ts'

// The composition root: the only place that builds a server. What only some servers use is loaded when it is used: the
// libraries of sending, queueing and selling take some 20 MB together.

// A page that takes longer is read from the database, which may take as long again: together less than a 503 may.
const replicaTimeoutMs = 500

/** Where pages are read beside the database, if anywhere. */
export function openReplica(config: Config, logger: Logger): Replica | null {
  if (config.DATABASE_REPLICA_URL === undefined) return null
  const db = connect({
    connectionString: config.DATABASE_REPLICA_URL,
    connectionsMax: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: replicaTimeoutMs,
    statementTimeoutMs: replicaTimeoutMs,
    onIdleError: (error) => logger.debug({ err: error }, 'replica connection lost'),
  })
  return new Replica(db, logger)
}

/** The contract, and the validator that holds requests and answers against it. */
export interface Enforcement {
  contract: Contract
  validator: RequestHandler[]
  checkPage: PageCheck
  dashboard: DashboardEnforcement
}

/** @throws UserError when the contract does not load */
export async function enforceContract(): Promise<Enforcement> {
  const contract = await loadContract()
  const validator = createValidator(contract)
  await warmUp(validator, contract)
  const dashboard = await enforceDashboardContract()
  return {
    contract,
    validator,
    checkPage: createPageCheck(contract),
    dashboard,
  }
}

/** Loads what people sign in with, before anybody does. */
export async function loadSignIn(): Promise<void> {
  await loadAuth()
}

/** Reserves units for requests. To be closed before the database is. */
export function openMeter(config: Config, store: Store, db: Db, logger: Logger): Meter {
  const limits = dailyLimitsOf(plansOf(config))
  const onFailure = (error: unknown, message: string) => logFailure(logger, error, message)
  if (!config.SHORTCUTS.includes('batches')) return createDirectMeter(db, { limits, onFailure })
  return createBatchingMeter({
    limits,
    connector: (lockTimeoutMs) =>
      laneConnector({ connectionString: store.connectionString, limits, lockTimeoutMs }),
    scheduler: realScheduler,
    onFailure,
  })
}

/** Connections to customers' endpoints, with every address vetted. */
export async function createWebhookAgent(config: Config): Promise<Agent> {
  const { createGuardedAgent } = await import('./features/webhooks/guarded-agent.ts')
  return createGuardedAgent({
    isAllowedAddress: createAddressGuard(config.WEBHOOK_ALLOW_CIDRS),
    connectTimeoutMs: config.WEBHOOK_CONNECT_TIMEOUT,
    // Many endpoints may share a host, and none may wait for another's answer: endpoints are bounded one by one.
    connectionsMax: config.WEBHOOK_IN_FLIGHT_MAX,
    extraCa: await readExtraCa(config.WEBHOOK_CA_FILE),
  })
}

/** How we name ourselves to endpoints. */
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
): Promise<{ delivery_id: string; result: SendResult }> {
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

/**
 * Who takes payments; null: nobody, and an operator grants what is bought elsewhere.
 * @throws UserError when a part of the settings is missing
 */
export async function openPayments(config: Config): Promise<PaymentProvider | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  const { STRIPE_PRICE_DEVELOPER: developer, STRIPE_PRICE_PACK: pack, STRIPE_API_URL: apiUrl } = config
  if (secretKey === undefined) return null
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

const bytesPerMib = 1_024 * 1_024

export interface ApiOptions extends Enforcement {
  config: Config
  db: Db
  /** For what people click. */
  dashboardDb: Db
  replica: Replica | null
  meter: Meter
  secrets: SecretBox
  logger: Logger
  metrics: Metrics
  urls: PublicUrls
  payments: PaymentProvider | null
  /** Opens the queue into which the dashboard puts deliveries and mails. */
  openAlertQueue: () => Promise<AlertQueue & MailQueue>
  isReady: () => boolean
  isStopping: () => boolean
  clock?: Clock
}

export function createApi({
  config,
  db,
  dashboardDb,
  meter,
  urls,
  secrets,
  payments,
  clock = systemClock,
  dashboard,
  openAlertQueue,
  ...options
}: ApiOptions): RequestListener {
  const { logger } = options
  const plans = plansOf(config)
  const services = {
    db,
    meter,
    clock,
    secrets,
    isAllowedAddress: createAddressGuard(config.WEBHOOK_ALLOW_CIDRS),
    topupUrl: urls.topup,
  }
  let checkBody: BodyCheck | null = null
  let checkTable: ((body: unknown) => void) | null = null
  return createHttpApp({
    ...options,
    services,
    plans,
    dashboard: {
      ...dashboard,
      services: {
        ...services,
        db: dashboardDb,
        plans,
        billing: { provider: payments, contact: config.BILLING_CONTACT ?? null },
        logger,
        priceTable: new SharedPriceTable({
          check: (body) => {
            checkTable ??= createAnswerCheck(dashboard.contract, 'getPriceTable')
            checkTable(body)
          },
        }),
        dashboardUrl: `${urls.base}/dashboard`,
        openAlertQueue,
        sendTestAlert: async (webhook) => {
          // Compiled at the first test: that holds everything else up for some 50 ms.
          checkBody ??= createBodyCheck(options.contract.document)
          const sending = { secrets, publicUrl: urls.base, check: checkBody }
          return (await sendTestAlert(config, webhook, sending)).result
        },
      },
      openAuth: createAuth({
        db: dashboardDb,
        secrets: secrets.deriveAll(authPurpose),
        publicUrl: urls.base,
      }),
      publicUrl: urls.base,
      logger,
    },
    trustedProxies: config.TRUSTED_PROXIES,
    pagesBytesMax: config.SHORTCUTS.includes('pages') ? config.PAGES_MEMORY_MIB * bytesPerMib : 0,
    recognisesRequests: config.SHORTCUTS.includes('requests'),
    corsOrigins: config.CORS_ORIGINS,
    publicUrl: urls.base,
    urls: { upgrade_url: urls.upgrade, topup_url: urls.topup },
  })
}
