import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

const nearMax = 5
/** Two names that share fewer of their pairs of letters have little to do with each other. */
const shareMin = 0.4

/**
 * Ids of served prices that somebody may have meant: those that a source knows by this very key or name, then those that
 * are spelled alike.
 */
export async function findNearIds(db: Db, text: string): Promise<string[]> {
  const known = await sql<{ resource_id: string }>`
    select distinct standing.resource_id
    from feed_claims as claim
    join price_standings as standing using (resource_key)
    where claim.stated ->> 'source_key' = ${text} or claim.stated ->> 'model_name' = ${text.toLowerCase()}
    order by standing.resource_id`.execute(db)
  const served = await db.selectFrom('prices').select('resource_id').orderBy('resource_id').execute()
  return nearest(
    text,
    known.rows.map(({ resource_id }) => resource_id),
    served.map(({ resource_id }) => resource_id),
  )
}

/** The names of the same thing, then the most alike. */
export function nearest(text: string, known: readonly string[], all: readonly string[]): string[] {
  const pairs = pairsOf(text)
  const alike = all
    .map((name) => ({ name, share: shareOf(pairs, pairsOf(name)) }))
    .filter(({ share }) => share >= shareMin)
    .toSorted((a, b) => b.share - a.share)
    .map(({ name }) => name)
  return [...new Set([...known, ...alike])].slice(0, nearMax)
}

/** Letters and digits in lower case, two by two. */
function pairsOf(text: string): Set<string> {
  const plain = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

/** Dice's coefficient: what two sets share of both. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size)
}
