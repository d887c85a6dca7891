import { connectAsOwner } from '../database-server.ts'
import { isDatabaseUnavailable, type Db } from '../database/connect.ts'
import { listUnmarkedKeys } from '../features/accounts/api-key-store.ts'
import { HasOwnFeed, joinHub, leaveHub, requireJoiner } from '../features/cells/cell.ts'
import { dropSlotsOf, publishFeed } from '../features/cells/hub.ts'
import { markForm } from '../features/cells/names.ts'
import { readCellStatus } from '../features/cells/status.ts'
import { readHubUrl } from '../platform/config.ts'
import { UserError } from '../platform/user-error.ts'
import { bringUpToDate } from '../schema.ts'
import { connectElsewhere, requireAnswer } from './cells-database.ts'
import { addCellMove } from './cells-move.ts'
import { addCellRoutes } from './cells-routes.ts'
import { writeAdvice, statusText } from './cells-status.ts'
import { say, type CommandGroup, type WorkContext } from './command.ts'
import { print, writeOut, type OutputOptions } from './output.ts'

export const cellCommands: CommandGroup = (program) => {
  const cells = program
    .command('cells')
    .description(
      'Several databases that serve one installation: a hub with the prices, and cells that follow it',
    ).notes(`
"join", "status" and "leave" find the hub in CELL_HUB_URL, or in the file that CELL_HUB_URL_FILE names: the URL of its
database as PostgreSQL reaches it from here, with the password of the role. No server reads it.`)

  cells
    .command('publish')
    .description('Make this database a hub: let cells follow its prices and changes')
    .option('--role <name>', 'As whom cells sign in to this database', 'ratecard_cells')
    .notes(
      `
Needs wal_level=logical, and a role that a superuser has made: create role ratecard_cells login replication password '…'
Running it again changes nothing, or adds the tables of a newer release. With CELL_MARK new keys of the hub have a
mark, too.`,
    )
    .onDatabase((context, options: OutputOptions & { role: string }) =>
      asOwner(context, async (owner) => {
        const mark = context.config.CELL_MARK ?? null
        const { warnings } = await publishFeed(owner, { role: options.role, mark })
        for (const warning of warnings) say(`Warning: ${warning}`)
        print({ role: options.role, mark, warnings }, options, () =>
          [
            `Cells may follow this database as the role ${options.role}.`,
            'In each cell: set CELL_MARK and CELL_HUB_URL, and run "ratecard cells join".',
          ].join('\n'),
        )
      }),
    )

  cells
    .command('join')
    .description(
      'Make this database a cell: fetch the prices and changes of the hub, and follow them from now on',
    )
    .option('--replace', 'Delete the prices and changes that this database has of its own')
    .notes(
      `
CELL_MARK names the cell, CELL_HUB_URL its hub. The role of DATABASE_OWNER_URL, else of DATABASE_URL, makes a
subscription: a superuser, or from PostgreSQL 16 on a role with pg_create_subscription. Migrate first, as the role that
owns the database. Run it before the servers of the
cell are started. Interrupted, it goes on when it is run again; so does a cell that was away for too long.`,
    )
    .onDatabaseAsItIs((context, options: OutputOptions & { replace?: boolean }) =>
      asOwner(context, (owner) =>
        withHub(async (hub, hubUrl) => {
          const { CELL_MARK: mark } = context.config
          if (mark === undefined)
            throw new UserError(
              'CELL_MARK is not set. Set it to two characters that no other cell has, such as a1.',
            )
          await requireJoiner(owner)
          await bringUpToDate(context.databaseServer, context.db, context.config)
          const joined = await joinHub(owner, {
            mark,
            hub,
            hubUrl,
            replace: options.replace ?? false,
            say,
          }).catch(explainOwn)
          print(joined, options, () =>
            [
              `This database is the cell "${mark}". Its keys begin with rc_live_${mark}.`,
              joined.again
                ? 'It was one before: what was announced meanwhile is sent by its workers.'
                : 'Start its servers and workers, and route its keys to them: "ratecard cells routes".',
            ].join('\n'),
          )
        }),
      ),
    )

  cells
    .command('status')
    .description(
      'Show where this database stands: the cells of a hub, or how far a cell is behind, and what to do',
    )
    .onDatabaseAsItIs(async ({ db }, options: OutputOptions) => {
      await using hub = openHub()
      const status = await readStatus(db, hub)
      const advice = writeAdvice(status, { asksHub: hub !== null })
      print({ ...(status ?? { role: 'none' }), advice }, options, () => statusText(status, advice))
    })

  cells
    .command('leave')
    .description('End being a cell; or at a hub, end the place of a cell that is gone for good')
    .argument('[mark]', 'At a hub: the cell')
    .notes(
      `
A database that was a cell keeps its prices, its keys and their mark, and reads sources itself when its workers start
again. It can be a hub then.`,
    )
    .onDatabase((context, mark: string | undefined, options: OutputOptions) =>
      asOwner(context, async (owner) => {
        if (mark !== undefined) {
          if (!markForm.test(mark))
            throw new UserError(`"${mark}" is no mark: give two characters such as a1.`, { exitCode: 2 })
          const slots = await dropSlotsOf(owner, mark)
          return print(
            { mark, dropped: slots },
            options,
            () => `The cell "${mark}" has no place here any more.`,
          )
        }
        await using hub = openHub()
        const { slot } = await leaveHub(owner, hub).catch(async (error: unknown) => {
          if (hub === null || !isDatabaseUnavailable(error)) throw error
          return leaveHub(owner, null)
        })
        print({ slot_at_hub: slot }, options, () =>
          slot === null
            ? 'This database is no cell any more.'
            : `This database is no cell any more. The hub still keeps its log for it: there, run "ratecard cells leave MARK", which drops the slot ${slot}.`,
        )
      }),
    )

  addCellMove(cells)
  addCellRoutes(cells)

  cells
    .command('unmarked-keys')
    .description('Write the hashes of the keys without a mark to stdout, for HAProxy: they stay at home')
    .onDatabase(async ({ db }, options: OutputOptions) => {
      if (options.json) {
        const hashes: string[] = []
        for await (const some of listUnmarkedKeys(db)) hashes.push(...some)
        return print(hashes, options, () => '')
      }
      await writeOut(lines(listUnmarkedKeys(db)))
    })
}

async function* lines(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((line) => `${line}\n`).join('')
}

async function asOwner<T>({ databaseServer }: WorkContext, work: (owner: Db) => Promise<T>): Promise<T> {
  await using owner = connectAsOwner(databaseServer)
  return await work(owner)
}

/** Null: this command does not ask the hub. */
function openHub(): Db | null {
  const url = readHubUrl()
  return url === undefined ? null : connectElsewhere(url)
}

/** The hub's failures are told apart from our own: "the database" would be ours. */
async function withHub<T>(work: (hub: Db, url: string) => Promise<T>): Promise<T> {
  const url = readHubUrl()
  if (url === undefined)
    throw new UserError(
      'CELL_HUB_URL is not set. Set it to the database of the hub, with the role that was named when the hub was published.',
    )
  await using hub = connectElsewhere(url)
  await requireAnswer(hub, 'The hub of CELL_HUB_URL')
  return await work(hub, url)
}

/** What stands here is named by the feature; the option that helps is the command's. */
function explainOwn(error: unknown): never {
  if (error instanceof HasOwnFeed)
    throw new UserError(`${error.message} To delete them: --replace.`, { cause: error })
  throw error
}

async function readStatus(db: Db, hub: Db | null) {
  if (hub === null) return readCellStatus(db, null)
  try {
    await requireAnswer(hub, 'The hub of CELL_HUB_URL')
  } catch {
    return readCellStatus(db, null)
  }
  return readCellStatus(db, hub)
}
