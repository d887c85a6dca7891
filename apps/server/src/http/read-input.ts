import type { Request, RequestHandler } from 'express'
import type { ContractOperation } from '../platform/contract.ts'
import { ApiError } from './errors.ts'

// The spelling of a request, before the validator looks at its meaning. The validator takes `limit=0x10` for 16,
// reads broken percent-encoding as U+FFFD, lets NUL through to the database, and keeps a compiled schema for
// every Content-Type a client makes up. So queries, paths and bodies are read here, strictly.

export const readInput: RequestHandler = (req, res, next) => {
  const { operation, rawPath } = res.locals
  res.locals.path = Object.fromEntries(
    Object.entries(rawPath).map(([name, value]) => [name, decode(value, `The path parameter ${name}`)]),
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

/** Leaves one spelling of the only media type there is; anything else is refused before the validator sees it. */
function normaliseContentType(req: Request): void {
  const [mediaType = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  const charsets = parameters.flatMap(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? [],
  )
  const isJson =
    mediaType.trim() === 'application/json' &&
    charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')
  const isPlain = /^(?:identity)?$/i.test(req.headers['content-encoding'] ?? '')
  if (!(isJson && isPlain) && declaresBody(req)) throw new ApiError('unsupported_media_type')
  req.headers['content-type'] = 'application/json'
}

export function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_request', { message })
}
