import { clouds } from '../../match/clouds.ts'
import { daysBetween } from '../../days.ts'
import type { ChangeDraft, RowState } from '../change-draft.ts'
import type { RemovalKind } from '../../policy.ts'
import { isOperator, findOrigin, findOwnList } from '../../match/precedence.ts'
import { ownModels } from '../../match/taxonomy.ts'
import type { WordingContext } from './context.ts'
import { findSiblings } from './naming.ts'

/** The kind of removal of each row that the change removes. */
export function listRemovals(draft: ChangeDraft, context: WordingContext): RemovalKind[] {
  const removed = draft.rows.flatMap(({ before, after }) => (before && !after ? [before] : []))
  if (removed.length === 0) return []
  const stillSoldOn = new Set(findSiblings(draft, context).map((price) => price.platform))
  return removed.map((state) => classifyRemoval(state, draft, context, stillSoldOn))
}

function classifyRemoval(
  { record, retires_on }: RowState,
  draft: ChangeDraft,
  { today, policy }: WordingContext,
  stillSoldOn: ReadonlySet<string | null>,
): RemovalKind {
  // A row that is gone before its announced day is gone without notice.
  if (retires_on !== null && retires_on <= today) {
    const { retirementPassedDaysMax } = policy.severity
    return daysBetween(retires_on, today) > retirementPassedDaysMax ? 'past' : 'announced'
  }
  const { platform, vendor } = record
  const maker = platform === null ? undefined : findOwnMaker(platform)
  const isCloud = platform !== null && clouds.has(platform)
  if (!isCloud && maker !== vendor && !(maker !== undefined && vendor === 'unknown')) return 'resale'
  if (maker !== vendor || stillSoldOn.has(platform)) return 'other'
  return isAgreed(draft, record.resource_id, platform) ? 'own' : 'reported'
}

/** Platforms are names of sources: `constructor` must not find what every object inherits. */
function findOwnMaker(platform: string): string | undefined {
  return Object.hasOwn(ownModels, platform) ? ownModels[platform] : undefined
}

/** Every source that had one of the rows, by name. */
export function droppedBy({ evidence }: ChangeDraft): string[] {
  return [...new Set(evidence.map(({ source }) => source))].sort()
}

/**
 * Whether the change may be called a removal: the platform's own list, the operator or two independent sources dropped
 * each row, and nothing of the product is left on these platforms.
 */
export function isRemoval(draft: ChangeDraft, context: WordingContext): boolean {
  return (
    findSiblings(draft, context).length === 0 &&
    draft.rows.every(({ resource_id, before }) =>
      isAgreed(draft, resource_id, before?.record.platform ?? null),
    )
  )
}

function isAgreed({ evidence }: ChangeDraft, resourceId: string, platform: string | null): boolean {
  const sources = evidence.flatMap((row) => (row.resource_id === resourceId ? [row.source] : []))
  const own = findOwnList(platform)
  return (
    sources.some((source) => source === own || isOperator(source)) ||
    new Set(sources.map((source) => findOrigin(source, platform))).size > 1
  )
}
