interface VersionedOptions<T> {
  /** @param version at least which the value must be of */
  make: (version: string) => Promise<T>
  /** Whether a kept value is good enough. Default: versions count up. */
  isAtLeast?: (kept: string, wanted: string) => boolean
  /** How many times as long as it took to make, a value is good enough for later versions too. Default: not at all. */
  restFactor?: number
  nowMs?: () => number
}

/** A value that is made once for each version, for all who ask, and kept until a later one is asked for. */
export class Versioned<T extends { version: string }> {
  readonly #options: Required<VersionedOptions<T>>
  #kept: { value: T; restsUntilMs: number } | null = null
  #making: Promise<T> | null = null

  constructor(options: VersionedOptions<T>) {
    const isAtLeast = (kept: string, wanted: string) => BigInt(kept) >= BigInt(wanted)
    const defaults = { isAtLeast, restFactor: 0, nowMs: () => performance.now() }
    this.#options = { ...defaults, ...options }
  }

  /** What is kept, where it is good enough for the version. */
  find(version: string): T | null {
    const { isAtLeast, nowMs } = this.#options
    if (!this.#kept) return null
    const { value, restsUntilMs } = this.#kept
    return isAtLeast(value.version, version) || nowMs() < restsUntilMs ? value : null
  }

  async read(version: string): Promise<T> {
    const kept = this.find(version)
    if (kept) return kept
    if (this.#making) {
      const shared = await this.#making
      // Begun before the list moved: one of the requests that waited for it makes the next.
      if (this.#options.isAtLeast(shared.version, version) || this.find(version) === shared) return shared
    }
    this.#making ??= this.#make(version).finally(() => (this.#making = null))
    return this.#making
  }

  async #make(version: string): Promise<T> {
    const { make, restFactor, nowMs } = this.#options
    const begunAtMs = nowMs()
    const value = await make(version)
    const endedAtMs = nowMs()
    this.#kept = { value, restsUntilMs: endedAtMs + restFactor * (endedAtMs - begunAtMs) }
    return value
  }
}

/** Reads once in a time, for all who ask for the same. After a failure the next one tries again. */
export function readOnceIn<Args extends unknown[], T>(
  ms: number,
  read: (...args: Args) => Promise<T>,
  nowMs = () => performance.now(),
): (...args: Args) => Promise<T> {
  let kept: { args: Args; readAtMs: number; value: Promise<T> } | null = null
  return (...args) => {
    if (kept && nowMs() - kept.readAtMs < ms && args.every((arg, place) => arg === kept?.args[place]))
      return kept.value
    const next = { args, readAtMs: nowMs(), value: read(...args) }
    kept = next
    next.value.catch(() => {
      if (kept === next) kept = null
    })
    return next.value
  }
}
