import type { RequestHandler } from 'express'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'

/**
 * Names each request, and logs and counts it when it is answered. Neither the URL nor a header is logged: the
 * operation says what was asked, and a key that someone put into a URL stays out of the log.
 */
export function logRequests(logger: Logger, metrics: Metrics): RequestHandler {
  return (req, res, next) => {
    const startMs = performance.now()
    res.locals.requestId = newId('req')
    res.setHeader('X-Request-Id', res.locals.requestId)
    res.once('close', () => {
      const { operation, caller, requestId } = res.locals
      const durationMs = performance.now() - startMs
      metrics.observeRequest(operation?.id ?? 'none', res.statusCode, durationMs / 1_000)
      logger.info(
        {
          request_id: requestId,
          method: req.method,
          operation: operation?.id,
          status: res.statusCode,
          duration_ms: Math.round(durationMs * 10) / 10,
          key_id: caller?.keyId,
          account_id: caller?.accountId,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      )
    })
    next()
  }
}
