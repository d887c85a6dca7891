import type { Scheduler } from '../../src/platform/scheduler.ts'
import type { Random } from './random.ts'

/** Time that passes only when nothing else can happen, and then at once. */
export interface VirtualTime extends Scheduler {
  /** How many timers are set. */
  timers: () => number
  /** Lives through everything up to this moment. */
  runUntil: (untilMs: number) => Promise<void>
}

interface Timer {
  atMs: number
  /** Among timers of the same moment. */
  order: number
  work: () => void
}

export function createVirtualTime(random: Random): VirtualTime {
  const timers = new Set<Timer>()
  let nowMs = 0
  const first = () => {
    let found: Timer | undefined
    for (const timer of timers) {
      const isEarlier =
        !found || timer.atMs < found.atMs || (timer.atMs === found.atMs && timer.order < found.order)
      if (isEarlier) found = timer
    }
    return found
  }
  return {
    nowMs: () => nowMs,
    soon: (work) => void timers.add({ atMs: nowMs, order: random.next(), work }),
    after(ms, work) {
      const timer = { atMs: nowMs + ms, order: random.next(), work }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    timers: () => timers.size,
    async runUntil(untilMs) {
      await settled()
      for (let timer = first(); timer && timer.atMs <= untilMs; timer = first()) {
        timers.delete(timer)
        nowMs = Math.max(nowMs, timer.atMs)
        timer.work()
        await settled()
      }
      nowMs = untilMs
    },
  }
}

/** When every promise that can go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
