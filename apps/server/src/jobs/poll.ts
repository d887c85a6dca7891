import { setTimeout } from 'node:timers/promises'

export interface Polling {
  /** Begins nothing more, and waits for what is under way. */
  stop: () => Promise<void>
}

/** Calls `work` until stopped: again at once while it finds something to do, else after a pause. */
export function startPolling(
  work: (signal: AbortSignal) => Promise<boolean>,
  { pollMs, onError }: { pollMs: number; onError: (error: unknown) => void },
): Polling {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      const hasWorked = await work(signal).catch(onError)
      if (hasWorked !== true) await setTimeout(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
