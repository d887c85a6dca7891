import { InvalidArgumentError, Option } from 'commander'
import { getKeyRecord } from '../features/metering/key-record-store.ts'
import { countLines, listRequests, sumRequests } from '../features/metering/request-report-store.ts'
import { countArgument } from './arguments.ts'
import type { AccountOptions, CommandGroup } from './command.ts'
import { cutAt, print, shortTime, formatTable } from './output.ts'

const linesMax = 1_000
const operations = ['listPrices', 'listChanges', 'listWebhooks', 'createWebhook', 'deleteWebhook', 'getUsage']

function statusArgument(text: string): string {
  if (!/^(served|refused|failed|[1-5]\d\d)$/.test(text))
    throw new InvalidArgumentError('Give served, refused, failed, or an HTTP status such as 429.')
  return text
}

interface RequestOptions extends AccountOptions {
  status?: string
  operation?: string
  key?: string
  limit: number
}

export const requestCommands: CommandGroup = (program) => {
  program
    .command('requests')
    .description("Show an account's request log: what its programs asked lately, and what was refused")
    .requiredOption('--account <id>', 'Account to look at')
    .option('--status <status>', 'served, refused, failed, or an HTTP status such as 429', statusArgument)
    .addOption(new Option('--operation <id>', 'Only this operation').choices(operations))
    .option('--key <id>', 'Only this key')
    .option('--limit <count>', `Most requests to list, up to ${linesMax}`, countArgument(linesMax), 50)
    .notes(
      `
The log reaches back REQUEST_RETENTION_DAYS days. Of very many requests that are alike some are listed, and all are counted.`,
    )
    .onAccount(async ({ db, config, accountId }, options: RequestOptions) => {
      const days = config.REQUEST_RETENTION_DAYS
      const { status, operation, key: keyId, limit } = options
      if (keyId !== undefined) await getKeyRecord(db, accountId, keyId)
      const filter = { status, operation, keyId }
      const [lines, outcomes, listed] = await Promise.all([
        listRequests(db, accountId, filter, { cursor: null, limit: limit + 1 }),
        sumRequests(db, accountId, filter, { days }),
        countLines(db, accountId, filter),
      ])
      const total = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0)
      const { rows: requests, cut } = cutAt(lines, limit, linesMax)
      const result = { id: accountId, days, total, listed, outcomes, requests, cut }
      print(result, options, () =>
        total === 0
          ? `No such requests in the last ${days} days.`
          : [
              `${total} in the last ${days} days, of which ${listed} are listed; here are the newest.`,
              formatTable(outcomes, ['status', 'error', 'requests']),
              formatTable(requests, [
                ['time (UTC)', ({ at }) => shortTime(at)],
                'status',
                'error',
                ['request', 'target'],
                ['key', 'key_id'],
                ['ms', 'duration_ms'],
                'id',
              ]),
            ].join('\n\n'),
      )
    })
}
