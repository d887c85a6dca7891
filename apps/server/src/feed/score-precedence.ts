import type { AmountColumn } from '../features/prices/price-record.ts'
import type { FeedPolicy } from './policy.ts'
import { isOperator, isOwnList, ownListOf, rankOf } from './precedence.ts'
import { scoreOf, type Score, type ScoreCell } from './score.ts'

/** The order of the sources by their scores, beside the present one. Nothing applies it. */
export interface PrecedenceProposal {
  /** Null: all of them together. */
  platform: string | null
  column: AmountColumn | null
  present: string[]
  proposed: string[]
  /** By source; a share of null: too few are judged. */
  scores: Record<string, Pick<Score, 'judged' | 'right' | 'right_share'>>
}

/**
 * The order over all platforms, then for each platform and column, of which two sources have a figure. Where a platform's
 * own list decides, the order of the others does not count: it is no part of that over all.
 */
export function proposePrecedence(cells: readonly ScoreCell[], policy: FeedPolicy): PrecedenceProposal[] {
  const placed = cells.filter(({ platform }) => platform !== null)
  const groups = Map.groupBy(placed, ({ platform, column }) => `${platform}\n${column}`)
  const proposals = [...groups.values()].map((group) => {
    const { platform, column } = group[0]!
    return proposalOf(platform, column, group, policy)
  })
  const all = placed.filter(({ platform }) => ownListOf(platform) === null)
  return [
    proposalOf(null, null, all, policy),
    ...proposals.sort((a, b) => compare(a.platform!, b.platform!) || compare(a.column!, b.column!)),
  ].filter(({ scores }) => Object.values(scores).filter(hasFigure).length > 1)
}

function proposalOf(
  platform: string | null,
  column: AmountColumn | null,
  cells: readonly ScoreCell[],
  policy: FeedPolicy,
): PrecedenceProposal {
  const scores = Object.fromEntries(
    [...Map.groupBy(cells, ({ source }) => source)].map(([source, own]) => {
      const { judged, right, right_share } = scoreOf(own, policy)
      return [source, { judged, right, right_share }]
    }),
  )
  const present = Object.keys(scores).sort(
    (a, b) => rankOf(a, platform) - rankOf(b, platform) || compare(a, b),
  )
  // The operator and a platform's own list come first whatever the score. Who has too few keeps his place.
  const isPlaced = (source: string) =>
    !isOperator(source) && !isOwnList(source, platform) && hasFigure(scores[source]!)
  const ordered: string[] = []
  for (const source of present.filter(isPlaced)) {
    let place = ordered.length
    while (place > 0 && isSurelyBetter(scores[source]!, scores[ordered[place - 1]!]!, policy)) place -= 1
    ordered.splice(place, 0, source)
  }
  const proposed = present.map((source) => (isPlaced(source) ? ordered.shift()! : source))
  return { platform, column, present, proposed, scores }
}

function hasFigure({ right_share }: Pick<Score, 'right_share'>): boolean {
  return right_share !== null
}

/** Whether one share is higher by more than chance explains: the test of two proportions. */
function isSurelyBetter(
  a: Pick<Score, 'judged' | 'right'>,
  b: Pick<Score, 'judged' | 'right'>,
  { scores: { certainty } }: FeedPolicy,
): boolean {
  const pooled = (a.right + b.right) / (a.judged + b.judged)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.judged + 1 / b.judged))
  return error > 0 && (a.right / a.judged - b.right / b.judged) / error >= certainty
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
