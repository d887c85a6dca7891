import { setImmediate } from 'node:timers/promises'

/** Works through a list, so many at a time, and lets other requests be answered in between. */
export async function mapInTurns<T, R>(list: Iterable<T>, size: number, work: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of list) {
    if (done.length % size === 0) await setImmediate()
    done.push(work(one))
  }
  return done
}
