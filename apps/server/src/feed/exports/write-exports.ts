import { createHash } from 'node:crypto'
import { readVersion } from '../../platform/version.ts'
import type { Db, Trx } from '../../database/connect.ts'
import { addresses, type SourceAddress } from '../sources/addresses.ts'
import { lookUp } from '../identify.ts'
import { readSnapshot, type Snapshot } from '../snapshot/read-snapshot.ts'
import type { Form, Written } from './form.ts'
import { forms, type FormName } from './forms.ts'
import { Losses, type LossReport } from './report.ts'
import type { ExportResource } from './resource.ts'
import { readSourceText, type SourceText } from '../source-files.ts'

export interface ExportFile {
  name: FormName
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

/** The files of some forms, one after the other. */
export async function writeExports(
  trx: Trx,
  names: readonly FormName[],
  take: (file: ExportFile) => Promise<void>,
): Promise<void> {
  const resources = await readExportResources(await readSnapshot(trx))
  for (const name of names) {
    await take(writeExport(name, resources, await readUpstream(trx, name)))
  }
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
  const form: Form = forms[name]
  const losses = new Losses()
  const upstream: unknown = source === null ? null : JSON.parse(source.text)
  const written = form.write({ resources, upstream, losses })
  return { name, content: written.content, report: buildReport(form, resources, source, written, losses) }
}

function buildReport(
  form: Form,
  resources: readonly ExportResource[],
  source: SourceText | null,
  { rows, held, upstream = { rows: 0, ours: 0 } }: Written,
  losses: Losses,
): LossReport {
  const published = form.upstream === null ? undefined : lookUp<SourceAddress>(addresses, form.upstream)
  return {
    form: form.title,
    file: form.file,
    generator: `ratecard ${readVersion()}`,
    rows,
    resources: resources.length,
    held: held.size,
    upstream: source && {
      ...{ source: source.source, url: published?.url ?? null, licence: published?.licence ?? null },
      ...{ sha256: source.sha256, read_at: source.read_at },
      ...{ ...upstream, kept: upstream.rows - upstream.ours },
    },
    notes: [
      ...(form.tellsUnknown
        ? []
        : [
            `What has no rate here costs nothing there, or the standard rate: ${form.title} does not know unknown from free.`,
          ]),
      ...(form.upstream !== null && source === null
        ? [
            `${form.title}'s own file was not read yet: these are prices alone. Limits, capabilities and rows that are not served here are missing until the source ${form.upstream} was read once.`,
          ]
        : []),
    ],
    losses: losses.toReport(),
  }
}
