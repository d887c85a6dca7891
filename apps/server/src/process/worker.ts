import { openAlertQueue } from '../alert-queue.ts'
import { createWebhookAgent, userAgent } from '../app.ts'
import { connectForSending, connectForWork } from '../database-server.ts'
import { createFeedRunner } from '../ingest/run/feed-runner.ts'
import { startLedgerCheck } from './ledger-check.ts'
import { startRetention } from './retention.ts'
import { startPulse } from '../jobs/pulse.ts'
import { signingPurpose } from '../exports/signature.ts'
import { readSchedule } from '../ingest/run/schedule.ts'
import { readConfirmation } from '../ingest/review/status.ts'
import { listSourceStatus } from '../ingest/publish/source-status.ts'
import { listSlots } from '../features/cells/hub.ts'
import { readFeedAge } from '../features/cells/pulse.ts'
import { createUnsubscribeTokens } from '../features/notices/unsubscribe-token.ts'
import { standardPolicy } from '../features/webhooks/retry-policy.ts'
import { AlertBodies } from '../jobs/alert-bodies.ts'
import { startDelivering } from '../jobs/deliver.ts'
import { startExports } from '../jobs/exports.ts'
import { startFanOut } from '../jobs/fan-out.ts'
import { startFeed } from '../jobs/feed.ts'
import { startMailing } from '../jobs/mail.ts'
import { startNotices } from '../jobs/notices.ts'
import { startReviewMails } from '../jobs/review-mail.ts'
import { systemClock } from '../platform/clock.ts'
import { poolFigures } from '../database/connect.ts'
import { readFeedRole } from '../database/feed-role.ts'
import { findSignUpUrl, mailServer } from '../platform/config.ts'
import { createMailer } from '../platform/mailer.ts'
import type { ProcessContext } from './process-life.ts'

/** Of the attempts in flight: what is kept for endpoints that timed out last. */
const slowShare = 0.2
/** What one account may have of them: another finds room, however many the first has queued. */
const accountShare = 0.5
/** Over all processes: what a customer runs is seldom made for more. One that does not answer gets a single one. */
const endpointInFlightMax = 2
/** Too few deliveries say nothing of an endpoint: one that is told once a month is not switched off for one outage. */
const exhaustedMin = 3

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
  // Apart from the connections that send: their settings are for a few rows at a time.
  const feedDb = resources.use(connectForWork(databaseServer))
  const works: { stop: () => Promise<void> }[] = []
  // All at once: none begins anything while another one comes to its end.
  resources.defer(async () => {
    const ends = await Promise.allSettled(works.map((work) => work.stop()))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  })
  const delivering = await startDelivering({
    db,
    queue,
    secrets,
    agent,
    bodies: new AlertBodies(db),
    retry: config.WEBHOOK_RETRY_SCHEDULE
      ? { scheduleMs: config.WEBHOOK_RETRY_SCHEDULE, overloadDelayMsMin: 0 }
      : standardPolicy,
    switchOff: { afterDays: config.WEBHOOK_OFF_AFTER_DAYS, exhaustedMin },
    limits: {
      total: config.WEBHOOK_IN_FLIGHT_MAX,
      slow: takeShare(config.WEBHOOK_IN_FLIGHT_MAX, slowShare),
      perAccount: takeShare(config.WEBHOOK_IN_FLIGHT_MAX, accountShare),
      perEndpoint: endpointInFlightMax,
    },
    timeoutMs: config.WEBHOOK_TIMEOUT,
    userAgent: userAgent(),
    clock: systemClock,
    logger,
    onAttempt: (attempt) => metrics.observeAttempt(attempt),
    onUnreadableSecret: () => metrics.countUnreadableSecret(),
    onPutOff: (reason) => metrics.countPutOff(reason),
  })
  works.push(delivering)
  metrics.watchDeliveries({
    inFlight: () => delivering.inFlight(),
    unwritten: () => delivering.unwritten(),
    readDue: () => queue.readDue(),
  })

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
  works.push(feed)
  const fanningOut = startFanOut({ db: feedDb, queue, publicUrl, logger })
  works.push(fanningOut)
  const beating = startPulse({ db: feedDb, logger })
  works.push(beating)
  metrics.watchCells({ feedAge: () => readFeedAge(feedDb), slots: () => listSlots(feedDb) })
  metrics.watchPool('sending', () => poolFigures(db))
  metrics.watchPool('feed', () => poolFigures(feedDb))
  metrics.watchFeed({
    schedule: feeds,
    sources: () => listSourceStatus(feedDb),
    confirmation: () => readConfirmation(feedDb),
  })

  const smtpUrl = mailServer(config)
  const canMail = smtpUrl !== undefined
  const mailing = startMailing({
    db: feedDb,
    queue,
    sendMail: createMailer({ smtpUrl, from: config.MAIL_FROM, logger }),
    dashboardUrl: `${publicUrl}/dashboard`,
    signUpUrl: findSignUpUrl(config, publicUrl),
    notices: {
      publicUrl,
      tokens: createUnsubscribeTokens(secrets),
      canMail,
    },
    clock: systemClock,
    logger,
    onMail: (outcome) => metrics.countMail(outcome),
  })
  works.push(mailing)

  const noticing = startNotices({
    db: feedDb,
    queue,
    canMail,
    clock: systemClock,
    logger,
  })
  works.push(noticing)

  const telling = startReviewMails({
    db: feedDb,
    queue,
    operators: isCell ? [] : config.OPERATOR_EMAILS,
    clock: systemClock,
    logger,
  })
  works.push(telling)

  if (!isCell) {
    const { connectionString } = databaseServer
    const secret = secrets.derive(signingPurpose)
    const exporting = startExports({ db: feedDb, connectionString, secret, logger })
    works.push(exporting)
  }

  const checking = startLedgerCheck({ db: feedDb, logger, metrics })
  works.push(checking)

  const forgetting = startRetention({ db: feedDb, config, logger, metrics })
  works.push(forgetting)
  logger.info(
    { in_flight_max: config.WEBHOOK_IN_FLIGHT_MAX, feeds: feeds.map(({ source }) => source) },
    'sending alerts and reading sources',
  )
  const owned = resources.move()
  return { stop: () => owned.disposeAsync() }
}

function takeShare(total: number, share: number): number {
  return Math.max(1, Math.floor(total * share))
}
