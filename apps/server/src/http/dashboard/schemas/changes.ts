import { z } from 'zod'
import { ExactFilter, Id, Pagination, Timestamp } from './common.ts'

const Impact = z.int().min(0).max(100)

export const PriceMove = z.strictObject({
  resource_id: z.string(),
  /** The currency of the record; null: it has none, or is not served any more. */
  currency: z.string().nullable(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

export const ChangeAlternative = z.strictObject({
  product_id: z.string(),
  product_name: z.string(),
  vendor: z.string(),
  migration_effort: z.enum(['low', 'medium', 'high']),
  /** How the cost changes, in per cent; negative is cheaper. */
  cost_diff_pct: z.number().nullable(),
  quality_comparison: z.string().nullable(),
  notes: z.string().nullable(),
})

/** A published change. With `access` `summary` the plan withholds `moves`, `alternatives`, the impacts other than `impact_score` and the deadline. */
export const Change = z.strictObject({
  id: Id,
  vendor: z.string(),
  product: z.string(),
  modality: z.string(),
  category: z.string(),
  severity: z.int().min(1).max(5),
  title: z.string(),
  summary: z.string(),
  status: z.string().nullable(),
  source_url: z.string().nullable(),
  /** From when it holds: a day or an instant. */
  effective_time: z.string().nullable(),
  /** When a source first said so; null when that is not known. */
  first_seen: z.string().nullable(),
  migration_deadline: z.string().nullable(),
  impact_score: Impact,
  impact_cost: Impact.nullable(),
  impact_reliability: Impact.nullable(),
  impact_migration: Impact.nullable(),
  impact_quality: Impact.nullable(),
  impact_compliance: Impact.nullable(),
  impact_notes: z.string().nullable(),
  /** Whether it was checked against its source; null when nobody has said. */
  verified: z.boolean().nullable(),
  moves_total: z.int().min(0).max(1000000),
  /** Before and after, as many as an answer holds. The first five in a list, the first 1,000 of one change. */
  moves: z.array(PriceMove).max(1000),
  alternatives: z.array(ChangeAlternative),
  access: z.enum(['summary', 'full']),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The filters of the API. With incidents come corrections of records: neither is news of prices. */
export const ChangeFilter = z.strictObject({
  vendor: ExactFilter.exactOptional(),
  product: ExactFilter.exactOptional(),
  category: ExactFilter.exactOptional(),
  include_incidents: z.boolean().default(false),
  min_severity: z.int().min(1).max(5).exactOptional(),
})

export const ChangeList = z.strictObject({
  data: z.array(Change).max(100),
  pagination: Pagination.exactOptional(),
})

/** What changes can be filtered by, in the order of the alphabet. */
export const ChangeFacets = z.strictObject({ vendors: z.array(z.string()), categories: z.array(z.string()) })
