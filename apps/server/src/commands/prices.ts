import { Option } from 'commander'
import { listPricePage } from '../features/prices/price-store.ts'
import { importSource, type SourceImport } from '../feed/import-source.ts'
import { sources, type SourceName } from '../feed/sources/index.ts'
import { UserError } from '../platform/user-error.ts'
import { countArgument, readArgumentFile } from './arguments.ts'
import { say, withDatabase, type CommandGroup, type WorkContext } from './command.ts'
import { print, printList, shortTime, tableOf, type OutputOptions } from './output.ts'

const listMax = 100_000
const shownMax = 20
const downloadTimeoutMs = 60_000
const downloadBytesMax = 200_000_000

interface ImportCommandOptions extends OutputOptions {
  source: SourceName
  file?: string
  url?: string
  dryRun?: boolean
}

export const priceCommands: CommandGroup = (program) => {
  const prices = program.command('prices').description('Stored price records')

  const descriptions = Object.values(sources).map(
    ({ name, description }) => `  ${name.padEnd(14)} ${description}`,
  )
  prices
    .command('import')
    .description('Make the served prices those of a source. Importing the same again changes nothing.')
    .addOption(
      new Option('--source <name>', 'Source to read').choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .addOption(new Option('--file <path>', 'Read this file').conflicts('url'))
    .option('--url <url>', 'Read what this address answers')
    .option('--dry-run', 'Show what would change; write nothing')
    .addHelpText('after', `\nSources:\n${descriptions.join('\n')}`)
    .action((options: ImportCommandOptions) =>
      withDatabase(async (context) => {
        const result = await runImport(context, options)
        const { added, changed, unchanged, rejected } = result
        const document = {
          source: options.source,
          dry_run: options.dryRun ?? false,
          added: added.length,
          changed: changed.length,
          unchanged,
          rejected: rejected.length,
          changes: changed,
          rejections: rejected,
        }
        print(document, options, () => importReport(options, result))
      }),
    )

  prices
    .command('list')
    .description('List stored prices, the last changed first')
    .option('--vendor <id>', 'Only this vendor')
    .option('--product <id>', 'Only this canonical product')
    .option('--platform <id>', 'Only this platform')
    .option('--modality <name>', 'Only this modality')
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .action(
      (
        options: OutputOptions & {
          limit: number
          vendor?: string
          product?: string
          platform?: string
          modality?: string
        },
      ) =>
        withDatabase(async ({ db }) => {
          const { vendor, product, platform, modality, limit } = options
          const { rows, next } = await listPricePage(
            db,
            { vendor, product, platform, modality },
            { cursor: null, limit },
          )
          const records = rows.map((row) => ({ id: row.resource_id, ...row }))
          printList(
            records,
            {
              ...options,
              empty: 'No prices match. "ratecard prices import --source genai-prices" loads some.',
            },
            [
              ['id', 'id'],
              ['vendor', 'vendor'],
              ['unit', 'unit'],
              ['input/M', 'input_per_mtok'],
              ['output/M', 'output_per_mtok'],
              ['cached/M', 'cached_input_per_mtok'],
              ['updated (UTC)', (row) => shortTime(row.updated_at)],
            ],
          )
          if (next && !options.json) say(`There are more: --limit ${Math.min(listMax, limit * 10)}`)
        }),
    )
}

async function runImport({ db, config }: WorkContext, options: ImportCommandOptions): Promise<SourceImport> {
  const { source, file, url } = options
  if (file === undefined && url === undefined && !sources[source].bundled) {
    throw new UserError(
      `The source ${source} does not come with the program. Name its data: --file PATH or --url URL.`,
      { exitCode: 2 },
    )
  }
  const text =
    file !== undefined
      ? await readArgumentFile(config, file)
      : url !== undefined
        ? await download(url)
        : undefined
  const startMs = performance.now()
  return importSource(
    db,
    source,
    { ...(text !== undefined && { text }), now: new Date() },
    {
      dryRun: options.dryRun ?? false,
      onProgress: (done, total) => {
        if (performance.now() - startMs > 1_000) say(`${done} of ${total} rows`)
      },
    },
  )
}

async function download(url: string): Promise<string> {
  const fail = (reason: string, cause?: unknown) => new UserError(`Cannot read ${url}: ${reason}.`, { cause })
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw fail('it is not an http or https address')
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadTimeoutMs) }).catch(
    (error: unknown) => {
      throw fail(
        error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'no connection',
        error,
      )
    },
  )
  if (!response.ok) throw fail(`it answers ${response.status}`)
  let text = ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (text.length > downloadBytesMax) throw fail(`it is larger than ${downloadBytesMax / 1_000_000} MB`)
    }
    return text + decoder.decode()
  } catch (error) {
    throw error instanceof UserError ? error : fail('the answer broke off or is not text', error)
  }
}

function importReport(
  { source, dryRun }: ImportCommandOptions,
  { added, changed, unchanged, rejected }: SourceImport,
): string {
  const counts = [
    { source, added: added.length, changed: changed.length, unchanged, rejected: rejected.length },
  ]
  const lines = [
    tableOf(counts, [
      ['source', 'source'],
      ['added', 'added'],
      ['changed', 'changed'],
      ['unchanged', 'unchanged'],
      ['rejected', 'rejected'],
    ]),
  ]
  if (changed.length > 0) {
    lines.push(
      '',
      tableOf(changed.slice(0, shownMax), [
        ['changed', 'id'],
        ['fields', (move) => move.fields.join(', ')],
      ]),
    )
    if (changed.length > shownMax)
      lines.push(`… and ${changed.length - shownMax} more; --json lists them all`)
  }
  if (rejected.length > 0) {
    lines.push(
      '',
      tableOf(rejected.slice(0, shownMax), [
        ['rejected', 'id'],
        ['reason', 'reason'],
      ]),
    )
    if (rejected.length > shownMax)
      lines.push(`… and ${rejected.length - shownMax} more; --json lists them all`)
  }
  if (dryRun) lines.push('', 'Nothing was written (--dry-run).')
  return lines.join('\n')
}
