import type { Request, RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import type { Acting, UserActor } from '../../features/audit/audit-store.ts'
import type { OpenAuth } from '../../features/members/auth.ts'
import { listMemberships, type Membership } from '../../features/members/member-store.ts'
import { findSession, type SignedIn } from '../../features/members/sign-in.ts'
import { DashboardError } from './errors.ts'
import { needsNoAccount, requireRole } from './roles.ts'

/** The user of a request, and the accounts they are a member of: none, when they have left the last one. */
export interface Person {
  sessionId: string
  user: SignedIn['user']
  account: Membership | null
  accounts: Membership[]
  /** Whether they decide on held prices, whatever account they look at. */
  isOperator: boolean
}

/** The user of a request, and the account that it is about. */
export interface Member extends Person {
  account: Membership
}

/**
 * Finds the signed-in user, for the operations that need one, and checks that they may do this.
 * @param operators addresses in lower case. Who shows that they read such a mailbox is an operator.
 */
export function findMember(db: Db, openAuth: OpenAuth, operators: ReadonlySet<string>): RequestHandler {
  return async (req, res, next) => {
    if (!res.locals.operation.schemes.includes('session')) return next()
    const session = await findSession(openAuth, req.headers.cookie)
    if (!session) throw new DashboardError('not_signed_in')
    for (const cookie of session.setCookies) res.append('Set-Cookie', cookie)
    const accounts = await listMemberships(db, session.user.id)
    // A user who was removed from an account no longer sees it.
    const account = accounts.find(({ id }) => id === session.lookedAt) ?? accounts[0] ?? null
    const { sessionId, user, isEmailVerified } = session
    const isOperator = isEmailVerified && operators.has(user.email)
    const person: Person = { sessionId, user, account, accounts, isOperator }
    const { operation } = res.locals
    if (!needsNoAccount(operation)) requireShownAccount(req, person)
    requireRole(person, operation)
    res.locals.member = person
    next()
  }
}

/** The header in which the pages name the account that they show. */
const accountHeader = 'x-ratecard-account'

/**
 * The choice of an account is the session's, and another tab may have made another one since: nothing is done to an
 * account that its user does not see.
 * @throws DashboardError other_account
 */
function requireShownAccount({ headers }: Request, { account }: Person): void {
  const shown = headers[accountHeader]
  if (shown !== undefined && shown !== account?.id) throw new DashboardError('other_account')
}

/** As the audit log names them. */
export function toActor({ user }: Pick<Person, 'user'>): UserActor {
  return { kind: 'user', userId: user.id, email: user.email }
}

/** The same, on the account that they look at. */
export function toActing(member: Member): Acting {
  return { accountId: member.account.id, actor: toActor(member) }
}

/** The client's address, past the proxies that are trusted. */
export function findClientAddress(req: Request): string {
  return req.ip ?? req.socket.remoteAddress ?? ''
}
