import compression from 'compression'
import cors from 'cors'
import express, { type Express, type RequestHandler } from 'express'
import type { Plans } from '../features/entitlements/plans.ts'
import type { Logger } from '../platform/logger.ts'
import { answerError } from './answer-error.ts'
import { authenticate, entitle } from './authenticate.ts'
import type { Contract } from '../platform/contract.ts'
import { ApiError, type RemedyUrls } from './errors.ts'
import './locals.ts'
import { logRequests } from './request-log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Services } from './operation.ts'
import { createPages } from './pages/index.ts'
import { rateLimitHeaderNames } from './rate-limit-headers.ts'
import { readInput } from './read-input.ts'
import { findOperation } from './route.ts'
import { runOperation } from './run-operation.ts'
import { shedLoad } from './shed.ts'

export interface HttpOptions {
  services: Services
  contract: Contract
  validator: RequestHandler[]
  plans: Plans
  logger: Logger
  metrics: Metrics
  corsOrigins: readonly string[]
  publicUrl: string
  urls: RemedyUrls
  /** Whether the database has our schema. */
  isReady: () => boolean
  /** Whether the server is about to stop: each answer then ends its connection. */
  isStopping: () => boolean
}

/** The way of a request, top to bottom. */
export function createHttpApp(options: HttpOptions): Express {
  const { services, contract, logger, metrics, urls } = options
  const app = express()
  app.disable('x-powered-by').disable('etag')
  // The validator matches paths by the router's rules; ours are strict.
  app.enable('case sensitive routing').enable('strict routing')

  app.use(logRequests(logger, metrics))
  app.use(commonHeaders(options.isStopping))
  app.use(requireHost)
  if (options.corsOrigins.length > 0) app.use(allowOrigins(options.corsOrigins))
  app.use(compression({ threshold: 1_024 }))
  app.use(createPages(options))
  app.use(findOperation(contract))
  app.use(shedLoad(options.isReady, metrics))
  app.use(authenticate(services.db, options.plans))
  app.use(entitle)
  app.use(readInput)
  app.use(options.validator)
  app.use(runOperation(services, options.plans))
  app.use(answerError({ logger, urls }))
  return app
}

function commonHeaders(isStopping: () => boolean): RequestHandler {
  return (req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    // Each account sees its own: no answer of the API is anybody else's, nor for long.
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

/** HTTP/1.1 requires it (RFC 9112, 3.2), and Node would answer without a body. */
const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    throw new ApiError('invalid_request', { message: 'The request has no Host header.' })
  }
  next()
}

function allowOrigins(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: [...rateLimitHeaderNames, 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  })
}
