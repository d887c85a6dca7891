export interface TurnOptions {
  /** How many have a turn at a time. */
  max: number
  timeoutMs: number
  /** How many may wait for one; default: any number. */
  waitingMax?: number
}

/** Longer than anybody should wait for a turn, or behind more than should wait. */
export class TurnTimeout extends Error {
  override name = 'TurnTimeout'
}

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Lets a few requests of each key work at a time; more of them wait in line. Requests of one key follow each
 * other in the database anyway, at the key's counter or at the account's row. Without turns the waiting ones would hold
 * every connection, and one key whose counter is stuck would keep all others out.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()
  readonly #options: Required<TurnOptions>

  constructor(options: TurnOptions) {
    this.#options = { waitingMax: Infinity, ...options }
  }

  /** @throws TurnTimeout when none comes in time, or too many wait for one already */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < this.#options.max) line.running += 1
    else await this.#wait(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else {
        line.running -= 1
        if (line.running === 0) this.#lines.delete(key)
      }
    }
  }

  /** Resolves when somebody who is done hands on the turn. */
  #wait(line: Line): Promise<void> {
    const { waitingMax, timeoutMs } = this.#options
    if (line.waiting.length >= waitingMax) {
      return Promise.reject(new TurnTimeout('too many requests wait for a turn already'))
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(begin), 1)
        reject(new TurnTimeout('too many requests of one key or account wait for a turn'))
      }, timeoutMs)
      line.waiting.push(begin)
    })
  }
}
