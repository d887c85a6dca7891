import type { Scheduler } from '../../platform/scheduler.ts'
import { shareOut, type Verdict } from './share-out.ts'
import { readOutcome, type BatchOutcome, type Release, type UnitItem } from './unit-store.ts'

/** A connection that runs the batches of one lane, one at a time. */
export interface LaneSession {
  /** Durable when it resolves. */
  reserve: (batch: number, items: readonly UnitItem[]) => Promise<BatchOutcome>
  release: (batch: number, releases: readonly Release[]) => Promise<void>
  /** What a batch of a lost session wrote down as its outcome; null: it was not carried out and never will be. */
  settle: (batch: number) => Promise<string | null>
  close: () => void
}

export type UnitRequest = Omit<UnitItem, 'want'>

export interface LaneOptions {
  connect: () => Promise<LaneSession>
  scheduler: Scheduler
  /** Longest a request waits for its verdict. */
  waitMsMax: number
  /** Most items of one batch. */
  itemsMax: number
  /** Told of requests whose counter somebody else holds; null: they fail. */
  onStuck: ((waiters: readonly Waiter[]) => void) | null
  /** Told what goes wrong beyond single requests. */
  onFailure: (error: unknown, message: string) => void
}

/** A request on its way through a lane. */
export interface Waiter {
  request: UnitRequest
  sinceMs: number
  /** Whether it has its verdict, or was told that there will be none. */
  isOver: boolean
  resolve: (verdict: Verdict) => void
  reject: (error: unknown) => void
}

interface Group {
  item: UnitItem
  waiters: Waiter[]
}

/** Too long without a verdict. Whatever is granted later is given back. */
export class MeterTimeout extends Error {
  override name = 'MeterTimeout'
}

const retryMsMin = 50
const retryMsMax = 500

/**
 * Reserves units for all requests that wait, in one statement, while the next ones gather: without a timer, so a
 * request alone does not wait. What became of a batch whose connection was lost is found out before the next begins,
 * so nothing is charged twice, and nothing is kept that was not answered.
 */
export class Lane {
  readonly #options: LaneOptions
  #session: LaneSession | null = null
  #batch = 0
  #pending: Waiter[] = []
  /** In the order of their deadlines. */
  #watched: Waiter[] = []
  #stopWatching: (() => void) | null = null
  #releases: Release[] = []
  #running: Promise<void> | null = null
  /** Why there is no connection, while there is none. */
  #down: { error: unknown } | null = null
  #isClosed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  reserve(request: UnitRequest): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const sinceMs = this.#options.scheduler.nowMs()
      this.take([{ request, sinceMs, isOver: false, resolve, reject }])
    })
  }

  take(waiters: readonly Waiter[]): void {
    if (this.#isClosed) return fail(waiters, new Error('The meter is closed.'))
    // The batch before has no known outcome: nobody is served until it has.
    if (this.#down && this.#running) return fail(waiters, this.#down.error)
    this.#pending.push(...waiters)
    this.#watched.push(...waiters)
    this.#watch()
    this.#running ??= this.#run()
  }

  /** Finishes what is waiting, gives back what nobody took, and ends. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#running) await this.#running
    this.#stopWatching?.()
    this.#session?.close()
    this.#session = null
  }

  async #run(): Promise<void> {
    // Requests of the same turn of the event loop share the batch.
    await Promise.resolve()
    while (this.#pending.length > 0 || this.#releases.length > 0) {
      if (this.#releases.length > 0) await this.#giveBack()
      const groups = this.#gather()
      if (groups.length > 0) await this.#reserve(groups)
    }
    this.#running = null
  }

  /** The requests that wait, by what they want. */
  #gather(): Group[] {
    const groups = new Map<string, Group>()
    const rest: Waiter[] = []
    for (const waiter of this.#pending) {
      if (waiter.isOver) continue
      const { keyHash, endpoint, plans, version } = waiter.request
      const id = `${keyHash} ${endpoint} ${plans} ${version}`
      const group = groups.get(id)
      if (group) {
        group.waiters.push(waiter)
        group.item.want += 1
      } else if (groups.size < this.#options.itemsMax) {
        groups.set(id, { item: { ...waiter.request, want: 1 }, waiters: [waiter] })
      } else {
        rest.push(waiter)
      }
    }
    this.#pending = rest
    return [...groups.values()]
  }

  async #reserve(groups: readonly Group[]): Promise<void> {
    const items = groups.map(({ item }) => item)
    const waiters = groups.flatMap((group) => group.waiters)
    try {
      const outcome = await this.#carryOut((session, batch) => session.reserve(batch, items), readOutcome)
      for (const [index, group] of groups.entries()) {
        const item = outcome.items[index]
        if (item === undefined) throw new Error('The batch has no outcome for an item.')
        this.#releases.push(...shareOut(group.item.endpoint, item, outcome, group.waiters))
      }
    } catch (error) {
      if (error instanceof NotCarriedOut || isDeadlock(error)) this.#pending.unshift(...waiters)
      else if (!isLockTimeout(error)) fail(waiters, error)
      // One counter is held by somebody else: alone, the others go through.
      else if (groups.length > 1) for (const group of groups) await this.#reserve([group])
      else if (this.#options.onStuck) this.#options.onStuck(waiters.filter((waiter) => !waiter.isOver))
      else fail(waiters, error)
    }
  }

  async #giveBack(): Promise<void> {
    const releases = this.#releases.splice(0, this.#options.itemsMax)
    try {
      await this.#carryOut(
        (session, batch) => session.release(batch, releases),
        () => undefined,
      )
    } catch (error) {
      if (this.#isClosed) {
        this.#options.onFailure(error, 'units that nobody got could not be given back')
        this.#releases = []
        return
      }
      this.#releases.unshift(...releases)
      if (!(error instanceof NotCarriedOut)) await this.#pause(retryMsMax)
    }
  }

  /**
   * Runs one batch. Where the connection is lost, the outcome is read from a new one.
   * @throws NotCarriedOut when it was lost and has no outcome: nothing was reserved
   */
  async #carryOut<T>(
    send: (session: LaneSession, batch: number) => Promise<T>,
    read: (text: string) => T,
  ): Promise<T> {
    const session = await this.#connect()
    this.#batch += 1
    const batch = this.#batch
    try {
      return await send(session, batch)
    } catch (error) {
      // The server refused the statement: it is rolled back, and the connection as good as before.
      if (isRefusal(error)) throw error
      this.#drop()
      const text = await this.#settle(batch, error)
      if (text === null) throw new NotCarriedOut('the connection was lost before the batch', { cause: error })
      return read(text)
    }
  }

  async #connect(): Promise<LaneSession> {
    if (this.#session) return this.#session
    try {
      this.#session = await this.#options.connect()
      this.#down = null
      return this.#session
    } catch (error) {
      // Whoever waits is told at once; who comes next tries again.
      fail(this.#pending.splice(0), error)
      throw error
    }
  }

  #drop(): void {
    this.#session?.close()
    this.#session = null
  }

  async #settle(batch: number, cause: unknown): Promise<string | null> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      try {
        this.#session ??= await this.#options.connect()
        const text = await this.#session.settle(batch)
        this.#down = null
        return text
      } catch (error) {
        this.#drop()
        if (!this.#down) this.#options.onFailure(cause, 'a batch of reservations has no known outcome yet')
        this.#down = { error }
        fail(this.#pending.splice(0), error)
        if (this.#isClosed) throw error
        await this.#pause(retryMs)
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.scheduler.after(ms, resolve))
  }

  /** Tells requests that have waited too long. One timer serves them all: they wait equally long. */
  #watch(): void {
    if (this.#stopWatching) return
    const first = this.#watched.findIndex((waiter) => !waiter.isOver)
    this.#watched.splice(0, first === -1 ? this.#watched.length : first)
    const [oldest] = this.#watched
    if (!oldest) return
    const { scheduler, waitMsMax } = this.#options
    const dueMs = oldest.sinceMs + waitMsMax - scheduler.nowMs()
    this.#stopWatching = scheduler.after(Math.max(0, dueMs), () => {
      this.#stopWatching = null
      const lateMs = scheduler.nowMs() - waitMsMax
      fail(
        this.#watched.filter((waiter) => waiter.sinceMs <= lateMs),
        new MeterTimeout('the meter took too long'),
      )
      this.#watch()
    })
  }
}

/** Whoever waits has not been charged. */
class NotCarriedOut extends Error {
  override name = 'NotCarriedOut'
}

function fail(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) {
    if (waiter.isOver) continue
    waiter.isOver = true
    waiter.reject(error)
  }
}

interface ServerError {
  code?: string
  severity?: string
}

/** Whether the server answered that it did not do it. FATAL ends the connection, and what was done is not said. */
function isRefusal(error: unknown): boolean {
  return (error as ServerError).severity === 'ERROR'
}

function isLockTimeout(error: unknown): boolean {
  return (error as ServerError).code === '55P03'
}

function isDeadlock(error: unknown): boolean {
  return (error as ServerError).code === '40P01'
}
