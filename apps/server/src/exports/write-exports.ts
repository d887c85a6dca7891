import { createHash } from 'node:crypto'
import { readVersion } from '../platform/version.ts'
import type { Db } from '../database/connect.ts'
import { addresses, type SourceAddress } from '../ingest/sources/addresses.ts'
import { lookUp } from '../ingest/match/identify.ts'
import type { Snapshot } from '../snapshot/read-snapshot.ts'
import type { Form } from './form.ts'
import { forms, type FormName } from './forms.ts'
import { Losses, type LossReport } from './report.ts'
import type { ExportResource } from './resource.ts'
import { readSourceText, type SourceText } from '../ingest/run/source-files.ts'

export interface ExportFile {
  content: string | Buffer
  report: LossReport
}

/** All resources, without who says what: 9,000 are some 20 MB. */
export async function readExportResources({ batches }: Pick<Snapshot, 'batches'>): Promise<ExportResource[]> {
  const resources: ExportResource[] = []
  for await (const batch of batches)
    for (const { claims: _, documents: __, evidence: ___, ...resource } of batch) resources.push(resource)
  return resources
}

/** The file whose rows a form keeps; null: none was read. genai-prices' comes with the program, too. */
export async function readUpstream(db: Db, name: FormName): Promise<SourceText | null> {
  const { upstream }: Form = forms[name]
  if (upstream === null) return null
  const read = await readSourceText(db, upstream)
  if (read !== null || upstream !== 'genai-prices') return read
  const { waitForUpdate } = await import('@pydantic/genai-prices')
  const text = JSON.stringify(await waitForUpdate())
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { source: '@pydantic/genai-prices, the npm package', sha256, read_at: null, text }
}

export function writeExport(
  name: FormName,
  resources: readonly ExportResource[],
  source: SourceText | null,
): ExportFile {
  const { title, file, upstream, tellsUnknown, write }: Form = forms[name]
  const losses = new Losses()
  const own: unknown = source === null ? null : JSON.parse(source.text)
  const { content, rows, held, ...written } = write({ resources, upstream: own, losses })
  const kept = written.upstream ?? { rows: 0, ours: 0 }
  const published = upstream === null ? undefined : lookUp<SourceAddress>(addresses, upstream)
  const notes = [
    !tellsUnknown &&
      `What has no rate here costs nothing there, or the standard rate: ${title} does not know unknown from free.`,
    upstream !== null &&
      source === null &&
      `${title}'s own file was not read yet: these are prices alone. Limits, capabilities and rows that are not served here are missing until the source ${upstream} was read once.`,
  ].filter((note) => note !== false)
  const report: LossReport = {
    ...{ form: title, file, generator: `ratecard ${readVersion()}` },
    ...{ rows, resources: resources.length, held: held.size },
    upstream: source && {
      ...{ source: source.source, url: published?.url ?? null, licence: published?.licence ?? null },
      ...{ sha256: source.sha256, read_at: source.read_at },
      ...{ ...kept, kept: kept.rows - kept.ours },
    },
    ...{ notes, losses: losses.toReport() },
  }
  return { content, report }
}
