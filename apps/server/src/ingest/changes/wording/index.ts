import type { ChangeInput } from '../../../features/changes/change-input.ts'
import { webAddress } from '../../../platform/web-address.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { findAlternatives } from './alternatives.ts'
import type { WordingContext } from './context.ts'
import { findDeadline } from './deadline.ts'
import { buildDiff } from './diff.ts'
import { describeImpact } from './impact.ts'
import { rateSeverity } from './severity.ts'
import { latestRecord } from './subject.ts'
import { writeSummary } from './summary.ts'
import { boundedText } from './text.ts'
import { writeTitle } from './title.ts'

export type { WordingContext } from './context.ts'

const idCharsMax = 256

/** The change of a draft: rated by the policy and put into words. */
export function toChangeInput(draft: ChangeDraft, context: WordingContext): ChangeInput {
  const records = draft.rows.flatMap(latestRecord)
  const { omission, ...diff } = buildDiff(draft)
  return {
    vendor: boundedText(knownVendor(records), idCharsMax) || 'unknown',
    product: boundedText(draft.product, idCharsMax) || 'unknown',
    modality: records.find(({ modality }) => modality !== null)?.modality ?? 'other',
    category: draft.category,
    severity: rateSeverity(draft, context),
    title: writeTitle(draft, context),
    summary: writeSummary(draft, context, omission),
    ...diff,
    ...describeImpact(draft, context),
    migration_deadline: findDeadline(draft),
    effective_time: draft.effectiveOn,
    first_seen: draft.firstSeen,
    last_seen: draft.lastSeen,
    verified: draft.verified,
    verified_at: draft.verified ? draft.lastSeen : null,
    status: draft.status,
    source_url: findLink(records),
    alternatives: findAlternatives(draft, context),
  }
}

function knownVendor(records: ReturnType<typeof latestRecord>): string {
  return records.find(({ vendor }) => vendor !== 'unknown')?.vendor ?? 'unknown'
}

/** The first address that a change may carry. */
function findLink(records: ReturnType<typeof latestRecord>): string | null {
  return records.map(({ source_url }) => webAddress(source_url)).find((link) => link !== null) ?? null
}
