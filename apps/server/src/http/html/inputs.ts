import type { Request } from 'express'

// What a stranger may ask of a page: known parameters, each with a bound. What is too long is cut, what is unknown is
// left out.

const charsMax = 100
const pageMax = 10_000

/** One text of a query, trimmed; null: there is none. Of several with one name the first counts. */
export function readText(req: Request, name: string, max = charsMax): string | null {
  const value: unknown = req.query[name]
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first !== 'string') return null
  // Half a character is none: it could not be written into an address.
  const text = first.slice(0, max).toWellFormed().replaceAll('\0', '').trim()
  return text === '' ? null : text
}

/** A whole number between 1 and the most; 1 for anything else. */
export function readPage(req: Request): number {
  const text = readText(req, 'page') ?? ''
  return /^[1-9]\d{0,4}$/.test(text) ? Math.min(pageMax, Number(text)) : 1
}

/** A decimal number from 0 to the most; null: none is given, or it is none. */
export function readNumber(req: Request, name: string, most: number): number | null {
  const text = readText(req, name, 20)
  if (text === null || !/^\d{1,12}(\.\d{1,6})?$/.test(text)) return null
  return Math.min(most, Number(text))
}

/** The parameters that are there, in the order given: one page has one key. */
export function buildQuery(
  params: Readonly<Record<string, string | number | null | false>>,
): URLSearchParams {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== false)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
}

export function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
