import { setTimeout } from 'node:timers/promises'
import { openAlertQueue } from '../alert-queue.ts'
import { createWebhookAgent, userAgent } from '../app.ts'
import { connectForSending, connectForWork, plansOf } from '../database-server.ts'
import { createFeedRunner } from './feed-runner.ts'
import { startLedgerCheck } from './ledger-check.ts'
import { startPulse } from '../jobs/pulse.ts'
import { readSchedule } from '../feed/schedule.ts'
import { readConfirmation } from '../feed/status.ts'
import { listSourceStatus } from '../features/prices/source-status.ts'
import { listSlots } from '../features/cells/hub.ts'
import { readFeedAge } from '../features/cells/pulse.ts'
import { deleteExpired } from '../features/members/expired-rows.ts'
import { deleteOldAuditEntries } from '../features/audit/audit-store.ts'
import { deleteOldNotices } from '../features/notices/notice-store.ts'
import { createUnsubscribeTokens } from '../features/notices/unsubscribe-token.ts'
import { deleteOldBatchers } from '../features/metering/batcher-store.ts'
import { deleteOldRequests } from '../features/metering/request-store.ts'
import { deleteOldAnnouncements } from '../features/webhooks/fan-out.ts'
import { deleteOldDeliveries } from '../features/webhooks/delivery-store.ts'
import { deleteOldExchanges } from '../features/webhooks/exchange-store.ts'
import { standardPolicy } from '../features/webhooks/retry-policy.ts'
import { AlertBodies } from '../jobs/alert-bodies.ts'
import { startDelivering } from '../jobs/deliver.ts'
import { startFanOut } from '../jobs/fan-out.ts'
import { startFeed } from '../jobs/feed.ts'
import { startMailing } from '../jobs/mail.ts'
import { startNotices } from '../jobs/notices.ts'
import { startReviewMails } from '../jobs/review-mail.ts'
import { systemClock } from '../platform/clock.ts'
import { logFailure, poolFigures } from '../database/connect.ts'
import { readFeedRole } from '../database/feed-role.ts'
import { deletedAtATime } from '../database/steps.ts'
import type { Logger } from '../platform/logger.ts'
import { createMailer } from '../platform/mailer.ts'
import type { ProcessContext } from './process-life.ts'

const slowShare = 0.2
const retentionEveryMs = 600_000
/** While there is more than a step deletes. */
const retentionRestMs = 1_000

export interface WorkerOptions extends Pick<
  ProcessContext,
  'config' | 'databaseServer' | 'secrets' | 'logger' | 'metrics'
> {
  publicUrl: string
}

export interface Worker {
  stop: () => Promise<void>
}

/** Sends alerts and mails and reads price sources, in this process, until stopped. The database has our schema by now. */
export async function startWorker({
  config,
  databaseServer,
  secrets,
  logger,
  metrics,
  publicUrl,
}: WorkerOptions): Promise<Worker> {
  await using resources = new AsyncDisposableStack()
  const agent = await createWebhookAgent(config)
  resources.defer(() => agent.destroy())
  const db = resources.use(connectForSending(databaseServer))
  const queue = await openAlertQueue(config, databaseServer, logger, { supervise: true })
  resources.defer(() => queue.stop())
  const delivering = await startDelivering({
    db,
    queue,
    secrets,
    agent,
    bodies: new AlertBodies(db),
    retry: config.WEBHOOK_RETRY_SCHEDULE
      ? { scheduleMs: config.WEBHOOK_RETRY_SCHEDULE, overloadDelayMsMin: 0 }
      : standardPolicy,
    switchOff: { afterDays: config.WEBHOOK_OFF_AFTER_DAYS, exhaustedMin: config.WEBHOOK_OFF_AFTER_EXHAUSTED },
    limits: {
      total: config.WEBHOOK_IN_FLIGHT_MAX,
      slow: Math.max(1, Math.floor(config.WEBHOOK_IN_FLIGHT_MAX * slowShare)),
      perAccount: config.WEBHOOK_ACCOUNT_IN_FLIGHT_MAX,
      perEndpoint: config.WEBHOOK_ENDPOINT_IN_FLIGHT_MAX,
    },
    timeoutMs: config.WEBHOOK_TIMEOUT,
    userAgent: userAgent(),
    tellsTrace: config.WEBHOOK_TRACEPARENT === 'on',
    clock: systemClock,
    logger,
    onAttempt: (attempt) => metrics.observeAttempt(attempt),
    onUnreadableSecret: () => metrics.countUnreadableSecret(),
    onPutOff: (reason) => metrics.countPutOff(reason),
  })
  resources.defer(() => delivering.stop())
  metrics.watchDeliveries({
    inFlight: () => delivering.inFlight(),
    unwritten: () => delivering.unwritten(),
    readDue: () => queue.readDue(),
  })

  // Apart from the connections that send: their settings are for a few rows at a time.
  const feedDb = resources.use(connectForWork(databaseServer))
  // A cell has its prices from its hub. Sources are read there, and operators decide there.
  const isCell = (await readFeedRole(feedDb)) !== 'own'
  const feeds = isCell ? [] : readSchedule(config.FEED_SOURCES)
  const feed = await startFeed({
    db: feedDb,
    queue,
    feeds,
    appliesDatedPrices: !isCell,
    runner: createFeedRunner({
      db: feedDb,
      config,
      connectionString: databaseServer.connectionString,
      publicUrl,
    }),
    clock: systemClock,
    logger,
    onRun: (source, outcome) => metrics.countFeedRun(source, outcome),
  })
  resources.defer(() => feed.stop())
  const fanningOut = startFanOut({ db: feedDb, queue, publicUrl, logger })
  resources.defer(() => fanningOut.stop())
  const beating = startPulse({ db: feedDb, logger })
  resources.defer(() => beating.stop())
  metrics.watchCells({ feedAge: () => readFeedAge(feedDb), slots: () => listSlots(feedDb) })
  metrics.watchPool('sending', () => poolFigures(db))
  metrics.watchPool('feed', () => poolFigures(feedDb))
  metrics.watchFeed({
    schedule: feeds,
    sources: () => listSourceStatus(feedDb),
    confirmation: () => readConfirmation(feedDb),
  })

  const plans = plansOf(config)
  const mailing = startMailing({
    db: feedDb,
    queue,
    sendMail: createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, logger }),
    dashboardUrl: `${publicUrl}/dashboard`,
    notices: {
      publicUrl,
      plans,
      tokens: createUnsubscribeTokens(secrets),
      canMail: config.SMTP_URL !== undefined,
    },
    clock: systemClock,
    logger,
    onMail: (outcome) => metrics.countMail(outcome),
  })
  resources.defer(() => mailing.stop())

  const noticing = startNotices({
    db: feedDb,
    queue,
    plans,
    canMail: config.SMTP_URL !== undefined,
    clock: systemClock,
    logger,
  })
  resources.defer(() => noticing.stop())

  const telling = startReviewMails({
    db: feedDb,
    queue,
    operators: isCell ? [] : config.OPERATOR_EMAILS,
    clock: systemClock,
    logger,
  })
  resources.defer(() => telling.stop())

  const checking = startLedgerCheck({ db: feedDb, logger, metrics })
  resources.defer(() => checking.stop())

  const stopping = new AbortController()
  const days = config.DELIVERY_RETENTION_DAYS
  const forgetting: [what: string, forget: () => Promise<number>][] = [
    ['old deliveries', () => deleteOldDeliveries(db, days)],
    ['old announcements', () => deleteOldAnnouncements(db, days)],
    ['old notices', () => deleteOldNotices(feedDb)],
    ['old requests', () => deleteOldRequests(feedDb)],
    ['requests and answers of old attempts', () => deleteOldExchanges(feedDb)],
    ['old entries of audit logs', () => deleteOldAuditEntries(feedDb)],
    ['links that nobody followed', () => deleteExpired(feedDb, 'mailed_links')],
    ['invitations that nobody accepted', () => deleteExpired(feedDb, 'invitations')],
    ['old counts of attempts', () => deleteExpired(feedDb, 'attempts')],
    ['last batches of processes that have ended', () => deleteOldBatchers(feedDb)],
    ['sessions that are over', () => deleteExpired(feedDb, 'auth_sessions', 'auth_verifications')],
  ]
  const retention = Promise.all(
    forgetting.map(([what, forget]) => forgetFromTimeToTime(what, forget, logger, stopping.signal)),
  )
  resources.defer(async () => {
    stopping.abort()
    await retention
  })
  logger.info(
    { in_flight_max: config.WEBHOOK_IN_FLIGHT_MAX, feeds: feeds.map(({ source }) => source) },
    'sending alerts and reading sources',
  )
  const owned = resources.move()
  return { stop: () => owned.disposeAsync() }
}

/** @param forget returns how many it forgot */
async function forgetFromTimeToTime(
  what: string,
  forget: () => Promise<number>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let restMs = retentionEveryMs
    try {
      const count = await forget()
      if (count >= deletedAtATime) restMs = retentionRestMs
      if (count > 0) logger.info({ count }, `${what} forgotten`)
    } catch (error) {
      logFailure(logger, error, `${what} could not be forgotten`)
    }
    await setTimeout(restMs, undefined, { signal }).catch(() => undefined)
  }
}
