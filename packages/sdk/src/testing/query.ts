import { decodeCursor, type Cursor } from './cursor.ts'
import { invalid } from './failure.ts'
import { isDateText, readInstant } from './instants.ts'
import type { FakeOperation } from './rows.ts'

// Read as strictly as the service reads: a misspelled filter must fail in a test, not in production.

type Filter =
  'vendor' | 'product' | 'platform' | 'modality' | 'category' | 'include_incidents' | 'min_severity'
type Parameter = Filter | 'since' | 'cursor' | 'limit'

/** The parameters of a list, checked. */
export interface ListQuery {
  filters: Partial<Record<Filter, string>>
  since: string | null
  cursor: Cursor | null
  limit: number
}

const known: Partial<Record<FakeOperation, readonly Parameter[]>> = {
  listPrices: ['vendor', 'product', 'platform', 'modality', 'since', 'cursor', 'limit'],
  listChanges: [
    'vendor',
    'product',
    'category',
    'include_incidents',
    'min_severity',
    'since',
    'cursor',
    'limit',
  ],
}

const grammars: Partial<Record<Parameter, [pattern: RegExp, wants: string]>> = {
  limit: [/^[1-9][0-9]*$/, 'a whole number in plain digits, without sign or leading zero'],
  min_severity: [/^[1-9][0-9]*$/, 'a whole number in plain digits, without sign or leading zero'],
  include_incidents: [/^(true|false)$/, 'true or false'],
}

const maxima: Partial<Record<Parameter, number>> = { limit: 500, min_severity: 5 }
const lengthMaxima: Partial<Record<Parameter, number>> = { since: 64, cursor: 4096 }
const exactLengthMax = 256
const pageSize = 100
const sinceForm =
  /^(?!0000)\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/**
 * The query string of an operation.
 * @throws Failure invalid_request
 */
export function readQuery(text: string, operation: FakeOperation): ListQuery {
  const values = readPairs(text, known[operation] ?? [])
  for (const name of known[operation] ?? []) {
    if (values[name] !== undefined) checkValue(name, values[name])
  }
  const { since, cursor, limit, ...filters } = values
  return { filters, since: readSince(since), cursor: readCursor(cursor), limit: Number(limit ?? pageSize) }
}

function readPairs(text: string, names: readonly Parameter[]): Partial<Record<Parameter, string>> {
  const values: Partial<Record<Parameter, string>> = {}
  for (const pair of text.split('&').filter(Boolean)) {
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const rawValue = equals === -1 ? '' : pair.slice(equals + 1)
    const given = decode(rawName.replaceAll('+', ' '), 'A parameter name')
    const name = names.find((candidate) => candidate === given)
    if (!name) {
      const takes = names.length === 0 ? 'This endpoint takes none.' : `It takes ${names.join(', ')}.`
      throw invalid(`There is no query parameter ${JSON.stringify(given.slice(0, 64))}. ${takes}`)
    }
    if (values[name] !== undefined) throw invalid(`${name} is given more than once.`)
    const value = decode(rawValue.replaceAll('+', ' '), name)
    if (value === '') throw invalid(`${name} is empty. Leave it out, or give it a value.`)
    const [pattern, wants] = grammars[name] ?? [/^/, '']
    if (!pattern.test(value)) throw invalid(`${name} must be ${wants}.`)
    values[name] = value
  }
  return values
}

/** Percent-decodes what stands in a URL. */
export function decode(text: string, what: string): string {
  let value: string | null = null
  try {
    value = decodeURIComponent(text)
  } catch {
    // Told below, with NUL.
  }
  if (value === null || value.includes('\0')) {
    throw invalid(`${what} is not valid percent-encoded UTF-8 without NUL.`)
  }
  return value
}

function checkValue(name: Parameter, value: string): void {
  const max = maxima[name]
  if (max !== undefined) {
    if (Number(value) > max) throw invalid(`${name} must be <= ${max}.`)
  } else if (name !== 'include_incidents') {
    checkText(name, value, lengthMaxima[name] ?? exactLengthMax)
    if (name === 'since' && !(sinceForm.test(value) && isDateText(value.slice(0, 10)))) {
      throw invalid(
        'since must be an RFC 3339 time with offset, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
      )
    }
    if (name === 'cursor' && !/^[A-Za-z0-9_-]+$/.test(value)) {
      throw invalid('cursor must be pagination.next_cursor of the page before, unchanged.')
    }
  }
}

/** Length, and no control characters. */
export function checkText(name: string, value: string, lengthMax: number): void {
  if (Array.from(value).length > lengthMax) {
    throw invalid(`${name} must NOT have more than ${lengthMax} characters.`)
  }
  const isPlain = /^[^\u0000-\u001f\u007f-\u009f]+$/.test(value)
  if (!isPlain && name !== 'since' && name !== 'cursor')
    throw invalid(`${name} does not have the right form.`)
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const instant = readInstant(text)
  if (instant !== null) return instant
  throw invalid(
    'since must be an RFC 3339 time with offset on a real date, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
  )
}

function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const cursor = decodeCursor(text)
  if (cursor) return cursor
  throw invalid('The cursor is not one of ours. Pass pagination.next_cursor of the page before, unchanged.')
}
