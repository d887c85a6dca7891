import type { Db } from '../../database/connect.ts'
import type { Schemas } from './schemas/index.ts'

type Hold = Schemas['Hold']

/** A person's decision on moves that wait. */
export interface HoldDecision {
  ids: readonly string[]
  /** The address of the operator. */
  by: string
  /** `null`: they are rejected. */
  as: 'move' | 'correction' | null
  note: string | null
}

/** What operators see of the feed and do to it, in the terms of the dashboard's schemas. */
export interface ReviewDesk {
  /** How many moves and reports of readers wait. */
  countWaiting: (db: Db) => Promise<number>
  /** What waits, the oldest first. */
  listWaiting: (
    db: Db,
    from: { source: string | undefined; afterId: string | null; limit: number },
  ) => Promise<Hold[]>
  /** The sources whose last run was not applied. */
  listRefusals: (db: Db) => Promise<Schemas['RefusedSource'][]>
  countBySource: (db: Db) => Promise<Schemas['SourceCount'][]>
  /** Null: there is none. */
  readCase: (db: Db, id: string) => Promise<Schemas['HoldCase'] | null>
  readSources: (db: Db) => Promise<Schemas['FeedSources']>
  /**
   * Decides all of the named moves, or none, and serves and publishes what follows.
   * @throws FeatureError when one of them does not wait, or when a source is being taken in
   */
  decide: (decision: HoldDecision) => Promise<Schemas['ReviewOutcome']>
}
