import type { OperationId } from '@ratecard/dashboard/contract'
import type { RequestHandler } from 'express'
import type { OpenAuth } from '../../features/members/auth.ts'
import { askAuth } from '../../features/members/sign-in.ts'
import { AccountLimits } from './bounds.ts'
import { DashboardError } from './errors.ts'
import { tooManyAttempts } from './limit-attempts.ts'
import { clientAddressOf } from './member.ts'
import { personalOperations, type Call, type DashboardServices, type Operation } from './operation.ts'
import { operations, ownerOnly } from './operations/index.ts'

const needsNoAccount: ReadonlySet<string> = new Set(personalOperations)

/** Refuses members what is for owners, and everything about an account to who has none. */
export const requireRole: RequestHandler = (_req, res, next) => {
  const { member, operation } = res.locals
  if (member?.account === null && !needsNoAccount.has(operation.id)) throw new DashboardError('no_account')
  if (ownerOnly.has(operation.id) && member?.account?.role !== 'owner') throw new DashboardError('owner_only')
  next()
}

/** Runs the operation and sends what it returns. The request has passed every check of its form by now. */
export function runDashboardOperation(services: DashboardServices, openAuth: OpenAuth): RequestHandler {
  const limits = new AccountLimits()
  return async (req, res) => {
    // Express would compare it with nothing of ours; the one operation that reads it asks for it by name.
    const ifNoneMatch = req.headers['if-none-match']
    delete req.headers['if-none-match']
    const call: Record<keyof Call<OperationId>, unknown> = {
      query: req.query,
      path: res.locals.path,
      body: req.body as unknown,
      rawBody: res.locals.rawBody ?? Buffer.alloc(0),
      header: (name: string) => (name === 'if-none-match' ? ifNoneMatch : req.headers[name]),
      member: res.locals.member,
      cookies: {
        sent: req.headers.cookie,
        set: (line) => void res.append('Set-Cookie', line),
      } satisfies Call<OperationId>['cookies'],
      askAuth: (async (request, explain) => {
        const outcome = await askAuth(openAuth, {
          ...request,
          cookie: req.headers.cookie,
          clientAddress: clientAddressOf(req),
          userAgent: req.headers['user-agent'],
        })
        if (outcome.kind === 'too_many') {
          throw tooManyAttempts(outcome.retrySeconds)
        }
        if (outcome.kind === 'refused') {
          throw (
            explain?.(outcome.code) ??
            new DashboardError('invalid_request', { message: `${outcome.message}.` })
          )
        }
        for (const cookie of outcome.setCookies) res.append('Set-Cookie', cookie)
        return outcome
      }) satisfies Call<OperationId>['askAuth'],
    }
    // The validator has checked the call against the contract; the types follow from the same contract.
    const run = operations[
      res.locals.operation.id as string as keyof typeof operations
    ] as Operation<OperationId>
    const { member, operation } = res.locals
    const result = (await limits.run(member, operation, () =>
      run(call as unknown as Call<OperationId>, services),
    )) as Sendable
    for (const [name, value] of Object.entries(result.headers ?? {})) res.setHeader(name, value)
    res.status(result.status)
    if (result.file) {
      res.setHeader('Content-Disposition', `attachment; filename="${result.file.name}"`)
      res.type(result.file.type).send(result.file.text)
    } else if (result.json) {
      res.setHeader('Content-Type', 'application/json; charset=utf-8')
      res.setHeader('Content-Length', result.json.length)
      res.end(result.json)
    } else if (result.status === 304) {
      res.end()
    } else {
      res.json(result.body)
    }
  }
}

interface Sendable {
  status: number
  headers?: Record<string, string>
  body?: unknown
  json?: Buffer
  file?: { name: string; type: string; text: string }
}
