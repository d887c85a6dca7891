import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { takeAttempt, type AttemptLimit } from '../../features/members/attempt-store.ts'
import { perMinute } from '../limits/index.ts'
import { DashboardError } from './errors.ts'
import { findClientAddress } from './member.ts'
import { findNetwork } from '../../platform/network.ts'
import type { OperationId } from './registry.ts'

// A client with many addresses cannot fill the queue of mails either, nor the table of attempts: a mail request of a
// stranger costs a row until it is looked at.
const mailsAskedFor: AttemptLimit = { what: 'mails asked for', max: 600, seconds: 60 }
const asksForMail: ReadonlySet<string> = new Set<OperationId>(['signUp', 'sendPasswordResetMail'])

type Attempts = typeof perMinute.attempts
/** A limit on what is no operation does not compile. */
const attempts: Partial<Record<OperationId, number>> & {
  [Id in keyof Attempts]: Id extends OperationId ? number : never
} = perMinute.attempts

/** Counts attempts that need no session, by address, before anything is looked up. */
export function limitAttempts(db: Db): RequestHandler {
  return async (req, res, next) => {
    const { id } = res.locals.operation
    const max = attempts[id as OperationId]
    if (max === undefined) return next()
    await spend(db, { what: `${id} from an address`, max, seconds: 60 }, findNetwork(findClientAddress(req)))
    if (asksForMail.has(id)) await spend(db, mailsAskedFor, 'anybody')
    next()
  }
}

/** @throws DashboardError too_many_attempts */
export async function spend(db: Db, limit: AttemptLimit, subject: string, advice = ''): Promise<void> {
  const seconds = await takeAttempt(db, limit, subject)
  if (seconds > 0) throw tooManyAttempts(seconds, advice)
}

export function tooManyAttempts(seconds: number, advice = ''): DashboardError {
  const time = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new DashboardError('too_many_attempts', {
    message: `Too many attempts. Try again in ${time}.${advice === '' ? '' : ` ${advice}`}`,
    headers: { 'Retry-After': String(seconds) },
  })
}
