import { setTimeout } from 'node:timers/promises'

const tickMs = 10

/** Does it so often a second, from now until the signal: when it has fallen behind, it catches up. */
export async function pace(
  perSecond: number,
  signal: AbortSignal,
  act: (number: number) => void,
): Promise<void> {
  const startMs = performance.now()
  for (let done = 0; !signal.aborted;) {
    const due = Math.floor(((performance.now() - startMs) * perSecond) / 1_000) + 1
    for (; done < due; done += 1) act(done)
    await setTimeout(tickMs)
  }
}
