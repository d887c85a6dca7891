import { readFileSync } from 'node:fs'
import { now } from './job.ts'

// On a virtual machine the host takes processors away at times, which says nothing about what is measured.

const windowMs = 100
/** Share of a window's processor time. */
const stolenMost = 0.05

/** Notes when the host took processors away, until it is disposed of. Elsewhere than on Linux it notes nothing. */
export function watchStolenTime(): StolenTime {
  return new StolenTime()
}

class StolenTime {
  readonly #windows: { fromMs: number; untilMs: number }[] = []
  readonly #timer: NodeJS.Timeout
  #last = readTicks()
  #lastMs = now()

  constructor() {
    this.#timer = setInterval(() => this.#look(), windowMs)
  }

  /**
   * Whether the host took more than a twentieth of the processors' time about then. It is asked of the moment at which a
   * request was due, and not of all the time that it took: a slow request would be left out sooner than a fast one.
   */
  has(ms: number): boolean {
    return this.#windows.some(({ fromMs, untilMs }) => ms >= fromMs - windowMs && ms < untilMs)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const [ticks, atMs] = [readTicks(), now()]
    const stolen = (ticks.stolen - this.#last.stolen) / Math.max(1, ticks.all - this.#last.all)
    // A timer that comes late was held up as well.
    if (stolen > stolenMost || atMs - this.#lastMs > 2 * windowMs) {
      this.#windows.push({ fromMs: this.#lastMs, untilMs: atMs })
    }
    this.#last = ticks
    this.#lastMs = atMs
  }
}

/** Processor time of all cores since the machine started, in hundredths of a second: proc_stat(5). */
export function readTicks(): { all: number; idle: number; stolen: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const [, ...ticks] = line.split(/\s+/).map(Number)
    // The last two are counted within the first two.
    const all = ticks.slice(0, 8).reduce((sum, some) => sum + some, 0)
    return { all, idle: ticks[3] ?? 0, stolen: ticks[7] ?? 0 }
  } catch {
    return { all: 0, idle: 0, stolen: 0 }
  }
}
