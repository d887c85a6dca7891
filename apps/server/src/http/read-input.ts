import { isPlainJson, percentDecode, readQuery } from '@ratecard/contract/input'
import type { Request, RequestHandler } from 'express'
import { ApiError } from './errors.ts'

// The spelling of a request, before the validator looks at its meaning. The validator takes `limit=0x10` for 16,
// reads broken percent-encoding as U+FFFD, lets NUL through to the database, and keeps a compiled schema for
// every Content-Type a client makes up. So queries, paths and bodies are read here, strictly.

export const readInput: RequestHandler = (req, res, next) => {
  const { operation, rawPath } = res.locals
  res.locals.path = Object.fromEntries(
    Object.entries(rawPath).map(([name, value]) => [
      name,
      percentDecode(value, `The path parameter ${name}`),
    ]),
  )
  const query = readQuery(queryOf(req), operation.queryTypes)
  // The validator looks the path up in here, and knows neither the absolute form of a target nor a fragment.
  req.originalUrl = req.path + req.originalUrl.slice(startOfQuery(req))
  // An own property hides Express's getter, so that the validator reads what was checked.
  Object.defineProperty(req, 'query', { value: query, configurable: true, enumerable: true, writable: true })

  if (operation.hasBody) normaliseContentType(req)
  else delete req.headers['content-type']
  next()
}

function queryOf(req: Request): string {
  return req.originalUrl.slice(startOfQuery(req) + 1)
}

function startOfQuery({ originalUrl }: Request): number {
  const start = originalUrl.indexOf('?')
  return start === -1 ? originalUrl.length : start
}

/** Leaves one spelling of the only media type there is; anything else is refused before the validator sees it. */
function normaliseContentType(req: Request): void {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = req.headers
  if (!isPlainJson(type, encoding) && declaresBody(req)) throw new ApiError('unsupported_media_type')
  req.headers['content-type'] = 'application/json'
}

export function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}
