import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { follows } from '../../database/feed-role.ts'

// A hub writes every few seconds that it lives. Its cells get that as they get a price, so its age in a cell is how far
// the cell's prices are behind, whatever holds them up: the hub, the network, or a row that cannot be applied.

/** How often a hub's pulse is written, whatever the number of workers. */
export const pulseMs = 5_000
/** From this age on a cell says so. Twelve pulses. */
export const feedAgeSecondsMax = 60

/** Where there are cells, and this is their hub. */
export async function beat(db: Db): Promise<void> {
  await sql`
    update feed_pulse set at = ratecard_now(), migration = (select max(name) from kysely_migration)
    where at < ratecard_now() - make_interval(secs => ${(pulseMs * 0.8) / 1_000})
      and not exists (select from settings where name = 'feed')`.execute(db)
}

export interface FeedAge {
  /** Null: nothing has come from the hub yet. */
  seconds: number | null
  /** The newest migration at the hub, by its last pulse, and here. */
  hub_migration: string | null
  migration: string
}

/** How old the prices of this cell are; null: it is none. */
export async function readFeedAge(db: Db): Promise<FeedAge | null> {
  const { rows } = await sql<FeedAge>`
    select greatest(extract(epoch from ratecard_now() - p.at), 0)::float8 as seconds, p.migration as hub_migration,
      (select max(name) from kysely_migration) as migration
    from (select) one left join feed_pulse p on true
    where ${follows}`.execute(db)
  return rows[0] ?? null
}

/** Why a cell's prices may be old, in a sentence; null: they are not, or this is no cell. */
export function whyBehind(age: FeedAge | null): string | null {
  if (age === null) return null
  if (age.hub_migration !== null && age.hub_migration > age.migration)
    return `the hub has the migration ${age.hub_migration}, and this cell has not: migrate it, and it catches up`
  if (age.seconds === null) return 'nothing has come from the hub yet: prices and changes may be missing'
  if (age.seconds <= feedAgeSecondsMax) return null
  return `the feed of the hub is ${Math.round(age.seconds)} s behind: prices and changes are as they were then`
}
