import express, { type Router } from 'express'
import type { OpenAuth } from '../../features/members/auth.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { CompiledContract } from '../contract/compile.ts'
import { createInterface } from '../pipeline/interface.ts'
import { refuseWhile, type Gate } from '../pipeline/shed.ts'
import { limitRate, limitSession } from './bounds.ts'
import { limitAttempts } from './limit-attempts.ts'
import { findMember } from './member.ts'
import type { DashboardServices } from './operation.ts'
import { limitOpenRequests, readOwnCookies } from './open-requests.ts'
import { dashboardPages } from './pages.ts'
import { warnOfUntrustedProxy } from './proxy-check.ts'
import { asDashboardError } from './refusals.ts'
import type { OperationId } from './registry.ts'
import { runDashboardOperation } from './run.ts'
import { requireSameOrigin } from './same-origin.ts'

export interface DashboardOptions extends CompiledContract<OperationId> {
  services: DashboardServices
  openAuth: OpenAuth
  /** The addresses of operators, in lower case. */
  operators: ReadonlySet<string>
  publicUrl: string
  metrics: Pick<Metrics, 'countUnavailable' | 'countFault'>
}

const apiPath = /^\/dashboard\/api(\/|$)/

/** The dashboard's interface and its pages. Every other request passes through. */
export function createDashboard(options: DashboardOptions, gate: Gate): Router {
  const { services, openAuth, operators, publicUrl, checkAnswer } = options
  const { logger } = services
  const api = createInterface({
    ...options,
    logger,
    gate,
    admit: [
      readOwnCookies,
      warnOfUntrustedProxy(publicUrl, logger),
      refuseWhile(gate),
      requireSameOrigin(publicUrl),
      limitOpenRequests(),
      limitSession(),
    ],
    identify: [findMember(services.db, openAuth, operators), limitRate()],
    run: [limitAttempts(services.db), runDashboardOperation(services, openAuth, checkAnswer)],
    urls: {},
    toFailure: asDashboardError,
  })
  const router = express.Router()
  router.use((req, res, next) => {
    if (!apiPath.test(req.path)) return next()
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Vary', 'Cookie')
    api(req, res, next)
  })
  return router.use(dashboardPages(services.cellHosts, services.houseLinks))
}
