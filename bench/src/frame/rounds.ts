import {
  figureOf,
  median,
  rangeOf,
  rangeText,
  say,
  shown,
  type Aim,
  type Figure,
  type Table,
} from './figures.ts'

// Each round measures every subject in turn: a machine that is slow for a while is slow for all of them, and ratios are
// taken within a round.

/** The measurements of each subject, in the order of the rounds. */
export type Rounds<Measurement> = Map<string, Measurement[]>

export interface Effort {
  rounds: number
  roundMs: number
  /** Each subject once before the first round. */
  warmUpMs: number
}

export async function alternate<Measurement extends { perSecond: number }>(
  subjects: readonly string[],
  { rounds, roundMs, warmUpMs }: Effort,
  run: (subject: string, durationMs: number) => Promise<Measurement>,
): Promise<Rounds<Measurement>> {
  const results: Rounds<Measurement> = new Map(subjects.map((subject) => [subject, []]))
  if (warmUpMs > 0) for (const subject of subjects) await run(subject, warmUpMs)
  for (let round = 1; round <= rounds; round += 1) {
    const told: string[] = []
    for (const subject of subjects) {
      const measurement = await run(subject, roundMs)
      results.get(subject)!.push(measurement)
      told.push(`${subject} ${shown(measurement.perSecond)}`)
    }
    say(`  round ${round} of ${rounds}: ${told.join(', ')}`)
  }
  return results
}

type Reading<Measurement> = (measurement: Measurement) => number
export type Columns<Measurement> = readonly (readonly [head: string, pick: Reading<Measurement>])[]

export const perSecond: Reading<{ perSecond: number }> = (measurement) => measurement.perSecond

/** The medians of the rounds, by the heads of their columns; of the first with its range. */
export function roundsTable<Measurement>(
  title: string,
  rounds: Rounds<Measurement>,
  columns: Columns<Measurement>,
): Table {
  const [first = '', ...others] = columns.map(([head]) => head)
  return {
    title,
    head: ['', first, 'min to max', ...others],
    rows: [...rounds].map(([name, measurements]) => {
      const values = columns.map(([, pick]) => measurements.map(pick))
      const [cell = '', ...cells] = values.map((all) => (Number.isNaN(median(all)) ? '' : shown(median(all))))
      return [name, cell, rangeText(rangeOf(values[0]!)), ...cells]
    }),
  }
}

/** What one subject does in shares of another, round by round. */
export function ratioFigure<Measurement>(
  name: string,
  rounds: Rounds<Measurement>,
  [subject, base]: readonly [subject: string, base: string],
  pick: Reading<Measurement>,
  aim?: Aim,
): Figure {
  const bases = rounds.get(base)!.map(pick)
  const values = rounds.get(subject)!.map(pick)
  return figureOf(
    name,
    'times',
    values.map((value, round) => value / bases[round]!),
    aim,
  )
}
