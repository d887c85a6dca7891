import { figureOf, rangeText, say, shown, type Aim, type Figure, type Table } from './figures.ts'
import { spreadOf } from './statistics.ts'

// Each round measures every subject in turn: a machine that is slow for a while is slow for all of them, and ratios are
// taken within a round.

/** The measurements of each subject, in the order of the rounds. */
export type Rounds<Measurement> = Map<string, Measurement[]>

export async function alternate<Measurement extends { perSecond: number }>(
  subjects: readonly string[],
  rounds: number,
  run: (subject: string) => Promise<Measurement>,
): Promise<Rounds<Measurement>> {
  const results: Rounds<Measurement> = new Map(subjects.map((subject) => [subject, []]))
  for (let round = 1; round <= rounds; round += 1) {
    const rates: string[] = []
    for (const subject of subjects) {
      const measurement = await run(subject)
      results.get(subject)?.push(measurement)
      rates.push(`${subject} ${shown(measurement.perSecond)}`)
    }
    say(`  round ${round} of ${rounds}: ${rates.join(', ')}`)
  }
  return results
}

type Reading<Measurement> = (measurement: Measurement) => number

export const perSecond: Reading<{ perSecond: number }> = (measurement) => measurement.perSecond

/** The medians of the rounds, by the heads of their columns; of the first with its range. */
export function roundsTable<Measurement>(
  title: string,
  rounds: Rounds<Measurement>,
  columns: readonly [head: string, pick: Reading<Measurement>][],
): Table {
  const withRange = (cells: readonly [string, string][]) =>
    cells.flatMap(([cell, range], column) => (column === 0 ? [cell, range] : [cell]))
  return {
    title,
    head: ['', ...withRange(columns.map(([head]) => [head, 'min to max']))],
    rows: [...rounds].map(([name, measurements]) => {
      const spreads = columns.map(([, pick]) => spreadOf(measurements.map(pick)))
      return [
        name,
        ...withRange(
          spreads.map((spread) => [
            Number.isNaN(spread.median) ? '' : shown(spread.median),
            rangeText(spread),
          ]),
        ),
      ]
    }),
  }
}

/** What one subject does in shares of another, round by round. */
export function ratioFigure<Measurement>(
  name: string,
  rounds: Rounds<Measurement>,
  [subject, base]: [subject: string, base: string],
  pick: Reading<Measurement>,
  aim?: Aim,
): Figure {
  const bases = rounds.get(base)?.map(pick) ?? []
  const values = rounds.get(subject)?.map(pick) ?? []
  return figureOf(
    name,
    'times',
    values.map((value, round) => value / (bases[round] ?? NaN)),
    aim,
  )
}
