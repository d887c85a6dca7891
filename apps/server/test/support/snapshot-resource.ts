import type { Rate } from '../../src/catalog/rate-card.ts'
import { noAmounts } from '../../src/ingest/source-record.ts'
import type { SnapshotResource } from '../../src/snapshot/record.ts'

/** Its rates need no sources. */
export type ResourceParts = Partial<Omit<SnapshotResource, 'rates'>> & { rates?: readonly Rate[] }

/** A resource of a snapshot, of which nothing more is stored than 2 and 8 USD for a million tokens. */
export function snapshotResource({ rates = [], ...more }: ResourceParts): SnapshotResource {
  return {
    ...{ resource_id: 'acme:m', product_id: null, vendor: 'acme', platform: 'acme', modality: 'llm' },
    ...{ region: null, unit: '1m_tokens', ...noAmounts, input_per_mtok: '2', output_per_mtok: '8' },
    ...{ currency: 'USD' },
    ...{ source_url: null, effective_at: null, updated_at: '2026-01-01T00:00:00.000000Z' },
    ...{
      source: 'litellm',
      is_confirmed: null,
      rule: null,
      gone_since: null,
      retires_on: null,
      checked_on: null,
      evidence: {},
    },
    ...{ announced: [], aliases: [], claims: [] },
    ...more,
    rates: rates.map((rate) => ({ ...rate, said_by: null, denied_by: null })),
  }
}
