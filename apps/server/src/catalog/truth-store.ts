import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { AmountColumn, DecimalText } from './price-record.ts'

// How well the served amounts are borne out, from what stands behind each price: 13,000 prices take some 0.2 s.

const amountsServed = sql`
  price_standings as standing, jsonb_each(standing.evidence) as field (name, poll), lateral (
    select array(select jsonb_array_elements_text(poll -> 'said_by')) as said_by,
      array(select jsonb_object_keys(poll -> 'denied_by')) as denied_by
  ) as voices
  where standing.gone_since is null`

/** Served amounts by who states them; each is counted once. */
export interface Witnesses {
  amounts: number
  /** By the seller itself, or the operator. */
  seller: number
  /** Else by two sources or more, by one, or by none any more. */
  several: number
  single: number
  none: number
  /** Which any source states otherwise. */
  disputed: number
}

export async function countWitnesses(db: Db): Promise<Witnesses> {
  const isOwn = sql`standing.rule in ('own_list', 'operator')`
  const { rows } = await sql<Witnesses>`
    select count(*)::int as amounts, count(*) filter (where ${isOwn})::int as seller,
      count(*) filter (where ${isOwn} is not true and cardinality(said_by) > 1)::int as several,
      count(*) filter (where ${isOwn} is not true and cardinality(said_by) = 1)::int as single,
      count(*) filter (where ${isOwn} is not true and cardinality(said_by) = 0)::int as none,
      count(*) filter (where cardinality(denied_by) > 0)::int as disputed
    from ${amountsServed} and exists (
      select from prices where resource_id = standing.resource_id and to_jsonb(prices) ->> field.name is not null
    )`.execute(db)
  return rows[0]!
}

/** Of the amounts that a source states: how many no other one states, and how many others overrule. */
export interface SourceRecord {
  source: string
  amounts: number
  alone: number
  overruled: number
}

export async function listSourceRecords(db: Db): Promise<SourceRecord[]> {
  const { rows } = await sql<SourceRecord>`
    select source, count(*)::int as amounts,
      count(*) filter (where source = any (said_by) and cardinality(said_by) = 1 and cardinality(denied_by) = 0)::int as alone,
      count(*) filter (where source = any (denied_by))::int as overruled
    from (select said_by, denied_by from ${amountsServed}) as amount, unnest(said_by || denied_by) as source
    group by source order by source`.execute(db)
  return rows
}

export interface Dispute {
  resource_id: string
  field: AmountColumn
  said_by: string[]
  denied_by: Record<string, DecimalText>
}

/** Amounts that sources state differently: first those that the most deny. */
export async function listDisputes(db: Db, limit: number): Promise<Dispute[]> {
  const { rows } = await sql<Dispute>`
    select standing.resource_id, field.name as field, said_by, poll -> 'denied_by' as denied_by
    from ${amountsServed} and cardinality(denied_by) > 0
    order by cardinality(said_by) = 0, cardinality(denied_by) desc, cardinality(said_by), standing.resource_id, field.name
    limit ${limit}::int`.execute(db)
  return rows
}

/**
 * How long the states stood that were written over last before some instants.
 * @returns seconds, in the order of `asked`; null: no state before is known
 */
export async function readStoodSeconds(
  db: Db,
  asked: readonly { resource_id: string; before: string }[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from state.at[1] - state.at[2])::float8 as seconds
    from rows from (jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as (resource_id text, before timestamptz))
      with ordinality as asked (resource_id, before, place)
    cross join lateral (
      select array_agg(observed_at order by updated_at desc) as at from (
        select observed_at, updated_at from price_versions as version
        where version.resource_id = asked.resource_id and version.updated_at <= asked.before
        order by updated_at desc limit 2
      ) as last
    ) as state
    order by asked.place`.execute(db)
  return rows.map(({ seconds }) => seconds)
}
