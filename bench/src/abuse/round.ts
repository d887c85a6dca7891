import { setTimeout } from 'node:timers/promises'
import { now } from '../frame/processes.ts'
import { watchProcess, type Holdings } from '../frame/usage.ts'
import type { Attack, Tally } from './attack.ts'
import type { CustomerJob } from './customer.ts'
import {
  doneWithin,
  pagesPerSecond,
  recoveryMs,
  serviceOf,
  within,
  type Sample,
  type Service,
} from './judge.ts'
import { startSubject, type Scene } from './scene.ts'

// One attack on a server that has just been started, which has no traces of another one: the customer alone, under
// the attack, until served as before, and alone again.

/** Pages that take at most this many times what they take without an attack: the aim, and what counts as recovered. */
export const slowerMost = 3
const warmUpMs = 3_000
const warmUpMaxMs = 30_000
const recoveryMaxMs = 30_000
const lookMs = 100

export interface Round {
  /** Before and after the attack together. */
  quiet: Service
  attacked: Service
  tally: Tally
  /** Whether the attack was one. */
  hasLanded: boolean
  /** Null: not within half a minute. */
  recoveryMs: number | null
  holdings: Holdings
}

/** @param durationMs of the attack, and of the time without it */
export async function runRound(attack: Attack, scene: Scene, durationMs: number): Promise<Round> {
  await using server = await startSubject(scene.subject)
  const { customer, attacker, cast } = scene
  const { port } = server
  const samples: Sample[] = []
  const send = async (command: CustomerJob['command']) => {
    samples.push(...(await customer.run({ command, port, key: cast.customerKey })))
  }
  const servedSince = (sinceMs: number, limitMs: number) =>
    recoveryMs(samples, { endedMs: sinceMs, nowMs: now(), limitMs, pagesPerSecond })
  await send('start')
  await setTimeout(warmUpMs)
  const warmMs = now()
  while (servedSince(warmMs, Infinity) === null) {
    if (now() - warmMs > warmUpMaxMs) throw new Error('The customer is not served, with nobody attacking.')
    await setTimeout(lookMs)
    await send('take')
  }
  const beforeMs = now()
  await setTimeout(durationMs / 2)
  await send('take')
  const watch = watchProcess(server.pid)
  const { tally, startedMs, endedMs } = await attacker.run({ attack: attack.name, port, cast, durationMs })

  const before = serviceOf(doneWithin(samples, beforeMs, startedMs))
  const limitMs = slowerMost * before.pages.p99Ms
  let recovery: number | null = null
  while (recovery === null && now() - endedMs < recoveryMaxMs) {
    await setTimeout(lookMs)
    await send('take')
    recovery = servedSince(endedMs, limitMs)
  }
  const holdings = watch.stop()
  const afterMs = now()
  if (recovery !== null) await setTimeout(durationMs / 2)
  const untilMs = now()
  await send('stop')
  const after = recovery === null ? [] : within(samples, afterMs, untilMs)
  return {
    quiet: serviceOf([...doneWithin(samples, beforeMs, startedMs), ...after]),
    attacked: serviceOf(within(samples, startedMs, endedMs)),
    tally,
    hasLanded: attack.landed(tally),
    recoveryMs: recovery,
    holdings,
  }
}
