import { readCase, type ReviewCase } from '../ingest/review/review-case.ts'
import { reasonText } from '../ingest/review/review-words.ts'
import { amountColumns, type AmountColumn } from '../catalog/price-record.ts'
import { notFound } from '../features/feature-error.ts'
import type { OperatorCommand } from './command.ts'
import { print, shortTime, formatTable, type Column, type OutputOptions } from './output.ts'
import { holdDocument } from './run-report.ts'

/** `feed review show`: one move with its evidence. */
export function addReviewShowCommand(review: OperatorCommand): void {
  review
    .command('show')
    .description('Show one move with its evidence: what every source claims, what is served, what peers cost')
    .argument('<hold-id>', 'The move, as "feed review" names it')
    .notes(
      `
"served" is what the API answers. "peers" is the median of what the product costs on other platforms, by all sources.
An amount in brackets is what the source stated before.`,
    )
    .onDatabase(async ({ db }, id: string, options: OutputOptions) => {
      const found = await readCase(db, id)
      if (!found) throw notFound('hold', id)
      const { hold, productId, ...evidence } = found
      print({ hold: holdDocument(hold), product_id: productId, ...evidence }, options, () => caseText(found))
    })
}

interface Line {
  who: string
  amounts: Partial<Record<AmountColumn, string | null>>
  since?: string
  lastSeen?: string
  key?: string
  link?: string | null
  currency?: string | null | undefined
}

function caseText({ hold, productId, served, claims, peers, card }: ReviewCase): string {
  const ended =
    hold.state === 'open' ? '' : `\nIt is ${hold.state}${hold.note === null ? '' : `: ${hold.note}`}.`
  const lines: Line[] = [
    { who: 'served', amounts: served?.amounts ?? {}, currency: served?.currency },
    ...claims.map((claim) => ({
      who: claim.is_held ? `${claim.source} (waits)` : claim.source,
      amounts: statedTexts(claim),
      currency: claim.currency,
      since: findSince(claim),
      lastSeen: claim.last_seen,
      key: claim.source_key,
      link: claim.source_url,
    })),
    { who: 'peers', amounts: peers.median },
  ]
  const shown = amountColumns.filter((column) => lines.some(({ amounts }) => amounts[column] != null))
  const columns: Column<Line>[] = [
    ['', 'who'],
    ...shown.map((column): Column<Line> => [column, ({ amounts }) => amounts[column]]),
    'currency',
    ['since (UTC)', ({ since }) => shortTime(since ?? null)],
    ['last seen (UTC)', ({ lastSeen }) => shortTime(lastSeen ?? null)],
    ['row', 'key'],
    'link',
  ]
  return [
    `${hold.resource_id}${productId === null ? '' : ` (${productId})`}, by ${hold.source} since ${shortTime(hold.firstSeen)}: ${hold.reason}\n${reasonText(hold.reason)}${ended}`,
    formatTable(lines, columns),
    ...(served === null ? ['Nothing of the resource is served.'] : [served.why.join('\n')]),
    ...(peers.platforms.length === 0 ? [] : [peersText(peers)]),
    ...(card.length === 0 ? [] : [formatTable(card, ['rate', 'before', 'after'])]),
  ].join('\n\n')
}

type CaseClaim = ReviewCase['claims'][number]

/** What it states, with what it stated before in brackets. */
function statedTexts({ amounts, moves }: CaseClaim): Line['amounts'] {
  return Object.fromEntries(
    amountColumns.map((column) => {
      const move = moves.find(({ field }) => field === column)
      const amount = amounts[column]
      return [column, move ? `${amount ?? '–'} (${move.before ?? '–'})` : amount]
    }),
  )
}

/** Since when it states what it states now. */
function findSince({ moves, first_seen }: CaseClaim): string {
  return (
    moves
      .map(({ since }) => since)
      .toSorted()
      .at(-1) ?? first_seen
  )
}

function peersText({ platforms }: ReviewCase['peers']): string {
  const shown = amountColumns.filter((column) => platforms.some(({ amounts }) => amounts[column] !== null))
  return formatTable(platforms, [
    ['elsewhere', 'platform'],
    ...shown.map((column): Column<(typeof platforms)[number]> => [column, ({ amounts }) => amounts[column]]),
  ])
}
