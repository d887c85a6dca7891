import { Option } from 'commander'
import { listGivenDays } from '../features/changes/given-days.ts'
import { listPricesAsOf, listVersions, type AsOfFilter } from '../catalog/price-history.ts'
import { listPrices } from '../catalog/price-store.ts'
import { sources } from '../ingest/sources/index.ts'
import { countArgument, momentArgument, timeArgument } from './arguments.ts'
import type { CommandGroup } from './command.ts'
import { fileOption, runAndPrint, sourceHelp, type RunOptions } from './feed-run.ts'
import { cutAt, print, printCut, printList, shortTime, type OutputOptions } from './output.ts'
import { describeBeginning, historyColumns, historyLines } from './price-moves.ts'
import { addPricesExport } from './prices-export.ts'
import { addPricesShow, unknownPrice } from './prices-show.ts'

const listMax = 100_000

interface ListOptions extends OutputOptions, Omit<AsOfFilter, 'at' | 'knownAt' | 'given' | 'after'> {
  limit: number
}

const priceColumns = [
  'id',
  'vendor',
  'unit',
  ['input/M', 'input_per_mtok'],
  ['output/M', 'output_per_mtok'],
  ['cached/M', 'cached_input_per_mtok'],
] as const

export const priceCommands: CommandGroup = (program) => {
  const prices = program.command('prices').description('Stored price records')

  prices
    .command('import')
    .description(
      'Make the served prices those of a source, as "feed run" does. Importing the same again changes nothing.',
    )
    .addOption(
      new Option('--source <name>', 'Source to read').choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .addOption(fileOption())
    .option('--url <url>', 'Read what this address answers')
    .option('--dry-run', 'Show what would change; write nothing')
    .option('--no-alert', 'Publish what moved, and tell no webhook')
    .notes(`\nSources:\n${sourceHelp()}`)
    .action((options: OutputOptions & RunOptions) =>
      runAndPrint(options, ({ source, added, changed, unchanged, rejected, held }, dryRun) => ({
        source,
        dry_run: dryRun,
        added: added.length,
        changed: changed.length,
        unchanged,
        rejected: rejected.length,
        held: held.length,
        changes: changed.map(({ id, fields }) => ({ id, fields })),
        rejections: rejected,
      })),
    )

  prices
    .command('list')
    .description('List stored prices, the last changed first')
    .option('--vendor <id>', 'Only this vendor')
    .option('--product <id>', 'Only this canonical product')
    .option('--platform <id>', 'Only this platform')
    .option('--modality <name>', 'Only this modality')
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .onDatabase(async ({ db }, options: ListOptions & { modality?: string }) => {
      const { vendor, product, platform, modality, limit } = options
      const { rows } = await listPrices(
        db,
        { vendor, product, platform, modality },
        { cursor: null, limit: limit + 1 },
      )
      const empty = 'No prices match. "ratecard prices import --source genai-prices" loads some.'
      printCut(cutAt(rows.map(withId), limit, listMax), options, empty, [
        ...priceColumns,
        ['updated (UTC)', (row) => shortTime(row.updated_at)],
      ])
    })

  prices
    .command('history')
    .description('Show every state in which a price was served, the latest first')
    .argument('<resource-id>', 'The price, as "prices list" names it')
    .onDatabase(async ({ db }, resourceId: string, options: OutputOptions) => {
      const versions = await listVersions(db, resourceId, await listGivenDays(db))
      if (versions.length === 0) throw await unknownPrice(db, resourceId)
      if (options.json) return print(versions.map(withId), options, () => '')
      printList(historyLines(versions), options, '', historyColumns)
    })

  prices
    .command('as-of')
    .description('Show the prices that held on a day, by what is known now')
    .argument('<date>', 'A day in UTC, for its end, or a time', momentArgument)
    .option('--known-at <time>', 'By what was known then, for example when a bill was checked', timeArgument)
    .option('--vendor <id>', 'Only this vendor')
    .option('--product <id>', 'Only this canonical product')
    .option('--platform <id>', 'Only this platform')
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .notes(
      `
A price holds from the day that its source or a published change gives, else from when it was first seen, by the clock
of the run. Of two that had begun, the one learned last counts. A day to come has the prices announced for it. A price
that nothing is known of for that day is left out.

Examples:
  ratecard prices as-of 2026-07-01 --platform openai
  ratecard prices as-of 2026-07-01 --known-at 2026-07-02   # what a bill of that day was made with`,
    )
    .onDatabase(async ({ db }, at: string, options: ListOptions & { knownAt?: string }) => {
      const { vendor, product, platform, limit, knownAt = null } = options
      const filter = { at, knownAt, given: await listGivenDays(db), vendor, product, platform }
      const versions = await listPricesAsOf(db, filter, limit + 1)
      printCut(cutAt(versions.map(withId), limit, listMax), options, 'No price is known for that day.', [
        ...priceColumns,
        ['holds from', describeBeginning],
        'source',
      ])
    })

  addPricesShow(prices)
  addPricesExport(prices)
}

function withId<Row extends { resource_id: string }>(row: Row): Row & { id: string } {
  return { id: row.resource_id, ...row }
}
