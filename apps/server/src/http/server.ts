import cors from 'cors'
import type { RequestListener } from 'node:http'
import type { OperationId } from '@ratecard/contract'
import express, { type RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import type { RequestRecorder } from '../features/metering/request-recorder.ts'
import type { Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import type { Replica } from '../database/replica.ts'
import { answerError, asApiError } from './pipeline/answer-error.ts'
import { authenticate, entitle } from './pipeline/authenticate.ts'
import type { CompiledContract } from './contract/compile.ts'
import { ApiError, type RemedyUrls } from './pipeline/errors.ts'
import { createDashboard, type DashboardOptions } from './dashboard/index.ts'
import { createFastPath } from './lists/fast-path.ts'
import { finishAnswers } from './pipeline/finish-answers.ts'
import { createForwardedReader } from './pipeline/forwarded.ts'
import { KnownRequests } from './lists/known-requests.ts'
import { createInterface } from './pipeline/interface.ts'
import './pipeline/locals.ts'
import { createRequestLog, logRequests } from './pipeline/request-log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Services } from './pipeline/operation.ts'
import type { ListCheck } from './lists/list-check.ts'
import { createListSource } from './lists/read-list.ts'
import { ListCache } from './lists/list-cache.ts'
import { createPages } from './html/index.ts'
import type { PageSource } from './html/page-source.ts'
import { toolRoutes } from './mcp/index.ts'
import { pageCreator } from './html/layout.ts'
import { notFoundForPeople } from './html/not-found.ts'
import { rateLimitHeaderNames } from './pipeline/rate-limit-headers.ts'
import { keyRefuser } from './pipeline/refuse-key.ts'
import { isHost } from './pipeline/request-host.ts'
import { getHealth } from './operations/getHealth.ts'
import { runOperation } from './pipeline/run-operation.ts'
import { Gate } from './pipeline/shed.ts'
import { traceRequests } from './pipeline/trace-requests.ts'

export interface HttpOptions extends CompiledContract<OperationId> {
  services: Services
  /** Read for lists, as far as it is up to date. */
  replica: Replica | null
  checkList: ListCheck
  dashboard: Omit<DashboardOptions, 'metrics'>
  config: Pick<Config, 'CORS_ORIGINS' | 'TRUSTED_PROXIES' | 'LOG_CLIENT_ADDRESS' | 'CONTACT' | 'FOOTER_LINKS'>
  logger: Logger
  metrics: Metrics
  /** Notes requests for the log of their account. */
  recorder: Pick<RequestRecorder, 'note'>
  publicUrl: string
  urls: RemedyUrls
  /** Memory for the pages of lists. */
  pagesBytesMax?: number | undefined
  /** What HTML pages are made of. */
  pageSource: PageSource
  /** Whether the database has our schema. */
  isReady: () => boolean
  /** Whether the server is about to stop: each answer then ends its connection. */
  isStopping: () => boolean
}

/** A tenth of what a process takes under load. Pages that are asked for rarely make room for others. */
const pagesBytesMaxDefault = 24 * 1_024 * 1_024

/** The path of a request, top to bottom; recognised requests take the fast path past most of it. */
export function createHttpApp(options: HttpOptions): RequestListener {
  const { services, checkAnswer, logger, metrics, urls, isStopping, config } = options
  const hasCors = config.CORS_ORIGINS.length > 0
  const source = createListSource({
    db: services.db,
    replica: options.replica,
    check: options.checkList,
    logger,
  })
  const lists = new ListCache(
    new LRUCache({ maxSize: options.pagesBytesMax ?? pagesBytesMaxDefault }),
    source,
  )
  const known = new KnownRequests()
  const readForwarded = createForwardedReader(config)
  const log = createRequestLog(logger, metrics, options.recorder, readForwarded)
  const gate = new Gate('api', options)
  const refuseKey = keyRefuser(services.db, services.cellHosts)

  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.set('trust proxy', config.TRUSTED_PROXIES)

  app.use(logRequests(log))
  app.use(commonHeaders(isStopping))
  app.use(finishAnswers)
  app.use(requireHost)
  app.use(requireFraming)
  if (hasCors) app.use(allowOrigins(config.CORS_ORIGINS))
  const pagesGate = new Gate('pages', options)
  const { db } = options.dashboard.services
  app.use(toolRoutes({ ...options, db, corsOrigins: config.CORS_ORIGINS }, pagesGate))
  app.use(createPages(options, pagesGate))
  app.use(createDashboard({ ...options.dashboard, metrics }, new Gate('dashboard', options)))
  app.use(notFoundForPeople(pageCreator(options.publicUrl, config)))
  const failures = { logger, metrics, urls, toFailure: asApiError }
  app.use(
    createInterface({
      ...options,
      ...failures,
      gate,
      admit: [authenticate(services.db, gate, refuseKey), entitle],
      // A write looks at the key again, in its transaction.
      identify: [],
      run: [runOperation({ services, checkAnswer, lists, known, refuseKey })],
    }),
  )
  app.use(answerError(failures))
  const listener: RequestListener = (req, res) => {
    if (!isReadable(req.url ?? '')) req.url = unreadable
    app(req, res)
  }

  const fastPath = createFastPath({
    known,
    lists,
    meter: services.meter,
    gate,
    log,
    logger,
    metrics,
    urls,
    commonHead: buildHead('private, no-store', ['Authorization'], hasCors),
    healthHead: buildHead('no-store', [], hasCors),
    getHealth: () => getHealth({}, services),
    unusualHeaders: hasCors ? ['Origin'] : [],
    isStopping,
    app: listener,
  })
  return traceRequests(fastPath, readForwarded)
}

/** What the steps above set on an answer of the API, for the fast path. */
function buildHead(caching: string, vary: readonly string[], hasCors: boolean): string[] {
  const varying = [...vary, ...(hasCors ? ['Origin'] : []), 'Accept-Encoding'].join(', ')
  const head = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching, 'Vary', varying]
  return hasCors ? [...head, 'Access-Control-Expose-Headers', exposedHeaders.join(',')] : head
}

function commonHeaders(isStopping: () => boolean): RequestHandler {
  return (req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    // Each account sees its own answers of the API: no cache shares them, or keeps them for long.
    if (/^\/v1(\/|$)/i.test(req.path)) {
      res.setHeader('Cache-Control', 'private, no-store')
      res.setHeader('Vary', 'Authorization')
    } else if (req.path === '/health') {
      res.setHeader('Cache-Control', 'no-store')
    }
    if (isStopping()) res.setHeader('Connection', 'close')
    next()
  }
}

/** Express reads no path out of some targets in absolute form, and would answer those by itself, without our steps. */
function isReadable(target: string): boolean {
  return target.startsWith('/') || URL.canParse(target)
}

/** There is nothing at this address either. */
const unreadable = '/-'

/** HTTP/1.1 requires one, and one alone (RFC 9112, 3.2); Node would answer without a body. */
const requireHost: RequestHandler = (req, _res, next) => {
  const [host, ...more] = req.headersDistinct.host ?? []
  if (host === undefined && req.httpVersion === '1.1') {
    throw new ApiError('invalid_request', { message: 'The request has no Host header.' })
  }
  if (more.length > 0 || (host !== undefined && !isHost(host))) {
    throw new ApiError('invalid_request', {
      message: 'The request must have one Host header, with one host.',
    })
  }
  next()
}

/** Node passes on a request whose end it does not know, and complains later: it must not be worked on by then. */
const requireFraming: RequestHandler = (req, res, next) => {
  const coding = req.headers['transfer-encoding']
  if (coding === undefined || /^chunked$/i.test(coding)) return next()
  res.setHeader('Connection', 'close')
  throw new ApiError('invalid_request', { message: 'The only Transfer-Encoding that is read is chunked.' })
}

const exposedHeaders = [...rateLimitHeaderNames, 'X-Request-Id', 'Retry-After']

function allowOrigins(origin: string[]): RequestHandler {
  const allow = cors({
    origin,
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Mcp-Protocol-Version'],
    exposedHeaders,
    maxAge: 600,
  })
  return (req, res, next) => {
    // Without it OPTIONS is a method like any other.
    const isPreflight = req.headers['access-control-request-method'] !== undefined
    if (req.method === 'OPTIONS' && !isPreflight) return next()
    allow(req, res, next)
  }
}
