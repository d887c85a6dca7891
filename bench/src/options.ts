import { parseArgs } from 'node:util'

/** Options that several measurements have. */
export const outputOptions = {
  json: { type: 'boolean', default: false },
  publish: { type: 'boolean', default: false },
} as const

export const effortOptions = {
  /** Fewer and shorter rounds: enough to see whether something is very wrong. */
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
} as const

export function roundsOf({ quick, rounds }: { quick: boolean; rounds?: string | undefined }): number {
  return Number(rounds ?? (quick ? 3 : 9))
}

/** Of the measurements of the packages. */
export function readOptions() {
  const { values } = parseArgs({ options: { ...effortOptions, ...outputOptions } })
  return { ...values, rounds: roundsOf(values) }
}
