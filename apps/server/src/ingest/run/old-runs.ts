import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'

// What is forgotten of the feed: runs that found nothing new. Whatever a run wrote refers to it, and stays for good: the
// history of prices and claims, changes, and what was decided of holds. So does what a source was taken in by last, and
// what was refused since: it says for how long.

/** The condition of the index feed_runs_idle, that a later run was applied, and that nothing refers to the run. */
export const idleRuns: AgedRows = {
  table: 'feed_runs',
  at: 'created_at',
  goes: sql`row.added + row.changed + row.gone + row.held + row.published = 0
    and exists (
      select from feed_runs later where later.source = row.source and later.outcome = 'applied'
        and (later.observed_at, later.created_at) > (row.observed_at, row.created_at)
    )
    and not exists (select from feed_sources s where row.id in (s.last_run, s.held_run))
    and not exists (select from claim_versions v where v.run_id = row.id)
    and not exists (select from feed_holds h where h.run_id = row.id)
    and not exists (select from prices p where p.run_id = row.id)
    and not exists (select from changes c where c.run_id = row.id)`,
  rowsMax: 2_000,
}
