import { watchLauncher } from '../platform/launcher.ts'

/**
 * The end of a process, in two steps: first it says that it leaves, then it stops. Between them it works as before, so
 * that a balancer can see it leave and send its requests elsewhere.
 */
export class Ending {
  readonly #leaving = new AbortController()
  readonly #stop = new AbortController()
  #delayMs = 0
  #timer: NodeJS.Timeout | undefined

  /** Aborts when the process is to get no more requests. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** Aborts when the process is to stop. */
  get stop(): AbortSignal {
    return this.#stop.signal
  }

  /** From now on it stops so much later than it leaves. */
  delayBy(ms: number): void {
    this.#delayMs = ms
  }

  leave(): void {
    this.#leaving.abort()
    if (this.#delayMs === 0) this.#stop.abort()
    else this.#timer ??= setTimeout(() => this.#stop.abort(), this.#delayMs)
  }

  /** Without waiting for anybody to see it. */
  stopNow(): void {
    clearTimeout(this.#timer)
    this.#leaving.abort()
    this.#stop.abort()
  }
}

/**
 * Leaves at SIGTERM, which is how a process that balancers watch is ended. Stops at once at SIGINT, or SIGHUP of a
 * terminal that closes: a person waits there. The second signal of a kind ends the process at once, by the system's
 * default.
 */
export function watchSignals(): Ending {
  const ending = new Ending()
  void watchLauncher(() => ending.stopNow())
  process.once('SIGTERM', () => ending.leave())
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.once(signal, () => ending.stopNow())
  // How the first of several processes stops the others.
  process.on('message', (message) => {
    if (message === 'stop') ending.stopNow()
  })
  return ending
}
