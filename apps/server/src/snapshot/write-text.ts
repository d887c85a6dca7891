import { csvText } from '@ratecard/contract/csv'
import type { Snapshot } from './read-snapshot.ts'
import type { SnapshotResource } from './record.ts'

// The snapshot as text, in pieces of a batch.

/** One JSON document: the header, and the resources as `resources`. A resource a line, so that a diff is readable. */
export async function* snapshotJson({ header, batches }: Snapshot): AsyncGenerator<string> {
  yield `${JSON.stringify(header).slice(0, -1)},"resources":[`
  let before = '\n'
  for await (const resources of batches) {
    yield before + resources.map((resource) => JSON.stringify(resource)).join(',\n')
    before = ',\n'
  }
  yield '\n]}\n'
}

/** The header as the first line, and a line for each resource. */
export async function* snapshotJsonLines({ header, batches }: Snapshot): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`
  for await (const resources of batches)
    yield resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
}

/** The columns of the CSV, in their order. docs/snapshot.md says what they hold. */
const csvColumns: Readonly<Record<string, (resource: SnapshotResource) => string | null>> = {
  resource_id: (resource) => resource.resource_id,
  vendor: (resource) => resource.vendor,
  product_id: (resource) => resource.product_id,
  modality: (resource) => resource.modality,
  region: (resource) => resource.region,
  unit: (resource) => resource.unit,
  input_per_mtok: (resource) => resource.input_per_mtok,
  output_per_mtok: (resource) => resource.output_per_mtok,
  cached_input_per_mtok: (resource) => resource.cached_input_per_mtok,
  image_per_unit: (resource) => resource.image_per_unit,
  audio_per_min: (resource) => resource.audio_per_min,
  video_per_sec: (resource) => resource.video_per_sec,
  currency: (resource) => resource.currency,
  source_url: (resource) => resource.source_url,
  effective_at: (resource) => resource.effective_at,
  retires_on: (resource) => resource.retires_on,
  platform: (resource) => resource.platform,
  updated_at: (resource) => resource.updated_at,
  source: (resource) => resource.source,
  is_confirmed: ({ is_confirmed }) => (is_confirmed === null ? null : String(is_confirmed)),
  rule: (resource) => resource.rule,
  gone_since: (resource) => resource.gone_since,
  sources: ({ claims }) => claims.map(({ source }) => source).join(' '),
  rates: ({ rates }) => listText(rates),
  announced: ({ announced }) => listText(announced),
  aliases: ({ aliases }) => listText(aliases),
}

/** Columns of the CSV that are no columns of an operator's own prices. */
export const snapshotOnlyColumns = [
  ...['updated_at', 'source', 'is_confirmed', 'rule', 'gone_since', 'sources', 'rates', 'announced'],
  'aliases',
] as const

/** A row for each resource. Lists are JSON in their field. */
export async function* snapshotCsv({ batches }: Snapshot): AsyncGenerator<string> {
  yield `${Object.keys(csvColumns).join(',')}\r\n`
  const columns = Object.values(csvColumns)
  for await (const resources of batches) {
    const lines = resources.map((resource) =>
      columns.map((pickValue) => csvText(pickValue(resource) ?? '')).join(','),
    )
    yield `${lines.join('\r\n')}\r\n`
  }
}

/** Nothing of a list that is empty. */
function listText(list: readonly object[] | null): string | null {
  return list === null || list.length === 0 ? null : JSON.stringify(list)
}
