import { formatAmount } from '@ratecard/contract/wording'
import type { Command } from 'commander'
import { closeReport, listReports } from '../features/price-reports/report-store.ts'
import { withDatabase } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

/** `feed review reports` and `close`: prices that readers of the public pages say are wrong. */
export function addReportCommands(review: Command): void {
  review
    .command('reports')
    .description('List prices that readers of the public pages say are wrong, the most often reported first')
    .action((options: OutputOptions) =>
      withDatabase(async ({ db }) =>
        printList(await listReports(db), options, 'No reader says that a price is wrong.', [
          ['report', 'id'],
          ['resource', 'resource_id'],
          ['input', ({ input_per_mtok: input, currency }) => formatAmount(input, currency)],
          ['output', ({ output_per_mtok: output, currency }) => formatAmount(output, currency)],
          ['should be', 'should_be'],
          ['says', 'source_url'],
          'times',
          ['last (UTC)', ({ last_at: at }) => shortTime(at)],
          ['by', 'email'],
        ]),
      ),
    )

  review
    .command('close')
    .description('Close reports of readers: looked into, whatever came of it')
    .argument('<report-ids...>', 'The reports, as "feed review reports" names them')
    .action((ids: string[], options: OutputOptions) =>
      withDatabase(async ({ db }) => {
        for (const id of ids) await closeReport(db, id)
        print({ closed: ids }, options, () => `${ids.length} closed.`)
      }),
    )
}
