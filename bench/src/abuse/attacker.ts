import { setPriority } from 'node:os'
import { now, takeJobs } from '../frame/processes.ts'
import { newTally, type Target } from './attack.ts'
import { attacks } from './attacks/index.ts'

// The attacker is a process of its own: its work delays neither the customer nor the clock.

export interface AttackJob extends Pick<Target, 'port' | 'cast'> {
  attack: string
  durationMs: number
}

export type AttackResult = Awaited<ReturnType<typeof run>>

/** An attacker has machines of its own. On this one it comes last. */
const priority = 10

setPriority(priority)
takeJobs(run)

/** Answers with the times by the machine's clock, too: from the first byte until all connections are closed. */
async function run({ attack: name, durationMs, port, cast }: AttackJob) {
  const attack = attacks.find((one) => one.name === name)
  if (!attack) throw new Error(`There is no attack "${name}".`)
  const tally = newTally()
  const startedMs = now()
  await attack.run({ port, cast, tally, signal: AbortSignal.timeout(durationMs) })
  return { tally, startedMs, endedMs: now() }
}
