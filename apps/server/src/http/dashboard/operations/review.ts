import { z } from 'zod'
import { closeReport as close, listReports } from '../../../features/prices/report-store.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import type { Person } from '../member.ts'
import { done, forOperators, type DashboardServices } from '../operation.ts'
import { readPage } from '../read-page.ts'
import type { HoldDecision } from '../review-desk.ts'
import { Done, ExactFilter, PageQuery } from '../schemas/common.ts'
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
  async ({ query }, { db, review }) => {
    const { source, ...position } = query
    const [refusals, sources, { rows, next }] = await Promise.all([
      review.listRefusals(db),
      review.countBySource(db),
      readPage(
        position,
        ({ cursor, limit }) => review.listWaiting(db, { source, afterId: cursor?.id ?? null, limit }),
        ({ first_seen, id }) => ({ updatedAt: first_seen, id }),
      ),
    ])
    const waiting = sources.reduce((sum, one) => sum + one.waiting, 0)
    return { status: 200, body: { data: rows, refusals, waiting, sources, ...next } }
  },
)

export const getHold = forOperators.read(
  'GET /review/holds/{id}',
  { 200: data(HoldCase), errors: ['not_found'] },
  async ({ path }, { db, review }) => {
    const data = await review.readCase(db, path.id)
    if (!data) throw new DashboardError('not_found', { message: 'There is no such hold.' })
    return { status: 200, body: { data } }
  },
)

export const listFeedSources = forOperators.read(
  'GET /review/sources',
  { 200: data(FeedSources) },
  async (_call, { db, review }) => ({
    status: 200,
    body: { data: await review.readSources(db) },
  }),
)

export const listPriceReports = forOperators.read(
  'GET /review/reports',
  { 200: data(z.array(PriceReport)) },
  async (_call, { db }) => ({ status: 200, body: { data: await listReports(db) } }),
)

export const closePriceReport = forOperators.write(
  'DELETE /review/reports/{id}',
  { 200: Done, errors: ['not_found'] },
  async ({ member, path }, { db, logger }) => {
    await close(db, path.id)
    logger.info({ user_id: member.user.id, report: path.id }, 'price report closed')
    return done
  },
)

// A thread judges all claims, for seconds. A decision hashes a password as well, but operators are few.

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
  { db, review, logger }: DashboardServices,
  { user }: Person,
  password: string,
  decision: Omit<HoldDecision, 'by'>,
) {
  await requirePassword(db, user.id, password)
  const data = await review.decide({ ...decision, by: user.email })
  const { ids, as } = decision
  logger.info({ user_id: user.id, holds: ids, as: as ?? 'rejected', changes: data.changes }, 'holds decided')
  return { status: 200 as const, body: { data } }
}
