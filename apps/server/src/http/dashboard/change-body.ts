import type { Schemas } from '@ratecard/dashboard/contract'
import { isShown, type ChangeAccess } from '../../features/changes/change-access.ts'
import { movesOf } from '../../features/changes/change-moves.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'

/** A change as a plan with this access may see it, with its first moves. */
export function changeBody(change: StoredChange, access: ChangeAccess, movesMax: number): Schemas['Change'] {
  const shown = <Field extends keyof StoredChange>(field: Field) =>
    isShown(field, access) ? (change[field] ?? null) : null
  const moves = isShown('diff_before', access) ? movesOf(change) : []
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

function alternativeBody(alternative: StoredChange['alternatives'][number]): Schemas['ChangeAlternative'] {
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
