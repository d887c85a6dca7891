import { Option, type Command } from 'commander'
import { feedPolicy } from '../feed/policy.ts'
import { scoreOf, type Score, type ScoreCell } from '../feed/score.ts'
import { proposePrecedence, type PrecedenceProposal } from '../feed/score-precedence.ts'
import { readScores } from '../feed/score-store.ts'
import { timeArgument } from './arguments.ts'
import { withDatabase } from './command.ts'
import { print, shortTime, tableOf, type Column, type OutputOptions } from './output.ts'

type Grouping = 'source' | 'platform' | 'column'

const groupings: readonly Grouping[] = ['source', 'platform', 'column']
const { days, judgedMin } = feedPolicy.scores
const { returnDays } = feedPolicy.guards

export function addScoresCommand(feed: Command): void {
  feed
    .command('scores')
    .description('Show how right each source was, and the precedence that follows from it')
    .addOption(
      new Option('--by <what>', 'A line per source, per source and platform, or per source and column')
        .choices(groupings)
        .default('source'),
    )
    .option('--since <time>', `Count moves and holds since then; default: ${days} days ago`, timeArgument)
    .addHelpText(
      'after',
      `
right      the share that turned out right, of the amounts and moves that the evidence decides. An amount is right when
           most of two or more independent sources state it, wrong when they state another, or when the operator or the
           platform's own list does. A move is right when a person accepted it, or an independent source made it too or
           states its amount later; wrong when it was rejected, taken back, or leads to a wrong amount. All else is not
           decided, and does not count. Below ${judgedMin} decided ones it says "too few".
stated     amounts that it states now of what is served
agree      of those that an independent source states too, the ones on which one agrees
outvoted   amounts that two or more agreeing independent sources deny
moves      amounts that it moved, without those that take back a move of its own
reversed   moves that it took back within ${returnDays} days
held       amounts that waited or wait; then those that a person rejected, that it withdrew, that were confirmed
late       moves that an independent source had made before, and the median of the days between
first      moves that an independent source made after it

The second table has the platforms and columns where the scores propose another precedence. A source goes before
another only where its share is higher by more than chance explains. Nothing is applied.

Examples:
  ratecard feed scores
  ratecard feed scores --by platform --since 2026-06-01
  ratecard feed scores --json | jq '.precedence[] | select(.platform == "bedrock")'`,
    )
    .action((options: OutputOptions & { by: Grouping; since?: string }) =>
      withDatabase(async ({ db }) => {
        const { since, until, cells } = await readScores(db, options.since)
        const scores = scoresBy(cells, options.by)
        const precedence = proposePrecedence(cells, feedPolicy)
        print({ since, until, by: options.by, scores, precedence }, options, () =>
          scores.length === 0
            ? 'No source has been read: ratecard feed refresh'
            : [
                tableOf(scores, columnsBy[options.by]),
                `Moves and holds since ${shortTime(since)} UTC; amounts as they are stated now.`,
                ...precedenceText(precedence),
              ].join('\n\n'),
        )
      }),
    )
}

/** The share that turned out right, of how many; `too few (3)` where that says nothing. */
export function rightText({ right_share: share, judged }: Pick<Score, 'right_share' | 'judged'>): string {
  if (judged === 0) return 'unknown'
  return share === null ? `too few (${judged})` : `${percent(share)} of ${judged}`
}

type ScoreLine = Score & { source: string; platform?: string | null; column?: string }

function scoresBy(cells: readonly ScoreCell[], by: Grouping): ScoreLine[] {
  const lines = [
    ...Map.groupBy(cells, (cell) => JSON.stringify([cell.source, by === 'source' ? null : cell[by]])),
  ].map(([, own]): ScoreLine => {
    const { source, platform, column } = own[0]!
    return {
      source,
      ...(by === 'platform' && { platform }),
      ...(by === 'column' && { column }),
      ...scoreOf(own, feedPolicy),
    }
  })
  const keyOf = ({ platform, column, source }: ScoreLine) => [platform ?? column ?? '', source].join('\n')
  return lines.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const scoreColumns: readonly Column<ScoreLine>[] = [
  ['right', rightText],
  ['stated', 'stated'],
  ['agree', ({ agreed, witnessed }) => (witnessed === 0 ? null : `${agreed} of ${witnessed}`)],
  ['outvoted', 'outvoted'],
  ['moves', 'moves'],
  ['reversed', 'reversed'],
  ['held', 'held'],
  ['rejected', ({ held_by_state }) => held_by_state.rejected],
  ['withdrawn', ({ held_by_state }) => held_by_state.withdrawn],
  ['confirmed', ({ held_by_state }) => held_by_state.confirmed],
  ['late', 'late'],
  ['days behind', 'days_behind'],
  ['first', 'first'],
]

const columnsBy: Record<Grouping, readonly Column<ScoreLine>[]> = {
  source: [['source', 'source'], ...scoreColumns],
  platform: [['platform', 'platform'], ['source', 'source'], ...scoreColumns],
  column: [['column', 'column'], ['source', 'source'], ...scoreColumns],
}

function precedenceText(proposals: readonly PrecedenceProposal[]): string[] {
  const other = proposals.filter(({ present, proposed }) => present.join() !== proposed.join())
  const same = `In ${proposals.length - other.length} of ${proposals.length} the scores bear out the present precedence, or say nothing against it.`
  if (other.length === 0) return [same]
  const namesWithShares = (names: readonly string[], { scores }: PrecedenceProposal) =>
    names.map((name) => `${name} (${rightText(scores[name]!)})`).join(', ')
  return [
    tableOf(other, [
      ['platform', ({ platform }) => platform ?? 'all'],
      ['column', ({ column }) => column ?? 'all'],
      ['precedence now', ({ present }) => present.join(', ')],
      ['proposed', (proposal) => namesWithShares(proposal.proposed, proposal)],
    ]),
    same,
  ]
}

function percent(share: number): string {
  // 99.96 % is not all of them.
  const text = (Math.floor(share * 1_000) / 10).toFixed(1)
  return `${text.endsWith('.0') ? text.slice(0, -2) : text} %`
}
