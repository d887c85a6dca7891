import { setTimeout } from 'node:timers/promises'
import { now } from '../frame/processes.ts'
import { watchProcess } from '../frame/machine.ts'
import type { Attack } from './attack.ts'
import { doneWithin, recoveryMs, serviceOf, within } from './judge.ts'
import { startCustomer, startSubject, type Scene } from './scene.ts'

// One attack on a server that has just been started, which has no traces of another one: the customer alone, under
// the attack, until served as before, and alone again.

/** Pages that take at most this many times what they take without an attack: the aim, and what counts as recovered. */
export const slowerMost = 3
const warmUpMs = 3_000
const warmUpMaxMs = 30_000
const recoveryMaxMs = 30_000
const lookMs = 100

export type Round = Awaited<ReturnType<typeof runRound>>

/** @param durationMs of the attack, and of the time without it */
export async function runRound(attack: Attack, scene: Scene, durationMs: number) {
  await using server = await startSubject(scene.subject)
  const { attacker, cast } = scene
  const { port } = server
  const { samples, take, stop } = await startCustomer(scene, port)
  /** How long after a moment the customer was served as before; null: not within the time. */
  const untilServed = async (sinceMs: number, limitMs: number, mostMs: number) => {
    for (let found: number | null = null; ; await setTimeout(lookMs)) {
      await take()
      found = recoveryMs(samples, { endedMs: sinceMs, nowMs: now(), limitMs })
      if (found !== null || now() - sinceMs > mostMs) return found
    }
  }
  await setTimeout(warmUpMs)
  if ((await untilServed(now(), Infinity, warmUpMaxMs)) === null)
    throw new Error('The customer is not served, with nobody attacking.')
  const beforeMs = now()
  await setTimeout(durationMs / 2)
  await take()
  const watch = watchProcess(server.pid)
  const { tally, startedMs, endedMs } = await attacker.run({ attack: attack.name, port, cast, durationMs })

  const before = doneWithin(samples, beforeMs, startedMs)
  const limitMs = slowerMost * serviceOf(before).pages.p99Ms
  const recovery = await untilServed(endedMs, limitMs, recoveryMaxMs)
  const holdings = watch.stop()
  const afterMs = now()
  if (recovery !== null) await setTimeout(durationMs / 2)
  const untilMs = now()
  await stop()
  const after = recovery === null ? [] : within(samples, afterMs, untilMs)
  return {
    /** Before and after the attack together. */
    quiet: serviceOf([...before, ...after]),
    attacked: serviceOf(within(samples, startedMs, endedMs)),
    tally,
    /** Whether the attack was one. */
    hasLanded: attack.landed(tally),
    /** Null: not within half a minute. */
    recoveryMs: recovery,
    holdings,
  }
}
