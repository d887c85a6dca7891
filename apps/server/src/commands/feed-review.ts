import { Option, type Command } from 'commander'
import type { Db } from '../database/connect.ts'
import { movedColumns } from '../feed/amounts.ts'
import { acceptHolds, listHolds, rejectHolds, type StoredHold } from '../feed/review.ts'
import { UserError } from '../platform/user-error.ts'
import { withAlerts, withDatabase } from './command.ts'
import { addReviewShowCommand } from './feed-review-show.ts'
import { print, printList, shortTime, type Column, type OutputOptions } from './output.ts'
import { changeSection, holdDocument, moveColumns, moveLines, type MoveLine } from './run-report.ts'

type HoldState = StoredHold['state']

const holdStates: readonly HoldState[] = ['open', 'accepted', 'rejected', 'confirmed', 'withdrawn']

/** `feed review`: held moves, and a person's decisions on them. */
export function addReviewCommands(feed: Command): void {
  const review = feed
    .command('review')
    .description('Price moves that wait for a person: list, accept, reject')
    .addHelpText(
      'after',
      `
A held move is not served: the last accepted price stays until it is accepted here, or a second independent
source says the same. "feed review" alone lists what waits, "feed review show ID" shows the evidence for one.
Operators who are named in OPERATOR_EMAILS do the same in the dashboard.`,
    )

  review
    .command('list', { isDefault: true })
    .description('List held moves, the oldest first')
    .addOption(new Option('--state <state>', 'Those in this state').choices(holdStates).default('open'))
    .option('--source <name>', 'Only of this source')
    .option('--run <run-id>', 'Only those that this run held')
    .action((options: OutputOptions & { state: HoldState; source?: string; run?: string }) =>
      withDatabase(async ({ db }) => {
        const { state, source, run: runId } = options
        const holds = await listHolds(db, {
          state,
          ...(source !== undefined && { source }),
          ...(runId !== undefined && { runId }),
        })
        if (options.json) print(holds.map(holdDocument), options, () => '')
        else printList(holds.flatMap(toLines), options, emptyText(state), lineColumns)
      }),
    )

  addReviewShowCommand(review)

  review
    .command('accept')
    .description('Serve held moves from now on')
    .argument('[hold-ids...]', 'The moves, as "feed review" names them')
    .option('--run <run-id>', 'All that this run held')
    .addOption(
      new Option('--as <kind>', 'Tell them as the moves they are, or as corrections, which are never alerted')
        .choices(['move', 'correction'])
        .default('move'),
    )
    .option('--note <text>', 'Why, for the record')
    .option('--no-alert', 'Publish, and tell no webhook')
    .addHelpText(
      'after',
      `
Examples:
  ratecard feed review accept hold_…                  # the vendor did that: a price move, alerted
  ratecard feed review accept --run run_… --as correction --note "the source mended its unit"`,
    )
    .action(
      (
        ids: string[],
        options: OutputOptions & { run?: string; as: 'move' | 'correction'; note?: string; alert: boolean },
      ) =>
        withDatabase(async (context) => {
          const { db, config } = context
          const chosen = await chooseHolds(db, ids, options.run)
          const { holds, changes, deliveries } = await withAlerts(
            context,
            { alert: options.alert && options.as === 'move', severityMin: config.ALERT_MIN_SEVERITY },
            (alerts) => acceptHolds(db, chosen, { as: options.as, note: options.note ?? null, alerts }),
          )
          print({ accepted: holds.map(holdDocument), changes, deliveries }, options, () =>
            [`${holds.length} accepted.`, ...changeSection({ changes, deliveries })].join('\n\n'),
          )
        }),
    )

  review
    .command('reject')
    .description('Keep the accepted prices. The same amounts are not held again')
    .argument('[hold-ids...]', 'The moves, as "feed review" names them')
    .option('--run <run-id>', 'All that this run held')
    .requiredOption('--reason <text>', 'Why, for the record')
    .action((ids: string[], options: OutputOptions & { run?: string; reason: string }) =>
      withDatabase(async ({ db }) => {
        const chosen = await chooseHolds(db, ids, options.run)
        const holds = await rejectHolds(db, chosen, { reason: options.reason })
        print({ rejected: holds.map(holdDocument) }, options, () => `${holds.length} rejected.`)
      }),
    )
}

/** The named holds, or all open ones of a run. */
async function chooseHolds(db: Db, ids: readonly string[], runId: string | undefined): Promise<string[]> {
  if ((ids.length === 0) === (runId === undefined)) {
    throw new UserError('Name the held moves, or the run that held them: --run RUN_ID.', { exitCode: 2 })
  }
  if (runId === undefined) return [...new Set(ids)]
  const holds = await listHolds(db, { runId, state: 'open' })
  if (holds.length > 0) return holds.map(({ id }) => id)
  throw new UserError(
    `Nothing that the run "${runId}" held is waiting: ratecard feed review lists what does.`,
  )
}

interface HoldLine extends MoveLine {
  hold: StoredHold
}

const lineColumns: readonly Column<HoldLine>[] = [
  ['hold', ({ hold }) => hold.id],
  ['run', ({ hold }) => hold.runId],
  ['source', ({ hold }) => hold.source],
  ['resource', 'id'],
  ['reason', ({ hold }) => hold.reason],
  ...moveColumns,
  ['since (UTC)', ({ hold }) => shortTime(hold.firstSeen)],
  ['age', ({ hold }) => ageOf(hold.firstSeen, hold.decidedAt)],
  ['note', ({ hold: { note, decidedBy } }) => (decidedBy === null ? note : `${note ?? ''} (${decidedBy})`)],
]

function toLines(hold: StoredHold): HoldLine[] {
  const { resource_id, before, after } = hold
  const columns = movedColumns(before, after)
  // What waits may be the rates beside the amounts.
  return moveLines(resource_id, columns.length > 0 ? columns : ['rates'], before, after).map((line) => ({
    ...line,
    hold,
  }))
}

/** How long it has waited, or waited before it was decided. */
function ageOf(firstSeen: string, decidedAt: string | null): string {
  const end = decidedAt === null ? Date.now() : Date.parse(decidedAt)
  const hours = Math.max(0, Math.floor((end - Date.parse(firstSeen)) / 3_600_000))
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

function emptyText(state: HoldState): string {
  return state === 'open' ? 'No price move waits for a review.' : `No price move is ${state}.`
}
