import { createRequire } from 'node:module'
import express, { type RequestHandler, type Router } from 'express'
import type { OperationId } from '@ratecard/dashboard/contract'
import type { OpenAuth } from '../../features/members/auth.ts'
import { loadContract, type Contract } from '../../platform/contract.ts'
import type { Logger } from '../../platform/logger.ts'
import { readBody } from '../read-body.ts'
import { readInput } from '../read-input.ts'
import { findOperation } from '../route.ts'
import { refuseWhile, type Gate } from '../shed.ts'
import { createValidator } from '../validate.ts'
import { limitRate, limitSession } from './bounds.ts'
import { answerDashboardError } from './errors.ts'
import { limitAttempts } from './limit-attempts.ts'
import { findMember } from './member.ts'
import type { DashboardServices } from './operation.ts'
import { dashboardPages } from './pages.ts'
import { warnOfUntrustedProxy } from './proxy-check.ts'
import { requireRole, runDashboardOperation } from './run.ts'
import { requireSameOrigin } from './same-origin.ts'

export interface DashboardEnforcement {
  contract: Contract<OperationId>
  validator: RequestHandler[]
}

/** @throws UserError when the dashboard's contract does not load */
export async function enforceDashboardContract(): Promise<DashboardEnforcement> {
  const file = createRequire(import.meta.url).resolve('@ratecard/dashboard/openapi.yaml')
  const contract = await loadContract<OperationId>(file)
  return { contract, validator: createValidator(contract) }
}

export interface DashboardOptions extends DashboardEnforcement {
  services: DashboardServices
  openAuth: OpenAuth
  publicUrl: string
  logger: Logger
}

const apiPath = /^\/dashboard\/api(\/|$)/

/** The way of a dashboard request, top to bottom. Everything else passes by. */
export function createDashboard(
  { contract, validator, services, openAuth, publicUrl, logger }: DashboardOptions,
  gate: Gate,
): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.use((req, res, next) => {
    if (!apiPath.test(req.path)) return next('router')
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Vary', 'Cookie')
    next()
  })
  router.use(warnOfUntrustedProxy(publicUrl, logger))
  router.use(findOperation(contract))
  router.use(refuseWhile(gate))
  router.use(requireSameOrigin(publicUrl))
  router.use(limitSession())
  router.use(findMember(services.db, openAuth))
  router.use(requireRole)
  router.use(limitRate())
  router.use(readInput)
  router.use(readBody(gate))
  router.use(validator)
  router.use(limitAttempts(services.db))
  router.use(runDashboardOperation(services, openAuth))
  router.use(answerDashboardError(logger))

  const whole = express.Router({ caseSensitive: true, strict: true })
  whole.use(router)
  whole.use(dashboardPages())
  return whole
}
