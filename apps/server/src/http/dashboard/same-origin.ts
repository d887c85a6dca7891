import type { Request, RequestHandler } from 'express'
import { DashboardError } from './errors.ts'

/**
 * The header of every request of the pages that changes something. No form and no other origin's script can send it.
 */
const pageHeader = 'x-ratecard-dashboard'

/**
 * Refuses what another site's page makes a browser send with its cookies. Where a scheme of its own guards an
 * operation, as a payment provider's signature, no cookie counts.
 */
export function requireSameOrigin(publicUrl: string): RequestHandler {
  const ownOrigin = new URL(publicUrl).origin
  return (req, res, next) => {
    const { method, schemes } = res.locals.operation
    const usesCookies = schemes.length === 0 || schemes.includes('session')
    if (method === 'GET' || !usesCookies) return next()
    if (!isSameOrigin(req, ownOrigin) || req.headers[pageHeader] !== '1') {
      throw new DashboardError('cross_site')
    }
    next()
  }
}

/** By what the browser says of where the request began, which no page can alter. */
function isSameOrigin({ headers }: Request, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  // Under whichever of its names the server is opened: a page of another site has another host.
  return origin === ownOrigin || new URL(origin).host === headers.host
}
