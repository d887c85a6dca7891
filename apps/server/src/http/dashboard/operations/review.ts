import { z } from 'zod'
import { closeReport as close, listReports } from '../../../features/price-reports/report-store.ts'
import { listSourceStatus } from '../../../ingest/publish/source-status.ts'
import { countWaiting, listHolds as readHolds, type StoredHold } from '../../../ingest/publish/hold-store.ts'
import type { RunOutcome } from '../../../ingest/publish/run-store.ts'
import { decideInThread, type HoldDecision } from '../../../ingest/review/decide-in-thread.ts'
import { readRefusals } from '../../../ingest/review/refusals.ts'
import { readCase, readProducts } from '../../../ingest/review/review-case.ts'
import { reasonText } from '../../../ingest/review/review-words.ts'
import { KeyedSemaphore } from '../../../platform/keyed-semaphore.ts'
import { atATime } from '../../limits/index.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import type { Person } from '../member.ts'
import { forOperators, type DashboardServices } from '../operation.ts'
import { readPage } from '../read-page.ts'
import { Done, ExactFilter, PageQuery } from '../schemas/common.ts'
import type { Schemas } from '../schemas/index.ts'
import {
  AcceptInput,
  FeedSources,
  HoldCase,
  HoldList,
  PriceReport,
  RejectInput,
  ReviewOutcome,
} from '../schemas/review.ts'

// What operators decide on, which is about no account.

export const listHolds = forOperators.read(
  'GET /review/holds',
  { query: PageQuery.extend({ source: ExactFilter.exactOptional() }), 200: HoldList },
  async ({ query }, { db }) => {
    const { source, ...position } = query
    const [refusals, counts, { rows, next }] = await Promise.all([
      readRefusals(db),
      countWaiting(db),
      readPage(
        position,
        ({ cursor, limit }) => readHolds(db, { state: 'open', source, afterId: cursor?.id ?? null, limit }),
        ({ firstSeen, id }) => ({ updatedAt: firstSeen, id }),
      ),
    ])
    const products = await readProducts(
      db,
      rows.map(({ resource_id }) => resource_id),
    )
    const data = rows.map((hold) => toHold(hold, products.get(hold.resource_id) ?? null))
    const sources = [...counts].map(([source, waiting]) => ({ source, waiting }))
    const waiting = sources.reduce((sum, one) => sum + one.waiting, 0)
    return { data, refusals, waiting, sources, ...next }
  },
)

export const getHold = forOperators.read(
  'GET /review/holds/{id}',
  { 200: data(HoldCase), errors: ['not_found'] },
  async ({ path }, { db }) => {
    const found = await readCase(db, path.id)
    if (!found) throw new DashboardError('not_found', { message: 'There is no such hold.' })
    const { hold, productId, ...evidence } = found
    return { hold: toHold(hold, productId), ...evidence }
  },
)

export const listFeedSources = forOperators.read(
  'GET /review/sources',
  { 200: data(FeedSources) },
  async (_call, { db, readConfirmation }) => {
    const [statuses, confirmation] = await Promise.all([listSourceStatus(db), readConfirmation()])
    const sources = statuses.map((status) => {
      const { message, observed_at, loaded_at, version, data_at, rows, rejected, url } = status
      const known = { message, observed_at, loaded_at, version, data_at, rows, rejected, url }
      return { ...known, source: status.id, outcome: status.outcome as RunOutcome, waiting: status.held }
    })
    return { ...confirmation, sources }
  },
)

export const listPriceReports = forOperators.read(
  'GET /review/reports',
  { 200: data(z.array(PriceReport)) },
  (_call, { db }) => listReports(db),
)

export const closePriceReport = forOperators.write(
  'DELETE /review/reports/{id}',
  { 200: Done, errors: ['not_found'] },
  async ({ member, path }, { db, logger }) => {
    await close(db, path.id)
    logger.info({ user_id: member.user.id, report: path.id }, 'price report closed')
  },
)

// A thread judges all claims, for seconds. A decision hashes a password as well, but operators are few.
const deciding = new KeyedSemaphore(atATime.decisions)

export const acceptHolds = forOperators.foreign(
  'POST /review/accept',
  { body: AcceptInput, 200: data(ReviewOutcome), errors: ['not_found', 'conflict'] },
  ({ member, body }, services) =>
    decide(services, member, body.password, { ids: body.ids, as: body.as, note: body.note ?? null }),
)

export const rejectHolds = forOperators.foreign(
  'POST /review/reject',
  { body: RejectInput, 200: data(ReviewOutcome), errors: ['not_found', 'conflict'] },
  ({ member, body }, services) =>
    decide(services, member, body.password, { ids: body.ids, as: null, note: body.reason }),
)

/** What is published reaches every customer, so a session alone is not enough: decision 018. */
async function decide(
  { db, publishing, logger }: DashboardServices,
  { user }: Person,
  password: string,
  decision: Omit<HoldDecision, 'by'>,
) {
  await requirePassword(db, user.id, password)
  const task = { ...decision, publishing, by: user.email }
  const data = await deciding.run('all', () => decideInThread(task))
  const { ids, as } = decision
  logger.info({ user_id: user.id, holds: ids, as: as ?? 'rejected', changes: data.changes }, 'holds decided')
  return data
}

function toHold({ firstSeen, run_id: _, ...hold }: StoredHold, productId: string | null): Schemas['Hold'] {
  return { ...hold, product_id: productId, reason_text: reasonText(hold.reason), first_seen: firstSeen }
}
