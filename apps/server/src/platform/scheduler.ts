/** Time as a meter lives by it: the real one, or a simulation's. Milliseconds from any fixed instant. */
export interface Scheduler {
  nowMs: () => number
  /** Runs `work` once all that has arrived by now is looked at. */
  soon: (work: () => void) => void
  /** Runs `work` once, later; returns how to call it off. */
  after: (ms: number, work: () => void) => () => void
}

export const realScheduler: Scheduler = {
  nowMs: () => performance.now(),
  soon: (work) => void setImmediate(work),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}
