import { formatAge, formatCount } from '@ratecard/contract/wording'
import { Option } from 'commander'
import type { Db } from '../database/connect.ts'
import { movedColumns } from '../ingest/amounts.ts'
import { readFloods, type Flood } from '../ingest/review/floods.ts'
import { readRefusals, type ShutOutSource } from '../ingest/review/refusals.ts'
import { reasonText } from '../ingest/review/review-words.ts'
import { acceptHolds, listHolds, rejectHolds, type StoredHold } from '../ingest/review/review.ts'
import { UserError } from '../platform/user-error.ts'
import { withAlerts, type OperatorCommand } from './command.ts'
import { addReportCommands } from './feed-reports.ts'
import { addReviewShowCommand } from './feed-review-show.ts'
import { print, shortTime, formatTable, type Column, type OutputOptions } from './output.ts'
import { changeSection, holdDocument, moveColumns, moveLines, type MoveLine } from './run-report.ts'

type HoldState = StoredHold['state']

const holdStates: readonly HoldState[] = ['open', 'accepted', 'rejected', 'confirmed', 'withdrawn']

/** Of more moves a table shows how many there are of each source and reason. */
const listedMax = 30

/** `feed review`: held moves, sources that are shut out, and a person's decisions on them. */
export function addReviewCommands(feed: OperatorCommand): void {
  const review = feed
    .command('review')
    .description(
      'What waits for a person: sources that are not taken in, and price moves to accept or reject',
    ).notes(`
A held move is not served: the last accepted price stays until it is accepted here, or a second independent
source says the same. A source whose last run was refused, or that cannot be reached, is not taken in: what it said
last is served. "feed review" alone lists what waits, "feed review show ID" shows the evidence for one.
Operators who are named in OPERATOR_EMAILS do the same in the dashboard.`)

  review
    .command('list', { isDefault: true })
    .description('List sources that are not taken in, and held moves, the oldest first')
    .addOption(new Option('--state <state>', 'Those in this state').choices(holdStates).default('open'))
    .option('--source <name>', 'Only of this source')
    .option('--run <run-id>', 'Only those that this run held')
    .option('--all', `Each move, also of more than ${listedMax}`)
    .notes('\nWith --json each move is listed.')
    .onDatabase(async ({ db }, options: OutputOptions & ListOptions) => {
      const { state, source, run: runId, all = false } = options
      const holds = await listHolds(db, {
        state,
        ...(source !== undefined && { source }),
        ...(runId !== undefined && { runId }),
      })
      const isWaiting = state === 'open' && runId === undefined
      const refusals = (isWaiting ? await readRefusals(db) : []).filter(
        (refusal) => source === undefined || refusal.source === source,
      )
      const floods = (isWaiting ? await readFloods(db) : []).filter(
        (flood) => source === undefined || flood.source === source,
      )
      const document = {
        refusals: refusals.map(withCommand),
        floods: floods.map((flood) => ({ ...flood, command: acceptCommand(flood) })),
        ...{ rows: holds.map(holdDocument), cut: null },
      }
      print(document, options, () =>
        [
          ...refusalLines(refusals),
          ...floods.map(floodLine),
          holds.length === 0 ? emptyText(state) : holdText(holds, all),
        ].join('\n\n'),
      )
    })

  addReviewShowCommand(review)
  addReportCommands(review)

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
    .notes(
      `
Examples:
  ratecard feed review accept hold_…                  # the vendor did that: a price move, alerted
  ratecard feed review accept --run run_… --as correction --note "the source mended its unit"`,
    )
    .onDatabase(
      async (
        context,
        ids: string[],
        options: OutputOptions & { run?: string; as: 'move' | 'correction'; note?: string; alert: boolean },
      ) => {
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
      },
    )

  review
    .command('reject')
    .description('Keep the accepted prices. The same amounts are not held again')
    .argument('[hold-ids...]', 'The moves, as "feed review" names them')
    .option('--run <run-id>', 'All that this run held')
    .requiredOption('--reason <text>', 'Why, for the record')
    .onDatabase(async ({ db }, ids: string[], options: OutputOptions & { run?: string; reason: string }) => {
      const chosen = await chooseHolds(db, ids, options.run)
      const holds = await rejectHolds(db, chosen, { reason: options.reason })
      print({ rejected: holds.map(holdDocument) }, options, () => `${holds.length} rejected.`)
    })
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

interface ListOptions {
  state: HoldState
  source?: string
  run?: string
  all?: boolean
}

/** The sources that are shut out as a table, and below it what to do about each. */
function refusalLines(refusals: readonly ShutOutSource[]): string[] {
  if (refusals.length === 0) return []
  return [
    formatTable(refusals, [
      ['not taken in', 'source'],
      'outcome',
      ['since (UTC)', ({ since }) => shortTime(since)],
      'runs',
      ['taken in last (UTC)', ({ loaded_at: loadedAt }) => shortTime(loadedAt)],
      'version',
      ['why', 'message'],
    ]),
    refusals
      .map(withCommand)
      .map(({ source, to_do: toDo, command }) => `${source}: ${toDo}\n  ${command}`)
      .join('\n'),
  ]
}

function withCommand(refusal: ShutOutSource): ShutOutSource & { command: string } {
  const option = refusal.remedy === 'accept_file' ? ' --accept-file' : ''
  return { ...refusal, command: `ratecard feed run ${refusal.source} --file PATH${option}` }
}

function floodLine(flood: Flood): string {
  const { source, rows, since, example } = flood
  return `${source}: ${formatCount(rows, 'new row')} wait since ${shortTime(since)} (UTC), such as ${example}. ${reasonText('flood')}\n  ${acceptCommand(flood)}`
}

function acceptCommand({ source }: Flood): string {
  return `ratecard feed run ${source} --file PATH --accept-file`
}

function holdText(holds: readonly StoredHold[], all: boolean): string {
  if (all || holds.length <= listedMax) return formatTable(holds.flatMap(toLines), lineColumns)
  const groups = [...Map.groupBy(holds, ({ source, reason }) => `${source}\n${reason}`).values()]
  const table = formatTable(
    groups.sort((a, b) => b.length - a.length),
    groupColumns,
  )
  return `${table}\n\n${holds.length} price moves: --all lists each, --source NAME those of a source.`
}

const groupColumns: readonly Column<StoredHold[]>[] = [
  ['source', ([first]) => first?.source],
  ['reason', ([first]) => first?.reason],
  ['moves', 'length'],
  ['oldest since (UTC)', ([first]) => shortTime(first?.firstSeen ?? null)],
  ['such as', ([first]) => first?.resource_id],
]

interface HoldLine extends MoveLine {
  hold: StoredHold
}

const lineColumns: readonly Column<HoldLine>[] = [
  ['hold', ({ hold }) => hold.id],
  ['run', ({ hold }) => hold.run_id],
  ['source', ({ hold }) => hold.source],
  ['resource', 'id'],
  ['reason', ({ hold }) => hold.reason],
  ...moveColumns,
  ['since (UTC)', ({ hold }) => shortTime(hold.firstSeen)],
  ['age', ({ hold }) => formatWait(hold.firstSeen, hold.decided_at)],
  ['note', ({ hold: { note, decided_by: by } }) => (by === null ? note : `${note ?? ''} (${by})`)],
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
function formatWait(firstSeen: string, decidedAt: string | null): string {
  const end = decidedAt === null ? Date.now() : Date.parse(decidedAt)
  return formatAge(Math.max(0, end - Date.parse(firstSeen)))
}

function emptyText(state: HoldState): string {
  return state === 'open' ? 'No price move waits for a review.' : `No price move is ${state}.`
}
