import type { RequestHandler } from 'express'
import type { OpenAuth } from '../../features/members/auth.ts'
import { tellOwnChange } from '../../features/members/own-change.ts'
import { askAuth } from '../../features/members/sign-in.ts'
import type { AnswerCheck } from '../contract/answer-check.ts'
import { sendResult } from '../pipeline/send-result.ts'
import { AccountLimits } from './bounds.ts'
import { DashboardError } from './errors.ts'
import { toResult } from './form.ts'
import { tooManyAttempts } from './limit-attempts.ts'
import { toActing, toActor, findClientAddress, type Member } from './member.ts'
import type { Call, DashboardServices } from './operation.ts'
import { findDefinition, type OperationId } from './registry.ts'
import { withStanding } from './standing.ts'

/** Runs the operation and sends what it returns. The request has passed every check of its form by now. */
export function runDashboardOperation(
  services: DashboardServices,
  openAuth: OpenAuth,
  checkAnswer: AnswerCheck<OperationId>,
): RequestHandler {
  const limits = new AccountLimits()
  return async (req, res) => {
    const { member, query, path, rawBody } = res.locals
    const { operation } = res.locals
    const id = operation.id as string as OperationId
    const db = member ? withStanding(services.db, member, operation) : services.db
    const call: Record<keyof Call, unknown> = {
      query,
      path,
      body: req.body as unknown,
      rawBody: rawBody ?? Buffer.alloc(0),
      header: (name: string) => req.headers[name],
      member,
      act: ((work) =>
        db.transaction().execute((trx) => work(trx, toActing(member as Member)))) satisfies Call['act'],
      cookies: {
        sent: req.headers.cookie,
        set: (line) => void res.append('Set-Cookie', line),
      } satisfies Call['cookies'],
      askAuth: (async (path, body, explain) => {
        const outcome = await askAuth(openAuth, {
          path,
          body,
          cookie: req.headers.cookie,
          clientAddress: findClientAddress(req),
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
      }) satisfies Call['askAuth'],
      tellOwnChange: (async (change) => {
        if (!member) throw new Error('A change without a user.')
        const queue = await services.openAlertQueue()
        const now = services.clock.now()
        await services.db
          .transaction()
          .execute((trx) => tellOwnChange(trx, queue, toActor(member), change, now))
      }) satisfies Call['tellOwnChange'],
    }
    // The validator has checked the call against the operation's form; its types follow from the same form.
    const { cost, form, run } = findDefinition({ id })
    const work = () => run(call as never, { ...services, db })
    await sendResult(res, id, toResult(form, await limits.run(member, cost, work)), checkAnswer)
  }
}
