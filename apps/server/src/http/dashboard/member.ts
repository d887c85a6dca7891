import type { Request, RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import type { Actor } from '../../features/members/audit-store.ts'
import type { OpenAuth } from '../../features/members/auth.ts'
import { ensureMemberships, type Membership } from '../../features/members/member-store.ts'
import { findSession } from '../../features/members/sign-in.ts'
import { DashboardError } from './errors.ts'

/** Who asks, and the account that everything they ask is about. */
export interface Member {
  sessionId: string
  user: { id: string; name: string; email: string }
  account: Membership
  accounts: Membership[]
}

/** Finds out who is signed in, for the operations that need somebody. */
export function findMember(db: Db, openAuth: OpenAuth): RequestHandler {
  return async (req, res, next) => {
    if (!res.locals.operation.schemes.includes('session')) return next()
    const session = await findSession(openAuth, req.headers.cookie)
    if (!session) throw new DashboardError('not_signed_in')
    for (const cookie of session.setCookies) res.append('Set-Cookie', cookie)
    const accounts = await ensureMemberships(db, session.user)
    res.locals.member = {
      sessionId: session.sessionId,
      user: session.user,
      // Whoever was removed from an account no longer looks at it.
      account: accounts.find(({ id }) => id === session.lookedAt) ?? accounts[0],
      accounts,
    }
    next()
  }
}

/** As the audit log names them. */
export function actorOf({ user }: Member): Actor {
  return { kind: 'user', userId: user.id, email: user.email }
}

/** Where a request came from, past the proxies that are trusted. */
export function clientAddressOf(req: Request): string {
  return req.ip ?? req.socket.remoteAddress ?? ''
}
