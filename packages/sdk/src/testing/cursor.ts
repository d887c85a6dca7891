import { isInstantText } from './instants.ts'

/** A place in a list: the last row of the page before. */
export interface Cursor {
  updatedAt: string
  id: string
}

const idLengthMax = 512

/** base64url without padding of `["<updated_at>","<id>"]`. */
export function encodeCursor({ updatedAt, id }: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([updatedAt, id]))
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The place a cursor names, or null when `encodeCursor` would not have written it exactly so. */
export function decodeCursor(text: string): Cursor | null {
  let pair: unknown
  try {
    const latin1 = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0))
    pair = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
  if (!Array.isArray(pair) || pair.length !== 2) return null
  const [updatedAt, id] = pair as unknown[]
  if (typeof updatedAt !== 'string' || typeof id !== 'string') return null
  if (!isInstantText(updatedAt) || id === '' || id.length > idLengthMax || id.includes('\0')) return null
  // Half a surrogate pair encodes as U+FFFD, so it does not survive the comparison either.
  return encodeCursor({ updatedAt, id }) === text && isWellFormed(id) ? { updatedAt, id } : null
}

/** Whether every surrogate has its other half, so that the text has a UTF-8 form. */
export function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
