import type { RequestListener } from 'node:http'
import { Writable } from 'node:stream'
import { afterAll, beforeAll } from 'vitest'
import {
  createApi,
  compileContracts,
  openMeter,
  openPayments,
  openReplica,
  openRequestRecorder,
} from '../../src/app.ts'
import { connectForDashboard, connectForReaders } from '../../src/database-server.ts'
import { createUnsubscribeTokens } from '../../src/features/notices/unsubscribe-token.ts'
import { createSecretBox, generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { createLimitedServer, listen, type ServerLimits } from '../../src/http/socket/listen.ts'
import { createMetrics, type Metrics } from '../../src/platform/metrics.ts'
import { systemClock, type Clock } from '../../src/platform/clock.ts'
import { findSignUpUrl, mailServer, publicUrl, readConfig } from '../../src/platform/config.ts'
import { createLogger } from '../../src/platform/logger.ts'
import { createLazyAlertQueue, openAlertQueue } from '../../src/alert-queue.ts'
import { sendQueuedMails } from '../../src/jobs/mail.ts'
import { createMailer } from '../../src/platform/mailer.ts'
import { PageSource } from '../../src/http/html/page-source.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { request, type RequestOptions } from './client.ts'
import type { Answer } from './contract-check.ts'
import type { TestDatabase } from './postgres.ts'

export interface TestApi {
  url: string
  request: (path: string, options?: RequestOptions) => Promise<Answer>
  /** Every line the server has logged, as text. */
  log: string[]
  metrics: Metrics
  /** Sends queued alerts as a worker would, and resolves after a try of each. */
  sendMails: () => Promise<void>
}

export interface TestApiOptions {
  env?: Record<string, string>
  /** Every request has a header by which it is not recognised: it takes all steps, however often it comes. */
  takesLongWay?: boolean
  clock?: Clock
  /** Where the server finds its database, when not at the test's own. */
  databaseUrl?: () => string
  /** Where the server finds Stripe. */
  stripeUrl?: string
  /** Memory for the pages of lists, where it is not the usual. */
  pagesBytesMax?: number
  /** Of connections, where they are not the usual ones. */
  limits?: ServerLimits
}

/** The real server in this process, on a free port and the file's database, for the length of the file. */
export function useApi(
  database: TestDatabase,
  {
    env = {},
    takesLongWay = false,
    clock = systemClock,
    databaseUrl,
    stripeUrl,
    pagesBytesMax,
    limits = {},
  }: TestApiOptions = {},
): TestApi {
  const api = { log: [] as string[], metrics: createMetrics() } as TestApi
  let handle: RequestListener
  const { server } = createLimitedServer((req, res) => {
    if (takesLongWay) req.rawHeaders.push('Upgrade', 'nothing')
    handle(req, res)
  }, limits)
  let close: () => Promise<void>
  beforeAll(async () => {
    const config = readConfig({ PORT: '0', ADMIN_PORT: '0', ...env })
    const logger = createLogger('debug', collector(api.log))
    const databaseServer = {
      connectionString: databaseUrl?.() ?? database.url,
      embedded: null,
      revive: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const db = connectForReaders(databaseServer, logger, config.DATABASE_POOL_SIZE)
    const dashboardDb = connectForDashboard(databaseServer, logger)
    const replica = openReplica(config, logger)
    const meter = openMeter(databaseServer, { db, logger, metrics: api.metrics })
    const requestLog = openRequestRecorder(databaseServer, {
      ...(await contracts),
      logger,
      metrics: api.metrics,
    })
    const alertQueue = createLazyAlertQueue(config, databaseServer, logger)
    let workQueue: Promise<Queue> | null = null
    close = async () => {
      await (await workQueue)?.stop()
      await alertQueue.close()
      await meter.close()
      await requestLog.close()
      await replica?.close()
      await dashboardDb.destroy()
      await db.destroy()
    }
    const secrets = createSecretBox(config.SECRETS_KEY ?? [generateSecretsKey()])
    const port = await listen(server, { host: '127.0.0.1', port: 0, portName: 'PORT' })
    const baseUrl = publicUrl(config, port)
    handle = createApi({
      ...(await contracts),
      config,
      db,
      dashboardDb,
      replica,
      meter,
      recorder: requestLog.recorder,
      secrets,
      logger,
      metrics: api.metrics,
      publicUrl: baseUrl,
      pagesBytesMax,
      payments: await openPayments(config, { secrets, logger }, stripeUrl),
      openAlertQueue: alertQueue.open,
      connectionString: databaseServer.connectionString,
      pageSource: new PageSource(dashboardDb),
      clock,
      isReady: () => true,
      isStopping: () => false,
    })
    api.url = `http://127.0.0.1:${port}`
    const sendMail = createMailer({ smtpUrl: mailServer(config), from: config.MAIL_FROM, logger })
    api.sendMails = async () => {
      const queue = await (workQueue ??= openAlertQueue(config, databaseServer, logger, { supervise: false }))
      const dashboardUrl = `${baseUrl}/dashboard`
      const notices = {
        publicUrl: baseUrl,
        tokens: createUnsubscribeTokens(secrets),
        canMail: mailServer(config) !== undefined,
      }
      const links = { dashboardUrl, signUpUrl: findSignUpUrl(config, baseUrl) }
      while ((await sendQueuedMails({ db, queue, sendMail, ...links, notices, clock, logger })) > 0);
    }
    api.request = (path, options) => request(api.url, path, options)
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await close()
  })
  return api
}

// The validator compiles the contract once for all servers of a test file.
const contracts = compileContracts()

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
}
