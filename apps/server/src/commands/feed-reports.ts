import { formatAmount } from '@ratecard/contract/wording'
import { closeReport, listReports } from '../features/price-reports/report-store.ts'
import type { OperatorCommand } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

/** `feed review reports` and `close`: prices that readers of the public pages say are wrong. */
export function addReportCommands(review: OperatorCommand): void {
  review
    .command('reports')
    .description('List prices that readers of the public pages say are wrong, the most often reported first')
    .onDatabase(async ({ db }, options: OutputOptions) =>
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
    )

  review
    .command('close')
    .description('Close reports of readers: looked into, whatever came of it')
    .argument('<report-ids...>', 'The reports, as "feed review reports" names them')
    .onDatabase(async ({ db }, ids: string[], options: OutputOptions) => {
      for (const id of ids) await closeReport(db, id)
      print({ closed: ids }, options, () => `${ids.length} closed.`)
    })
}
