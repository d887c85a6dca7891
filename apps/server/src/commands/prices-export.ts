import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { Option } from 'commander'
import { forms, formNames, reportName, type FormName } from '../exports/forms.ts'
import { reportText, type LossReport } from '../exports/report.ts'
import { layOver, parseOverrides, type Overrides } from '../exports/overrides.ts'
import { readExportResources, readUpstream, writeExport, type ExportFile } from '../exports/write-exports.ts'
import { readSourceFile } from '../ingest/run/fetch-source.ts'
import { parseJsonFile } from '../ingest/sources/reading/parse-json.ts'
import { snapshotForms, snapshotTexts, writeSnapshot, type SnapshotForm } from '../snapshot/forms.ts'
import { withSnapshot } from '../snapshot/read-snapshot.ts'
import type { SnapshotResource } from '../snapshot/record.ts'
import { UserError } from '../platform/user-error.ts'
import { momentArgument } from './arguments.ts'
import { everySoOften, say, type OperatorCommand } from './command.ts'
import { writeWhole } from './out-file.ts'
import { print, writeOut, type OutputOptions } from './output.ts'

type Format = SnapshotForm | FormName

interface ExportOptions extends OutputOptions {
  format?: Format
  asOf?: string
  out?: string
  overrides?: string
}

/** What stdout may get with `--json`. */
const documents: readonly Format[] = [
  'json',
  ...formNames.filter((name) => forms[name].file.endsWith('.json')),
]

export function addPricesExport(prices: OperatorCommand): void {
  prices
    .command('export')
    .description(
      'Write all prices with all that is stored of them: rate cards, aliases, announcements, claims',
    )
    .addOption(
      new Option('--format <name>', 'How it is written (default: json)').choices([
        ...snapshotForms,
        ...formNames,
      ]),
    )
    .option('--as-of <time>', 'As it was served then: a time, or a day in UTC for its end', momentArgument)
    .option('--out <file>', 'Write this file, as a whole or not at all; default: stdout')
    .option('--overrides <file>', 'Prices under your own discounts, in a format of another program')
    .notes(
      `
Formats:
  json     one document; its schema is packages/contract/snapshot.schema.json
  jsonl    its header on the first line, then a line for each resource
  csv      a row for each resource
  sqlite   tables of resources, rates, claims, announced prices and aliases; needs --out

Formats of other programs, in which a server has them too, below /exports/:
${formNames.map((name) => `  ${name.padEnd(13)} ${forms[name].about}`).join('\n')}
What such a format cannot hold is counted on stderr, and named in FILE's companion .report.json.

With --overrides those have what you pay in place of list prices: {"multiplier": 0.9, "platforms": {"azure":
{"multiplier": 0.85}}, "models": {"openai/gpt-4o": {"rates": {"input_tokens": 2}}}}, as @ratecard/cost takes it.

With --as-of the amounts and the claims are those of that time. Served rate cards and announcements are not kept in
history: they are null, and the header names them.

Examples:
  ratecard prices export --out prices.json
  ratecard prices export --format litellm --out model_prices.json
  ratecard prices export --format csv --as-of 2026-07-01 > prices.csv`,
    )
    .onDatabase(async ({ db, config }, options: ExportOptions) => {
      const { format = 'json', asOf = null } = options
      const out = options.out === undefined ? null : resolve(config.workingDirectory, options.out)
      refuseMisuse(format, out, options)
      const overrides = await readOverrides(config.workingDirectory, options.overrides)
      let report: LossReport | null = null
      const written = await withSnapshot(db, asOf, async ({ header, batches }) => {
        const snapshot = { header, batches: withProgress(batches, header.resource_count) }
        if (isForm(format)) {
          // What upstream had then is not kept.
          const source = asOf === null ? await readUpstream(db, format) : null
          const listed = await readExportResources(snapshot)
          const resources = overrides === null ? listed : layOver(listed, overrides)
          const file = writeExport(format, resources, source)
          report = file.report
          await putExport(file, out)
        } else if (out !== null) await writeWhole(out, (path) => writeSnapshot(snapshot, format, path))
        else if (format !== 'sqlite') await writeOut(snapshotTexts[format](snapshot))
        return header
      })
      const leftOut = countLosses(report)
      if (out !== null && options.json) {
        const { generated_at, as_of, catalog_version, resource_count, not_kept } = written
        const about = { generated_at, as_of, catalog_version, resource_count, not_kept }
        return print({ file: out, format, ...about, left_out: leftOut }, options, () => '')
      }
      if (out !== null) say(`${written.resource_count} resources are in ${out}.`)
      if (written.not_kept.length > 0 && !options.json)
        say(`Not kept in history, so null: ${written.not_kept.join(', ')}.`)
      for (const note of (report as LossReport | null)?.notes ?? []) say(note)
      for (const [loss, count] of Object.entries(leftOut))
        say(`${forms[format as FormName].title}'s format does not hold ${count} ${loss}.`)
    })
}

function isForm(format: Format): format is FormName {
  return Object.hasOwn(forms, format)
}

async function putExport({ content, report }: ExportFile, out: string | null): Promise<void> {
  if (out === null) return writeOut(Readable.from([content]))
  await writeWhole(out, (path) => writeFile(path, content))
  await writeWhole(reportName(out), (path) => writeFile(path, reportText(report)))
}

function countLosses(report: LossReport | null): Record<string, number> {
  const losses = Object.entries(report?.losses ?? {})
  return Object.fromEntries(losses.map(([loss, { count }]) => [loss, count]))
}

async function readOverrides(folder: string, path: string | undefined): Promise<Overrides | null> {
  if (path === undefined) return null
  const { text = '' } = await readSourceFile(resolve(folder, path))
  return parseOverrides(parseJsonFile(text))
}

function refuseMisuse(format: Format, out: string | null, { json = false, overrides }: ExportOptions): void {
  if (overrides !== undefined && !isForm(format))
    throw new UserError(
      `--overrides is for the formats of other programs: ${formNames.join(', ')}. A snapshot has list prices.`,
      { exitCode: 2 },
    )
  if (out !== null) return
  if (format === 'sqlite')
    throw new UserError('An SQLite database is a file: name it with --out FILE.', { exitCode: 2 })
  if (json && !documents.includes(format))
    throw new UserError(`--json prints one JSON document, which ${format} is not: name a file with --out.`, {
      exitCode: 2,
    })
}

/** Says how far it is, when it takes long. */
async function* withProgress(
  batches: AsyncIterable<SnapshotResource[]>,
  total: number,
): AsyncGenerator<SnapshotResource[]> {
  let count = 0
  const tell = everySoOften()
  for await (const resources of batches) {
    yield resources
    count += resources.length
    tell(() => `${count} of ${total} resources`)
  }
}
