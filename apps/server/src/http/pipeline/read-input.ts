import { isPlainJson, percentDecode, readQuery } from '@ratecard/contract/input'
import type { Request, RequestHandler } from 'express'
import { ApiError } from './errors.ts'

// The spelling of a request, before the validator looks at its meaning: docs/decisions/002-validator.md. Queries, paths
// and bodies are read here, strictly.

export const readInput: RequestHandler = (req, res, next) => {
  const { operation, rawPath } = res.locals
  res.locals.path = Object.fromEntries(
    Object.entries(rawPath).map(([name, value]) => [
      name,
      percentDecode(value, `The path parameter ${name}`),
    ]),
  )
  res.locals.query = readQuery(readQueryText(req).slice(1), operation.queryTypes)
  const { 'content-type': type = '', 'content-encoding': coding = '' } = req.headers
  if (operation.hasBody && declaresBody(req) && !isPlainJson(type, coding)) {
    throw new ApiError('unsupported_media_type')
  }
  next()
}

/** The query as it was sent, with its question mark. */
export function readQueryText({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?')
  return start === -1 ? '' : originalUrl.slice(start)
}

export function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}
