import { setTimeout } from 'node:timers/promises'

export interface Polling {
  /** Begins nothing more, and waits for what is under way. */
  stop: () => Promise<void>
}

/** Calls `work` until stopped: again at once while it finds something to do, else after a pause. */
export function startPolling(
  work: (signal: AbortSignal) => Promise<boolean | void>,
  { pollMs, firstMs, onError }: { pollMs: number; firstMs?: number; onError: (error: unknown) => void },
): Polling {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined)
  const run = async () => {
    if (firstMs !== undefined) await pause(firstMs)
    while (!signal.aborted) {
      const hasWorked = await work(signal).catch(onError)
      if (hasWorked !== true) await pause(pollMs)
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
