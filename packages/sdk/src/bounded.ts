import { RequestAbortedError } from './errors.ts'

/** The longest span a timer takes; beyond it timers fire at once. */
const maxTimerMs = 2 ** 31 - 1

interface Bounds {
  /** How long it may take, any number. */
  ms: number
  signal: AbortSignal | undefined
  /** What an error of the abort says about how many requests were sent. */
  attempts: number
}

/**
 * Waits for `work`, but no longer than `ms` and the signal allow, and leaves neither timer nor listener behind. When time is up,
 * `onTime` says with which error to fail; without one the wait has simply ended. A signal of its own ends the work.
 */
export function bounded<T>(
  { ms, signal, attempts }: Bounds,
  onTime: () => Error | undefined,
  work?: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<T | undefined>((resolve, reject) => {
    // Not by `finally`, which is two more ticks.
    const end = <Value>(settle: (value: Value) => void, value: Value) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle(value)
    }
    // Rejects before it aborts, to report this reason; and does not wait, as a custom fetch may ignore the signal.
    const fail = (error: Error) => {
      end(reject, error)
      controller.abort()
    }
    const arm = (leftMs: number) => {
      timer = setTimeout(
        () => {
          if (leftMs > maxTimerMs) return arm(leftMs - maxTimerMs)
          const error = onTime()
          if (error) fail(error)
          else end(resolve, undefined)
        },
        Math.min(leftMs, maxTimerMs),
      )
    }
    const onAbort = () => fail(abortedError(signal as AbortSignal, attempts))
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)
    arm(ms)
    work?.(controller.signal).then(
      (value) => end(resolve, value),
      (error: unknown) => end(reject, error),
    )
  })
}

/** Waits, however long. Rejects with `RequestAbortedError` when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined, attempts = 0): Promise<undefined> {
  return bounded<undefined>({ ms, signal, attempts }, () => undefined)
}

function abortedError(signal: AbortSignal, attempts: number): RequestAbortedError {
  return new RequestAbortedError('The call was aborted by its signal.', { cause: signal.reason, attempts })
}
