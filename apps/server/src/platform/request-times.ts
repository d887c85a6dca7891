import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request waits for, in milliseconds. */
export interface RequestTimes {
  /** When it began to wait for what it waits for now, by `performance.now()`. */
  sinceMs: number
  /** For its turn: the batch before its own, or a connection. */
  queueMs: number
  /** For the batch that reserves its unit. */
  meterMs: number
  /** For its other statements. */
  queryMs: number
}

const around = new AsyncLocalStorage<RequestTimes>()

export const newTimes = (sinceMs: number): RequestTimes => ({ sinceMs, queueMs: 0, meterMs: 0, queryMs: 0 })

/** Does the work of a request: what it waits for is added up. */
export const withinTimes = <T>(times: RequestTimes, work: () => T): T => around.run(times, work)

/** Of the request that the caller works for; undefined: it works for none, or for one that adds up by itself. */
export const activeTimes = (): RequestTimes | undefined => around.getStore()

/** Adds what the work takes to the request that the caller works for. */
export async function timed<T>(what: 'queueMs' | 'queryMs', work: () => Promise<T>): Promise<T> {
  const times = around.getStore()
  if (!times) return work()
  const startMs = performance.now()
  try {
    return await work()
  } finally {
    times[what] += performance.now() - startMs
  }
}
