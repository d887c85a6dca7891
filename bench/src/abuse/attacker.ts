import { setPriority } from 'node:os'
import type { Target } from './attack.ts'
import { attacks } from './attacks/index.ts'
import { newTally, type Tally } from './tally.ts'

// The attacker is a process of its own: its work delays neither the customer nor the clock.

export interface AttackJob extends Target {
  attack: string
  durationMs: number
}

export interface AttackResult {
  tally: Tally
  /** By the machine's clock: from the first byte until all connections are closed. */
  startedMs: number
  endedMs: number
}

/** An attacker has machines of its own. On this one it comes last. */
const priority = 10

process.on('message', (job: AttackJob) => {
  void run(job).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
setPriority(priority)
process.send?.('ready')

async function run({ attack: name, durationMs, ...target }: AttackJob): Promise<AttackResult> {
  const attack = attacks.find((one) => one.name === name)
  if (!attack) throw new Error(`There is no attack "${name}".`)
  const tally = newTally()
  const startedMs = now()
  await attack.run(target, tally, AbortSignal.timeout(durationMs))
  return { tally, startedMs, endedMs: now() }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
