import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import { amountColumns } from '../features/prices/price-record.ts'
import { amountsOf } from './amounts.ts'
import type { HoldState } from './hold-store.ts'
import { resourceKey } from './names.ts'
import { feedPolicy } from './policy.ts'
import { clockOf } from './run-clock.ts'
import { scoreOf, scoreSources, type Score, type ScoreCell, type ScoreFacts } from './score.ts'
import type { ClaimHistory } from './score-history.ts'
import type { Amounts } from './source-record.ts'

/** The scores of all sources since a time; default: `scores.days` before now. */
export async function readScores(
  db: Db,
  since?: string,
): Promise<{ since: string; until: string; cells: ScoreCell[] }> {
  const until = await clockOf(db, undefined)
  const days = feedPolicy.scores.days
  const from = since ?? new Date(Date.parse(until) - days * 86_400_000).toISOString()
  return { since: from, until, cells: scoreSources(await readFacts(db, from), from, feedPolicy) }
}

/** The score of each source over everything, by its name. */
export async function readSourceScores(db: Db): Promise<Map<string, Score>> {
  const { cells } = await readScores(db)
  return new Map(
    [...Map.groupBy(cells, ({ source }) => source)].map(([source, own]) => [
      source,
      scoreOf(own, feedPolicy),
    ]),
  )
}

type AmountRow = Amounts & { source: string; key: string; platform: string | null }

const columnsOf = (table: string) =>
  sql.join(
    amountColumns.map(
      (column) => sql`${sql.ref(`${table}.stated`)} ->> ${sql.lit(column)} as ${sql.ref(column)}`,
    ),
  )

async function readFacts(db: Db, since: string): Promise<ScoreFacts> {
  const { rows: claims } = await sql<AmountRow>`
    select claim.source, resource_key as key, claim.stated ->> 'platform' as platform, ${columnsOf('claim')}
    from feed_claims as claim
    join price_standings as standing using (resource_key)
    where claim.removed_at is null and standing.gone_since is null`.execute(db)
  return {
    claims: claims.map(({ source, key, platform, ...amounts }) => ({ source, key, platform, amounts })),
    histories: await readHistories(db, since),
    holds: await readHolds(db, since),
  }
}

/** Of resources of which a source has said something else since, all that was said. */
async function readHistories(db: Db, since: string): Promise<ClaimHistory[]> {
  const { rows } = await sql<AmountRow & { at: string; is_gone: boolean }>`
    select version.source, version.resource_key as key, version.stated is null as is_gone,
      ${utcText('version.observed_at')} as at, claim.stated ->> 'platform' as platform, ${columnsOf('version')}
    from claim_versions as version
    join feed_claims as claim using (source, resource_key)
    where version.resource_key in (
      select resource_key from claim_versions
      group by source, resource_key
      having count(*) > 1 and max(observed_at) >= ${since}::timestamptz
    )
    order by version.source, version.resource_key, version.observed_at`.execute(db)
  return [...Map.groupBy(rows, ({ source, key }) => `${source}\n${key}`).values()].map((states) => {
    const { source, key, platform } = states[0]!
    return {
      ...{ source, key, platform },
      states: states.map(({ at, is_gone, ...row }) => ({ at, amounts: is_gone ? null : amountsOf(row) })),
    }
  })
}

async function readHolds(db: Db, since: string): Promise<ScoreFacts['holds']> {
  const rows = await db
    .selectFrom('feed_holds')
    .select(['source', 'resource_id', 'state', 'before', 'after'])
    .where('first_seen', '>=', since)
    // Rate cards are not counted.
    .where('reason', '!=', 'card')
    .execute()
  return rows.map(({ source, resource_id, state, before, after }) => ({
    ...{ source, key: resourceKey(resource_id), state: state as HoldState },
    platform: resource_id.split(':')[0] ?? null,
    before: before as unknown as Amounts,
    after: after as unknown as Amounts,
  }))
}
