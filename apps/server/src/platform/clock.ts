/** The process's clock, for what is not decided by the database's. Tests pass their own. */
export interface Clock {
  now: () => Date
}

export const systemClock: Clock = { now: () => new Date() }
