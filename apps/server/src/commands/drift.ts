import { formatMove } from '@ratecard/contract/wording'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { DriftReport } from '../drift/compare.ts'
import { findDrift } from '../drift/find-drift.ts'
import { tableFormats, type TableFormat } from '../drift/read-table.ts'
import { UserError } from '../platform/user-error.ts'
import { withDatabase, type CommandGroup } from './command.ts'
import { print, formatRow, type OutputOptions } from './output.ts'
import { section } from './run-report.ts'

export const driftCommands: CommandGroup = (program) => {
  program
    .command('drift')
    .description('Compare a table of prices that is kept elsewhere with those that are served now')
    .argument('<file>', "LiteLLM's map, a snapshot (JSON or CSV), or own prices; also packed with gzip")
    .addOption(new Option('--format <name>', 'Of the file; default: by its content').choices(tableFormats))
    .notes(
      `
Amounts differ when they are more than 0.5 % apart. Rows about models that are not served are listed as unknown: they
are not wrong. What the file or the service does not state is not compared.

Exit codes: 0 nothing is wrong, 1 an amount is wrong, 2 nothing was compared.

Example, for a job that runs every day:
  ratecard feed refresh && ratecard drift src/model_prices.json`,
    )
    .action(async (file: string, options: OutputOptions & { format?: TableFormat }) => {
      const report = await withDatabase(({ db, config }) =>
        findDrift(db, {
          path: resolve(config.workingDirectory, file),
          format: options.format ?? null,
          now: new Date(),
        }),
      ).catch((error: unknown) => {
        // 1 says that a price is wrong.
        throw error instanceof UserError ? new UserError(error.message, { exitCode: 2, cause: error }) : error
      })
      print(report, options, () => driftText(report))
      if (report.wrong.length > 0) process.exitCode = 1
    })
}

function driftText({ format, compared, amounts, wrong, unknown, unread }: DriftReport): string {
  const counts = {
    format,
    compared,
    amounts,
    wrong: wrong.length,
    unknown: unknown.length,
    'not read': unread.length,
  }
  return [
    formatRow(counts),
    ...section('wrong', wrong, [
      ['wrong', () => 'wrong'],
      'row',
      ['price', 'resource_id'],
      'field',
      ['in the file', 'in_file'],
      'served',
      ['off by', (line) => formatMove(line.served, line.in_file)],
    ]),
    ...section('unknown', unknown, [['unknown', () => 'unknown'], 'row', ['read as', 'resource_id']]),
    ...section('not read', unread, [['not read', () => 'not read'], ['row', 'id'], 'reason']),
  ].join('\n\n')
}
