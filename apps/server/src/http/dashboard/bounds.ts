import type { RequestHandler } from 'express'
import { cookiePrefix } from '../../features/members/auth.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { Rate } from '../../platform/rate.ts'
import { DashboardError, tooOften } from './errors.ts'
import type { Person } from './member.ts'
import type { ContractOperation } from '../../platform/contract.ts'
import type { Cost } from './operation.ts'
import { findDefinition } from './registry.ts'

// What one session, one person and one account may take of the dashboard, leaving enough for the others. These bounds
// protect a process, its four connections and its processor, so each process keeps its own. What must hold over all of
// them, such as how many keys are made a day, is counted in the database. Decision 008 has the numbers.

// A page sends some five requests at a time. No user clicks more than may wait here.
const perSession = { max: 5, timeoutMs: 1_400, waitingMax: 50 }
// Of the four connections that all share.
const readsPerAccount = { max: 3, timeoutMs: 1_400, waitingMax: 50 }
// They follow each other at the account's row, each with a connection.
const writesPerAccount = { max: 2, timeoutMs: 1_400, waitingMax: 50 }
// For what waits for an external server, and holds no connection meanwhile.
const foreignPerAccount = { max: 2, timeoutMs: 1_400, waitingMax: 10 }

// A password is hashed by scrypt: 50 ms and 32 MB, on one of the four threads that also compress what customers get.
const passwordsAtATime = { max: 2, timeoutMs: 1_400, waitingMax: 20 }

const readsPerMinute = { user: 600, account: 3_000 }
// A person's limit is a third of the account's: one member cannot keep an owner from removing them.
const writesPerMinute = { user: 60, account: 180 }

/**
 * Lets a few requests of a session in at a time, and as many a minute as a person may send: before the session is looked
 * up, which takes a connection and most of the time of a request.
 */
export function limitSession(): RequestHandler {
  const semaphore = new KeyedSemaphore(perSession)
  const rateOf = ratesOf('user')
  return async (req, res, next) => {
    const { operation } = res.locals
    if (!operation.schemes.includes('session')) return next()
    const session = sessionOf(req.headers.cookie)
    if (session === null) throw new DashboardError('not_signed_in')
    const seconds = rateOf(operation).take(session)
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
function sessionOf(cookies: string | undefined): string | null {
  const name = `${cookiePrefix}.session_token=`
  const values = (cookies ?? '').split(name).slice(1)
  if (values.length !== 1) return values.length === 0 ? null : 'several'
  return /[A-Za-z0-9]+/.exec(values[0]!)?.[0] ?? ''
}

/** Bounds how often a minute a person and an account may ask, however many sessions and members there are. */
export function limitRate(): RequestHandler {
  const [rateOfUser, rateOfAccount] = [ratesOf('user'), ratesOf('account')]
  return (_req, res, next) => {
    const { member, operation } = res.locals
    if (!member) return next()
    const ofUser = rateOfUser(operation).take(member.user.id)
    const seconds = ofUser || (member.account ? rateOfAccount(operation).take(member.account.id) : 0)
    if (seconds > 0) throw tooOften(seconds)
    next()
  }
}

function ratesOf(whose: keyof typeof readsPerMinute): (operation: ContractOperation) => Rate {
  const reads = new Rate({ perMinute: readsPerMinute[whose] })
  const writes = new Rate({ perMinute: writesPerMinute[whose] })
  return (operation) => (findDefinition(operation).cost === 'read' ? reads : writes)
}

/** Runs a few operations of an account at a time, and over all accounts a few that hash a password. */
export class AccountLimits {
  readonly #ofAccount = {
    read: new KeyedSemaphore(readsPerAccount),
    write: new KeyedSemaphore(writesPerAccount),
    foreign: new KeyedSemaphore(foreignPerAccount),
  }
  readonly #passwords = new KeyedSemaphore(passwordsAtATime)

  /** @throws SemaphoreTimeout */
  run<T>(member: Person | undefined, cost: Cost, work: () => Promise<T>): Promise<T> {
    if (cost === 'password') return this.#passwords.run('all', work)
    if (!member) return work()
    return this.#ofAccount[cost].run(member.account?.id ?? member.user.id, work)
  }
}
