import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { computeJobTimeout } from '../queue/job-types.ts'
import type { DatabaseServer } from '../database-server.ts'
import { moveAccount, undoMove } from '../features/cells/move-account.ts'
import { publicUrl, type Config } from '../platform/config.ts'
import { readDatabaseUrl } from '../platform/database-url.ts'
import { UserError, whyUnreadable } from '../platform/user-error.ts'
import { connectElsewhere, requireAnswer } from './cells-database.ts'
import { say, withQueue, type OperatorCommand } from './command.ts'
import { print, type OutputOptions } from './output.ts'

interface MoveCommandOptions extends OutputOptions {
  to: string
  database: string
  undo?: boolean
}

export function addCellMove(cells: OperatorCommand): void {
  cells
    .command('move')
    .description('Move an account to another cell, with all that it has: its keys, counters and secrets stay')
    .argument('<account-id>', 'The account, as "accounts list" names it')
    .requiredOption('--to <cell>', 'The mark of the cell that gets it, or home')
    .requiredOption(
      '--database <file>',
      'A file with the URL of that cell’s database, as its servers use it; - reads it from stdin',
    )
    .option('--undo', 'Take a move back that was interrupted')
    .notes(
      `
Run it where the account is, with the settings of a server there. Both databases have the same release and the same
SECRETS_KEY. For about a second, and while its rows are copied, requests of the account are answered with 503 and
Retry-After; its alerts wait, and nobody else is stopped. Interrupted at any step, it goes on when it is run again, and
until the last step but one it can be undone.

People sign in anew at the host of the other cell (CELL_HOSTS); who has a user with that address there goes on as that
one. Keys keep their mark: proxies lead them on (docs/cells.md).

Example:
  ratecard cells move acct_8fKq2 --to a1 --database /run/secrets/a1-database-url`,
    )
    .onDatabase(async (context, accountId: string, options: MoveCommandOptions) => {
      const { config, db: from } = context
      const { to: cell } = options
      const connectionString = await readUrl(config, options.database)
      await using to = connectElsewhere(connectionString)
      await requireAnswer(to, 'The database of --database')
      if (options.undo) {
        await undoMove({ accountId, cell, from, to })
        return print({ account_id: accountId, undone: true }, options, () => 'The account stays here.')
      }
      const moved = await withQueue({ config, databaseServer: databaseAt(connectionString) }, async (queue) =>
        moveAccount({
          accountId,
          cell,
          from,
          to,
          fanOut: { queue, publicUrl: findCellUrl(config, cell) },
          secrets: await context.openSecrets(),
          attemptMs: computeJobTimeout(config) * 1_000,
          say,
        }),
      )
      print(moved, options, () =>
        [
          `The account is in the cell "${cell}".`,
          moved.stopped_ms === null
            ? ''
            : ` Nobody served it for ${(moved.stopped_ms / 1_000).toFixed(1)} s.`,
        ].join(''),
      )
    })
}

async function readUrl(config: Config, file: string): Promise<string> {
  const path = resolve(config.workingDirectory, file)
  const read = file === '-' ? text(process.stdin) : readFile(path, 'utf8')
  const url = (
    await read.catch((cause: unknown) => {
      throw new UserError(`Cannot read ${path}: ${whyUnreadable(cause)}.`, { cause })
    })
  ).trim()
  // Never the text itself: a password stands in it.
  if (readDatabaseUrl(url) === null)
    throw new UserError(
      `What stands in ${file} is no URL such as postgres://user:password@host:5432/database.`,
      {
        exitCode: 2,
      },
    )
  return url
}

/** Where links in alerts lead that the account was to be told meanwhile. */
function findCellUrl(config: Config, cell: string): string {
  return config.CELL_HOSTS.find(({ mark }) => mark === cell)?.url ?? publicUrl(config, config.PORT)
}

function databaseAt(connectionString: string): DatabaseServer {
  const nothing = () => Promise.resolve()
  return { connectionString, embedded: null, revive: nothing, close: nothing }
}
