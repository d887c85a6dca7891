import { isInstantText } from './instant.ts'

/** A place in a list ordered by `updated_at`, then id: the last row of the page before. */
export interface Cursor {
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
  updatedAt: string
  id: string
}

/** Longest id of a row that is listed; longer ones are refused where they come in. */
export const idLengthMax = 512

/** base64url without padding of `["<updated_at>","<id>"]`, as the specification says. */
export function encodeCursor({ updatedAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url')
}

/**
 * The place that a cursor names, or null when it is not one that `encodeCursor` makes. Decoding is forgiving
 * (Node's base64 skips what it does not know), so the only proof is to encode the result again and compare.
 */
export function decodeCursor(text: string): Cursor | null {
  const pair = parseJson(Buffer.from(text, 'base64url').toString('utf8'))
  if (!Array.isArray(pair) || pair.length !== 2) return null
  const [updatedAt, id] = pair as unknown[]
  if (typeof updatedAt !== 'string' || typeof id !== 'string') return null
  if (!isInstantText(updatedAt) || id === '' || id.length > idLengthMax || id.includes('\0')) return null
  const cursor = { updatedAt, id }
  return id.isWellFormed() && encodeCursor(cursor) === text ? cursor : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
