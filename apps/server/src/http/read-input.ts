import type { Request, RequestHandler } from 'express'
import type { ContractOperation } from '../platform/contract.ts'
import { ApiError } from './errors.ts'

// The spelling of a request, before the validator looks at its meaning: docs/decisions/002-validator.md. Queries, paths
// and bodies are read here, strictly.

export const readInput: RequestHandler = (req, res, next) => {
  const { operation, rawPath } = res.locals
  res.locals.path = Object.fromEntries(
    Object.entries(rawPath).map(([name, value]) => [name, decode(value, `The path parameter ${name}`)]),
  )
  res.locals.query = readQuery(queryTextOf(req).slice(1), operation.queryTypes)
  if (operation.hasBody && declaresBody(req)) requireJson(req)
  next()
}

/** The query as it was sent, with its question mark. */
export function queryTextOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?')
  return start === -1 ? '' : originalUrl.slice(start)
}

const grammars: Record<string, { pattern: RegExp; wants: string }> = {
  integer: {
    // No longer than a number can be: more digits would be read as infinity.
    pattern: /^[1-9][0-9]{0,307}$/,
    wants: 'a whole number in plain digits, without sign or leading zero',
  },
  boolean: { pattern: /^(true|false)$/, wants: 'true or false' },
}

/** A query string as its parameters, each known, given once and not empty. */
export function readQuery(text: string, types: ContractOperation['queryTypes']): Record<string, string> {
  const query: Record<string, string> = {}
  for (const pair of text.split('&').filter(Boolean)) {
    const [rawName = '', ...rest] = pair.split('=')
    const name = decode(rawName.replaceAll('+', ' '), 'A parameter name')
    const type = types.get(name)
    if (type === undefined) {
      const known =
        types.size === 0 ? 'This endpoint takes none.' : `It takes ${[...types.keys()].join(', ')}.`
      throw invalid(`There is no query parameter ${JSON.stringify(name.slice(0, 64))}. ${known}`)
    }
    if (Object.hasOwn(query, name)) throw invalid(`${name} is given more than once.`)
    const value = decode(rest.join('=').replaceAll('+', ' '), name)
    if (value === '') throw invalid(`${name} is empty. Leave it out, or give it a value.`)
    const grammar = grammars[type]
    if (grammar && !grammar.pattern.test(value)) throw invalid(`${name} must be ${grammar.wants}.`)
    query[name] = value
  }
  return query
}

function decode(text: string, what: string): string {
  try {
    const value = decodeURIComponent(text)
    if (!value.includes('\0')) return value
  } catch {
    // Broken percent-encoding, or bytes that are not UTF-8.
  }
  throw invalid(`${what} is not valid percent-encoded UTF-8 without NUL.`)
}

/** The only media type there is, in plain UTF-8. */
function requireJson({ headers }: Request): void {
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charsets = parameters.flatMap(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? [],
  )
  const isJson =
    mediaType.trim() === 'application/json' &&
    charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')
  const isPlain = /^(?:identity)?$/i.test(headers['content-encoding'] ?? '')
  if (!(isJson && isPlain)) throw new ApiError('unsupported_media_type')
}

export function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_request', { message })
}
