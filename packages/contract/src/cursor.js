import { isInstantText } from './instant.js'

/**
 * A position in a list ordered by `updated_at`, then id: the last row of the page before.
 * @typedef {object} Cursor
 * @property {string} updatedAt `YYYY-MM-DDTHH:MM:SS.ffffffZ`
 * @property {string} id
 */

/** Longest id of a row that is listed; longer ones are refused where they come in. */
export const idLengthMax = 512

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @param {string} text */
const isAscii = (text) => /^[\x00-\x7f]*$/.test(text)

/**
 * base64url without padding of `["<updated_at>","<id>"]`, as the specification says.
 * @param {Cursor} cursor
 */
export function encodeCursor({ updatedAt, id }) {
  const text = JSON.stringify([updatedAt, id])
  // Most ids are ASCII, which is its own UTF-8.
  const latin1 = isAscii(text) ? text : String.fromCharCode(...encoder.encode(text))
  return btoa(latin1).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * The position that a cursor names, or null when it is not one that `encodeCursor` makes. Decoding is forgiving,
 * so the only proof is to encode the result again and compare.
 * @param {string} text
 * @returns {Cursor | null}
 */
export function decodeCursor(text) {
  const pair = readPair(text)
  if (pair.length !== 2) return null
  const [updatedAt, id] = pair
  if (typeof updatedAt !== 'string' || typeof id !== 'string') return null
  if (!isInstantText(updatedAt) || id === '' || id.length > idLengthMax || id.includes('\0')) return null
  const cursor = { updatedAt, id }
  return id.isWellFormed() && encodeCursor(cursor) === text ? cursor : null
}

/**
 * @param {string} text
 * @returns {unknown[]} empty when the text is no list
 */
function readPair(text) {
  try {
    const latin1 = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const json = isAscii(latin1)
      ? latin1
      : decoder.decode(Uint8Array.from(latin1, (byte) => byte.charCodeAt(0)))
    /** @type {unknown} */
    const pair = JSON.parse(json)
    return Array.isArray(pair) ? pair : []
  } catch {
    return []
  }
}
