import { decodeCursor } from './cursor.js'
import { invalidRequest } from './errors.js'
import { parseInstant } from './instant.js'

// The spelling of a request, which is read strictly before its meaning is judged.

/** @type {Partial<Record<string, { pattern: RegExp, wants: string }>>} */
const grammars = {
  integer: {
    // No longer than a number can be: more digits would be read as infinity.
    pattern: /^[1-9][0-9]{0,307}$/,
    wants: 'a whole number in plain digits, without sign or leading zero',
  },
  boolean: { pattern: /^(true|false)$/, wants: 'true or false' },
}

/**
 * A query string as its parameters, each known, given once and not empty.
 * @param {string} text without the question mark
 * @param {ReadonlyMap<string, string>} types the JSON Schema type of each parameter
 * @throws ApiError invalid_request
 */
export function readQuery(text, types) {
  /** @type {Record<string, string>} */
  const query = {}
  for (const pair of text.split('&').filter(Boolean)) {
    const [rawName = '', ...rest] = pair.split('=')
    const name = percentDecode(rawName.replaceAll('+', ' '), 'A parameter name')
    const type = types.get(name)
    if (type === undefined) {
      const known =
        types.size === 0 ? 'This endpoint takes none.' : `It takes ${[...types.keys()].join(', ')}.`
      throw invalidRequest(`There is no query parameter ${JSON.stringify(name.slice(0, 64))}. ${known}`)
    }
    if (Object.hasOwn(query, name)) throw invalidRequest(`${name} is given more than once.`)
    const value = percentDecode(rest.join('=').replaceAll('+', ' '), name)
    if (value === '') throw invalidRequest(`${name} is empty. Leave it out, or give it a value.`)
    const grammar = grammars[type]
    if (grammar && !grammar.pattern.test(value)) throw invalidRequest(`${name} must be ${grammar.wants}.`)
    query[name] = value
  }
  return query
}

/**
 * The `since` of a list as UTC text with microseconds.
 * @param {string} text
 * @throws ApiError invalid_request
 */
export function readSince(text) {
  const instant = parseInstant(text)
  if (instant !== null) return instant
  throw invalidRequest(
    'since must be an RFC 3339 time with offset on a real date, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
  )
}

/**
 * The `cursor` of a list.
 * @param {string} text
 * @throws ApiError invalid_request
 */
export function readCursor(text) {
  const cursor = decodeCursor(text)
  if (cursor) return cursor
  throw invalidRequest(
    'The cursor is not one of ours. Pass pagination.next_cursor of the page before, unchanged.',
  )
}

/**
 * @param {string} text
 * @param {string} what
 * @throws ApiError invalid_request
 */
export function percentDecode(text, what) {
  try {
    const value = decodeURIComponent(text)
    if (!value.includes('\0')) return value
  } catch {
    // Broken percent-encoding, or bytes that are not UTF-8.
  }
  throw invalidRequest(`${what} is not valid percent-encoded UTF-8 without NUL.`)
}

/**
 * Whether the headers of a body say `application/json` in UTF-8, not compressed.
 * @param {string} contentType
 * @param {string} contentEncoding
 */
export function isPlainJson(contentType, contentEncoding) {
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';')
  const charsets = parameters.flatMap(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? [],
  )
  return (
    mediaType.trim() === 'application/json' &&
    charsets.every((charset) => charset === 'utf-8' || charset === 'utf8') &&
    /^(?:identity)?$/i.test(contentEncoding)
  )
}

export const bodyBytesMax = 64 * 1_024

/** Far more than any body of ours has. Deep ones take long to parse and to judge. */
const nestingMax = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * @param {Uint8Array} bytes
 * @returns {unknown} an object or a list
 * @throws ApiError invalid_request
 */
export function parseJsonBody(bytes) {
  let text
  try {
    // A byte order mark is skipped.
    text = utf8.decode(bytes)
  } catch {
    throw invalidRequest('The body must be valid UTF-8.')
  }
  if (text === '') return {}
  if (isTooDeep(bytes)) throw invalidRequest(`The body is nested more than ${nestingMax} levels deep.`)
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(text)
  } catch {
    // Told below.
  }
  if (typeof value !== 'object' || value === null) throw invalidRequest('The body must be a JSON object.')
  // Valid UTF-8 has no half of a surrogate pair: only an escape can bring one in.
  if (text.includes('\\u') && !isWellFormed(value))
    throw invalidRequest('A text in the body has half of a surrogate pair. Send both halves, or neither.')
  return value
}

/** @param {Uint8Array} bytes */
function isTooDeep(bytes) {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const character = String.fromCharCode(bytes[at] ?? 0)
    if (isText && character === '\\') at += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > nestingMax) return true
  }
  return false
}

/**
 * Whether all text in a JSON value is text: PostgreSQL takes no other.
 * @param {unknown} value
 * @returns {boolean}
 */
function isWellFormed(value) {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => name.isWellFormed() && isWellFormed(part))
}

/**
 * What a field with a pattern wants, in words: the regular expression says it to programs only.
 * @type {Partial<Record<string, string>>}
 */
const patternWants = {
  since: 'must be an RFC 3339 time with offset, such as 2026-01-31T00:00:00Z (write "+" as %2B)',
  cursor: 'must be pagination.next_cursor of the page before, unchanged',
  url: 'must start with "https://" in lower case',
  secret: 'must not contain control characters',
}

/**
 * The same of a field with a format besides.
 * @type {Partial<Record<string, string>>}
 */
const formatWants = {
  ...patternWants,
  url: 'must be a URL in ASCII without spaces: write a host in punycode, and percent-encode what a path or a query may not contain',
}

/**
 * What is wrong with a field whose pattern or format does not fit.
 * @param {'pattern' | 'format'} keyword
 * @param {string} field
 */
export function formProblem(keyword, field) {
  const wants = keyword === 'format' ? formatWants[field] : patternWants[field]
  return wants ?? 'does not have the right form'
}
