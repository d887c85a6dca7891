import { appendFile } from 'node:fs/promises'
import type { Verdict } from './failover-verdict.ts'

// Programs that make one fault under load again and again, and print a table of what was seen.

/** What ends the processes of the scene that runs. */
export const ends: (() => Promise<void>)[] = []

export async function endScene(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/**
 * @param what says what happens then
 * @param end what is to be ended before the program is
 */
export function endWhenInterrupted(what: string, end: () => Promise<void>): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      console.error(`Interrupted: ${what}.`)
      void end().finally(() => process.exit(1))
    })
}

export function requireRounds(rounds: string): void {
  if (!(Number(rounds) >= 1)) throw new Error('--rounds must be a number from 1 on.')
}

/** Writes a line of JSON to stderr, and to the file, if there is one. */
export async function note(log: string | undefined, line: unknown): Promise<void> {
  process.stderr.write(`${JSON.stringify(line)}\n`)
  if (log !== undefined) await appendFile(log, `${JSON.stringify(line)}\n`)
}

/** `0.4 (0.9)`, of at least one value. */
export function medianAndMost(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [median, most] = [sorted[Math.floor((sorted.length - 1) / 2)]!, sorted.at(-1)!]
  return `${median.toFixed(digits)} (${most.toFixed(digits)})`
}

/** Heads of what a verdict says, and of how many processes ended. */
export const verdictHead =
  'answered | charged | over-served | doubled | lost alerts | ledger differences | losses noticed | ended'

export function verdictCells(verdict: Verdict): (string | number)[] {
  return [
    verdict.answered,
    verdict.charged,
    verdict.overServed,
    verdict.doubled,
    `${verdict.lostAlerts} of ${verdict.published}`,
    verdict.ledgerDifferences,
    verdict.noticedLosses,
  ]
}

/** @param head names of columns, with bars between */
export function printTable(head: string, rows: readonly string[]): void {
  const lines = [head, head.replace(/[^|]+/g, ' --- '), ...rows]
  process.stdout.write(`${lines.map((line) => `| ${line} |`).join('\n')}\n`)
}
