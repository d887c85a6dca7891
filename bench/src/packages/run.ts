import { parseArgs } from 'node:util'
import { figureTable, formatText, isMissed, say, type Figure, type Table } from '../figures.ts'
import { machineText, type Machine } from '../machine.ts'
import { publish } from '../publish.ts'
import type { Effort } from './timing.ts'

// What the measurements of the packages have in common: their options, and their report.

export interface RunOptions {
  /** Fewer and shorter rounds: enough to see whether something is very wrong. */
  quick: boolean
  rounds: number
  json: boolean
  publish: boolean
}

export function readOptions(): RunOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      json: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
    },
  })
  return { ...values, rounds: Number(values.rounds ?? (values.quick ? 3 : 9)) }
}

export interface Results {
  machine: Machine
  effort: Pick<Effort, 'rounds'>
  tables: readonly Table[]
  figures: readonly Figure[]
}

/** Prints the results, publishes them where that is asked for, and fails the run when an aim is missed. */
export async function reportResults(
  name: string,
  options: RunOptions,
  { machine, effort, tables: own, figures }: Results,
): Promise<void> {
  const tables = [...own, figureTable('Figures and aims', figures)]
  const data = { machine, effort, figures }
  if (options.json) console.log(JSON.stringify(data))
  else console.log(['', machineText(machine), ...tables.map(formatText)].join('\n\n'))
  if (options.publish) {
    const files = await publish(name, { data, machine: machineText(machine), tables })
    say(`\nWritten: ${files.join(', ')}`)
  }
  if (figures.some(isMissed)) process.exitCode = 1
}
