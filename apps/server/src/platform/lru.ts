/** Remembers values up to a total cost, and forgets those that were asked for longest ago. */
export class Lru<V> {
  readonly #costMax: number
  readonly #entries = new Map<string, { value: V; cost: number }>()
  /** The last key of the map. */
  #newest: string | null = null
  #cost = 0

  constructor(costMax: number) {
    this.#costMax = costMax
  }

  /** What all values cost together. */
  get cost(): number {
    return this.#cost
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // A map is in the order of insertion: the last one asked for goes to its end. Mostly it is there.
    if (key !== this.#newest) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#newest = key
    }
    return entry.value
  }

  /** Without counting as a use. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** A value that costs more than all may is not remembered. */
  set(key: string, value: V, cost: number): void {
    this.delete(key)
    if (cost > this.#costMax) return
    this.#entries.set(key, { value, cost })
    this.#newest = key
    this.#cost += cost
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.#costMax) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    if (key === this.#newest) this.#newest = null
    this.#cost -= entry.cost
  }
}
