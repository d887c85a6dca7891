import { countReports } from '../features/prices/report-store.ts'
import { listSourceStatus } from '../features/prices/source-status.ts'
import { countWaiting, listHolds, type StoredHold } from '../ingest/publish/hold-store.ts'
import { readRefusals } from '../ingest/review/refusals.ts'
import { readCase, readProducts } from '../ingest/review/review-case.ts'
import { reasonText } from '../ingest/review/review-words.ts'
import type { RunOutcome } from '../ingest/publish/run-store.ts'
import { readConfirmation } from '../ingest/review/status.ts'
import type { ReviewDesk } from '../http/dashboard/review-desk.ts'
import { atATime } from '../http/limits/index.ts'
import { KeyedSemaphore } from '../platform/keyed-semaphore.ts'
import { readOnceIn } from '../platform/versioned.ts'
import { createReviewRunner, type RunnerOptions } from '../ingest/run/feed-runner.ts'

/** Counting reads the standing of every price, some 50 ms: a page that is open does it no more often. */
const confirmationMs = 60_000

/** Builds what operators of the dashboard work with. */
export function createReviewDesk(options: Omit<RunnerOptions, 'db' | 'limits'>): ReviewDesk {
  const decide = createReviewRunner(options)
  const semaphore = new KeyedSemaphore(atATime.decisions)
  const confirmationOf = readOnceIn(confirmationMs, readConfirmation)
  return {
    async countWaiting(db) {
      return [...(await countWaiting(db)).values()].reduce(
        (sum, waiting) => sum + waiting,
        await countReports(db),
      )
    },
    listRefusals: readRefusals,
    async countBySource(db) {
      return [...(await countWaiting(db))].map(([source, waiting]) => ({ source, waiting }))
    },
    async listWaiting(db, { source, afterId, limit }) {
      const holds = await listHolds(db, { state: 'open', source, afterId, limit })
      const products = await readProducts(
        db,
        holds.map(({ resource_id }) => resource_id),
      )
      return holds.map((hold) => holdBody(hold, products.get(hold.resource_id) ?? null))
    },
    async readCase(db, id) {
      const found = await readCase(db, id)
      if (!found) return null
      const { hold, productId, ...evidence } = found
      return { hold: holdBody(hold, productId), ...evidence }
    },
    async readSources(db) {
      const [statuses, { priced, confirmed, outvoted }] = await Promise.all([
        listSourceStatus(db),
        confirmationOf(db),
      ])
      return {
        priced,
        confirmed,
        outvoted,
        sources: statuses.map((status) => ({
          source: status.id,
          outcome: status.outcome as RunOutcome,
          message: status.message,
          observed_at: status.observed_at,
          loaded_at: status.loaded_at,
          version: status.version,
          data_at: status.data_at,
          rows: status.rows,
          rejected: status.rejected,
          waiting: status.held,
          url: status.url,
        })),
      }
    },
    decide: (decision) => semaphore.run('all', () => decide(decision)),
  }
}

function holdBody(hold: StoredHold, productId: string | null) {
  const { id, source, resource_id, reason, before, after, state, note } = hold
  return {
    id,
    source,
    resource_id,
    product_id: productId,
    reason,
    reason_text: reasonText(reason),
    before,
    after,
    first_seen: hold.firstSeen,
    state,
    decided_at: hold.decidedAt,
    decided_by: hold.decidedBy,
    note,
  }
}
