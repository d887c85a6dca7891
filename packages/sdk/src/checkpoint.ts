/**
 * How far a walk over time has come: the instant of the newest row taken, and the ids of all rows taken at that instant.
 * Without the ids those rows would come again, as `since` includes its instant.
 *
 * As text it is the instant and the ids as JSON: `2026-11-20T06:00:00.000418Z ["chg_1"]`.
 */
export class Position {
  readonly #given: Date | string | undefined
  #instant = ''
  #ids = new Set<string>()

  /** @param given a position as text, or where to begin: a Date or an instant, with all of its rows */
  constructor(given: Date | string | undefined) {
    this.#given = given
    const [, instant = '', list = ''] = /^(\S+) (\[.+\])$/s.exec(String(given)) ?? []
    try {
      this.#ids = new Set(JSON.parse(list || '[]') as string[])
      this.#instant = instant
    } catch {
      // A damaged text is sent as it is: the server refuses it, and nothing is skipped.
    }
  }

  /** From where on to ask. */
  get since(): Date | string | undefined {
    return this.#instant || this.#given
  }

  /** Whether this version of the row was taken. */
  has(updatedAt: string, id: string): boolean {
    return updatedAt === this.#instant && this.#ids.has(id)
  }

  /** Counts a row as taken. Rows may come in any order. */
  take(updatedAt: string, id: string): void {
    if (updatedAt > this.#instant) {
      this.#instant = updatedAt
      this.#ids = new Set()
    }
    if (updatedAt === this.#instant) this.#ids.add(id)
  }

  /** Empty when no row was taken. */
  toString(): string {
    return this.#instant && `${this.#instant} ${JSON.stringify([...this.#ids])}`
  }
}
