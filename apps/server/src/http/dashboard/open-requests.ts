import type { RequestHandler } from 'express'
import { cookiePrefix } from '../../features/members/auth.ts'
import { findNetwork } from '../../platform/network.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import { perMinute } from '../limits/index.ts'
import { DashboardError, tooOften } from './errors.ts'
import { findClientAddress } from './member.ts'

// What anybody may send without a credential is bounded before any of it is read: a body costs more to parse and to
// judge than its sender pays for it.

/** Our three are a tenth of it. */
const cookieBytesMax = 4_096

/** Drops the cookies of other programs, which would only be parsed again and again. */
export const readOwnCookies: RequestHandler = (req, _res, next) => {
  const { cookie } = req.headers
  if (cookie === undefined) return next()
  if (cookie.length > cookieBytesMax) {
    throw new DashboardError('invalid_request', {
      message: `The Cookie header is longer than ${cookieBytesMax} bytes. Delete the cookies of this site, and sign in again.`,
    })
  }
  const own = cookie.split(';').filter((pair) => pair.trimStart().startsWith(cookiePrefix))
  req.headers.cookie = own.map((pair) => pair.trim()).join('; ')
  next()
}

/** The longest form is an eighth of it. */
const openBodyBytesMax = 4_096

/** Bounds how many requests without a session a network sends, and how long they are. */
export function limitOpenRequests(): RequestHandler {
  const people = new RateLimiter({ perMinute: perMinute.openRequests.person })
  const providers = new RateLimiter({ perMinute: perMinute.openRequests.paymentProvider })
  return (req, res, next) => {
    const { schemes, isPublic } = res.locals.operation
    if (schemes.includes('session')) return next()
    const seconds = (isPublic ? people : providers).take(findNetwork(findClientAddress(req)))
    if (seconds > 0) throw tooOften(seconds)
    if (isPublic) res.locals.bodyBytesMax = openBodyBytesMax
    else if (req.headers['stripe-signature'] === undefined) {
      throw new DashboardError('invalid_request', { message: 'The request has no Stripe-Signature header.' })
    }
    next()
  }
}
