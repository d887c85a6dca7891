import { isShown, type ChangeAccess } from '../../../features/changes/change-access.ts'
import { listChangeFacets as readChangeFacets } from '../../../features/changes/change-facets.ts'
import { listMoves, type Move } from '../../../features/changes/change-moves.ts'
import * as changes from '../../../features/changes/change-store.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import { findCurrencies } from '../../../features/prices/price-store.ts'
import type { Db } from '../../../database/connect.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { forMembers } from '../operation.ts'
import { Change, ChangeFacets, ChangeFilter, ChangeList } from '../schemas/changes.ts'
import { PageQuery } from '../schemas/common.ts'
import type { Schemas } from '../schemas/index.ts'

/** Enough for an overview; the change itself has more. */
const listedMovesMax = 5
/** As many as an HTML page can show. */
const movesMax = 1_000

export const listChanges = forMembers.read(
  'GET /changes',
  { query: PageQuery.extend(ChangeFilter.shape), 200: ChangeList },
  async ({ query, member }, { db }) => {
    const { vendor, product, category, include_incidents, min_severity, ...position } = query
    const filter = { vendor, product, category, include_incidents, min_severity }
    const [{ rows, next }, { changeAccess }] = await Promise.all([
      changes.listChanges(db, filter, {
        ...readListPosition(position),
        without: include_incidents || category !== undefined ? [] : changes.noNews,
      }),
      readTerms(db, member.account.id),
    ])
    const data = rows.map((change) => changeBody(change, changeAccess, listedMovesMax))
    return {
      status: 200,
      body: {
        data: await withCurrencies(db, data),
        ...(next && { pagination: { next_cursor: encodeCursor(next) } }),
      },
    }
  },
)

export const listChangeFacets = forMembers.read(
  'GET /change-facets',
  { 200: data(ChangeFacets) },
  async (_call, { db }) => ({
    status: 200,
    body: { data: await readChangeFacets(db) },
  }),
)

export const getChange = forMembers.read(
  'GET /changes/{id}',
  { 200: data(Change), errors: ['not_found'] },
  async ({ path, member }, { db }) => {
    const [change, { changeAccess }] = await Promise.all([
      changes.findChange(db, path.id),
      readTerms(db, member.account.id),
    ])
    if (!change) throw new DashboardError('not_found', { message: 'There is no such change.' })
    const [data] = await withCurrencies(db, [changeBody(change, changeAccess, movesMax)])
    return { status: 200, body: { data: data! } }
  },
)

/** A change's amounts are in the currency of the record. Changes do not have it, and it does not move. */
async function withCurrencies(db: Db, bodies: ChangeBody[]): Promise<Schemas['Change'][]> {
  const ids = new Set(bodies.flatMap(({ moves }) => moves.map(({ resource_id }) => resource_id)))
  const currencies = await findCurrencies(db, [...ids])
  return bodies.map(({ moves, ...body }) => ({
    ...body,
    moves: moves.map((move) => ({ ...move, currency: currencies.get(move.resource_id) ?? null })),
  }))
}

type ChangeBody = Omit<Schemas['Change'], 'moves'> & { moves: Move[] }

/** A change as a plan with this access may see it, with its first moves. */
function changeBody(change: changes.StoredChange, access: ChangeAccess, movesMax: number): ChangeBody {
  const shown = <Field extends keyof changes.StoredChange>(field: Field) =>
    isShown(field, access) ? (change[field] ?? null) : null
  const moves = isShown('diff_before', access) ? listMoves(change) : []
  return {
    id: change.id,
    vendor: change.vendor,
    product: change.product,
    modality: change.modality,
    category: change.category,
    severity: change.severity,
    title: change.title,
    summary: change.summary,
    status: change.status ?? null,
    source_url: change.source_url,
    effective_time: change.effective_time ?? null,
    first_seen: change.first_seen ?? null,
    migration_deadline: shown('migration_deadline'),
    impact_score: change.impact_score,
    impact_cost: shown('impact_cost'),
    impact_reliability: shown('impact_reliability'),
    impact_migration: shown('impact_migration'),
    impact_quality: shown('impact_quality'),
    impact_compliance: shown('impact_compliance'),
    impact_notes: shown('impact_notes'),
    verified: change.verified ?? null,
    moves_total: moves.length,
    moves: moves.slice(0, movesMax),
    alternatives: access === 'full' ? change.alternatives.map(alternativeBody) : [],
    access,
    created_at: change.created_at,
    updated_at: change.updated_at,
  }
}

function alternativeBody(
  alternative: changes.StoredChange['alternatives'][number],
): Schemas['ChangeAlternative'] {
  return {
    product_id: alternative.product_id,
    product_name: alternative.product_name,
    vendor: alternative.vendor,
    migration_effort: alternative.migration_effort,
    cost_diff_pct: alternative.cost_diff_pct ?? null,
    quality_comparison: alternative.quality_comparison ?? null,
    notes: alternative.notes ?? null,
  }
}
