import type { Request, RequestHandler } from 'express'
import type { Logger } from '../../platform/logger.ts'

/**
 * Warns, once, of a proxy that seems to be there and is not trusted: requests name the client they are forwarded for,
 * and come from an address that is not believed. Then all clients count as one, and share what each may try. The check
 * is where the client's address counts; with an http address no proxy is needed, and any client may send the header.
 */
export function warnOfUntrustedProxy(publicUrl: string, logger: Logger): RequestHandler {
  let isReported = !publicUrl.startsWith('https:')
  return (req, _res, next) => {
    if (!isReported && req.headers['x-forwarded-for'] !== undefined && !isTrusted(req)) {
      isReported = true
      logger.warn(
        { address: req.socket.remoteAddress },
        'requests are forwarded by an address that TRUSTED_PROXIES does not name: all clients behind it count as one; see "Behind a proxy" in docs/operations.md',
      )
    }
    next()
  }
}

function isTrusted(req: Request): boolean {
  const trusts = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  return trusts(req.socket.remoteAddress, 0)
}
