import type { RequestHandler } from 'express'
import { cookiePrefix } from '../../features/members/auth.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import { atATime, perMinute } from '../limits/index.ts'
import { DashboardError, tooOften } from './errors.ts'
import type { Person } from './member.ts'
import type { ContractOperation } from '../../platform/contract.ts'
import type { Cost } from './operation.ts'
import { findDefinition } from './registry.ts'

// What one session, one person and one account may take of the dashboard, leaving enough for the others. These bounds
// protect a process, its four connections and its processor, so each process keeps its own. What must hold over all of
// them, such as how many keys are made a day, is counted in the database. Decision 008 has the numbers.

/**
 * Lets a few requests of a session in at a time, and as many a minute as a person may send: before the session is looked
 * up, which takes a connection and most of the time of a request.
 */
export function limitSession(): RequestHandler {
  const semaphore = new KeyedSemaphore(atATime.ofSession)
  const findLimiter = createLimiters('user')
  return async (req, res, next) => {
    const { operation } = res.locals
    if (!operation.schemes.includes('session')) return next()
    const session = readSession(req.headers.cookie)
    if (session === null) throw new DashboardError('not_signed_in')
    const seconds = findLimiter(operation).take(session)
    if (seconds > 0) throw tooOften(seconds)
    await semaphore.run(session, async () => {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      // At the answer, not when the client has read it; or when the client has gone.
      res.once('prefinish', resolve)
      res.once('close', resolve)
      if (res.closed) return res.locals.leaveGate?.()
      next()
      await done
    })
  }
}

/**
 * The key of a session before it is looked up: its token, however it is spelled. All clients that send several cookies
 * of the name share one key.
 */
function readSession(cookies: string | undefined): string | null {
  const name = `${cookiePrefix}.session_token=`
  const values = (cookies ?? '').split(name).slice(1)
  if (values.length !== 1) return values.length === 0 ? null : 'several'
  return /[A-Za-z0-9]+/.exec(values[0]!)?.[0] ?? ''
}

/** Bounds how often a minute a person and an account may ask, however many sessions and members there are. */
export function limitRate(): RequestHandler {
  const [rateOfUser, rateOfAccount] = [createLimiters('user'), createLimiters('account')]
  return (_req, res, next) => {
    const { member, operation } = res.locals
    if (!member) return next()
    const ofUser = rateOfUser(operation).take(member.user.id)
    const seconds = ofUser || (member.account ? rateOfAccount(operation).take(member.account.id) : 0)
    if (seconds > 0) throw tooOften(seconds)
    next()
  }
}

function createLimiters(whose: 'user' | 'account'): (operation: ContractOperation) => RateLimiter {
  const reads = new RateLimiter({ perMinute: perMinute.dashboardReads[whose] })
  const costlyReads = new RateLimiter({ perMinute: perMinute.dashboardCostlyReads[whose] })
  const writes = new RateLimiter({ perMinute: perMinute.dashboardWrites[whose] })
  return (operation) => {
    const { cost } = findDefinition(operation)
    return cost === 'read' ? reads : cost === 'costlyRead' ? costlyReads : writes
  }
}

/** Runs a few operations of an account at a time, and over all accounts a few that hash a password. */
export class AccountLimits {
  readonly #ofAccount = {
    read: new KeyedSemaphore(atATime.readsOfAccount),
    costlyRead: new KeyedSemaphore(atATime.costlyReadsOfAccount),
    write: new KeyedSemaphore(atATime.writesOfAccount),
    foreign: new KeyedSemaphore(atATime.foreignOfAccount),
  }
  readonly #passwords = new KeyedSemaphore(atATime.passwords)

  /** @throws SemaphoreTimeout */
  run<T>(member: Person | undefined, cost: Cost, work: () => Promise<T>): Promise<T> {
    if (cost === 'password') return this.#passwords.run('all', work)
    if (!member) return work()
    return this.#ofAccount[cost].run(member.account?.id ?? member.user.id, work)
  }
}
