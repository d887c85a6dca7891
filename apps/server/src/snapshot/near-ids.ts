import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'

interface NamedPrice {
  resource_id: string
  vendor: string
  platform: string | null
}

const nearMax = 5
/** Two names that share fewer of their pairs of letters have little to do with each other. */
const shareMin = 0.4

/**
 * Ids of served prices that somebody may have meant: those that a source knows by this very key or name, and those that
 * are spelled alike.
 */
export async function findNearIds(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ resource_id: string }>`
    select distinct standing.resource_id
    from feed_claims as claim
    join price_standings as standing using (resource_key)
    where claim.stated ->> 'source_key' = ${text} or claim.stated ->> 'model_name' = ${text.toLowerCase()}`.execute(
    db,
  )
  const prices = await db
    .selectFrom('prices')
    .select(['resource_id', 'vendor', 'platform'])
    .orderBy('resource_id')
    .execute()
  return nearest(text, new Set(rows.map(({ resource_id }) => resource_id)), prices)
}

/** The most alike first, with or without the platform; of several the maker's own. */
function nearest(text: string, known: ReadonlySet<string>, prices: readonly NamedPrice[]): string[] {
  const pairs = splitPairs(text)
  return prices
    .map(({ resource_id, vendor, platform }) => {
      const names = [resource_id, resource_id.replace(/^[^:]*:/, '')]
      const share = Math.max(...names.map((name) => computeShare(pairs, splitPairs(name))))
      return { resource_id, share: known.has(resource_id) ? 1 : share, isOwn: vendor === platform }
    })
    .filter(({ share }) => share >= shareMin)
    .toSorted((a, b) => b.share - a.share || Number(b.isOwn) - Number(a.isOwn))
    .slice(0, nearMax)
    .map(({ resource_id }) => resource_id)
}

/** Letters and digits in lower case, two by two. */
function splitPairs(text: string): Set<string> {
  const plain = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

/** Dice's coefficient: what two sets share of both. */
function computeShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size)
}
