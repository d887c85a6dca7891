import { setPriority } from 'node:os'

const low = 10

/**
 * Lets the thread that answers the API go first. Linux alone gives a thread a priority of its own; elsewhere it would be
 * that of the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(low)
  } catch {
    // A system that forbids it: the work is done all the same.
  }
}
