import { setImmediate } from 'node:timers/promises'
import type { Html } from './html.ts'

/** Makes the parts of a large page one by one, and lets other requests be answered in between. */
export async function inTurns(parts: readonly (() => Html)[]): Promise<Html[]> {
  const made: Html[] = []
  for (const part of parts) {
    made.push(part())
    await setImmediate()
  }
  return made
}
