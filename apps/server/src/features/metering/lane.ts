import type { Scheduler } from '../../platform/scheduler.ts'
import { fail, MeterTimeout, type Deadlines, type UnitRequest, type Waiter } from './deadlines.ts'
import { isDeadlock, isLockTimeout, isRefusal } from './server-errors.ts'
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

export interface LaneOptions {
  connect: () => Promise<LaneSession>
  scheduler: Scheduler
  deadlines: Deadlines
  /** Most items of one batch. */
  itemsMax: number
  /** Told of requests whose counter somebody else holds; null: they fail. */
  onStuck: ((waiters: readonly Waiter[]) => void) | null
  /** Told what goes wrong beyond single requests. */
  onFailure: (error: unknown, message: string) => void
}

/** Tells those who wait what they got, and keeps what nobody took to give it back. */
type Tell = () => void

const retryMsMin = 50
const retryMsMax = 500
/** Longest the lane looks for outcomes, and gives units back, once it closes. */
const closeMsMax = 2_000

/**
 * Reserves units for all requests that wait, in one statement, while the next ones gather: without a timer, so a
 * request alone does not wait. What became of a batch whose connection was lost is found out before the next begins,
 * so nothing is charged twice, and nothing is kept that was not answered.
 */
export class Lane {
  readonly #options: LaneOptions
  #session: LaneSession | null = null
  #batch = 0
  /** Batches lost one after the other. */
  #losses = 0
  #pending: Waiter[] = []
  #releases: Release[] = []
  /** Most releases of one batch: fewer while some of them fail, so that those hold up nobody else's. */
  #releasesMax: number
  /** Ends the rest after a release that failed; requests do not wait for it. */
  #stopResting: (() => void) | null = null
  #running: Promise<void> | null = null
  /** Why there is no connection, while a batch has no known outcome. */
  #down: { error: unknown } | null = null
  #closing: { untilMs: number } | null = null

  constructor(options: LaneOptions) {
    this.#options = options
    this.#releasesMax = options.itemsMax
  }

  reserve(request: UnitRequest): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const sinceMs = this.#options.scheduler.nowMs()
      const waiter = { request, sinceMs, isOver: false, resolve, reject }
      this.#options.deadlines.watch(waiter)
      this.take([waiter])
    })
  }

  take(waiters: readonly Waiter[]): void {
    if (this.#closing) return fail(waiters, new MeterTimeout('the meter is closed'))
    // The batch before has no known outcome: nobody is served until it has.
    if (this.#down) return fail(waiters, this.#down.error)
    for (const waiter of waiters) this.#pending.push(waiter)
    this.#running ??= this.#run()
  }

  /** Takes a unit back that was granted and is of no use. Goes on trying until it is done, or the lane closes. */
  giveBack(release: Release): void {
    this.#releases.push(release)
    if (!this.#closing) this.#running ??= this.#run()
  }

  /** Finishes what is waiting, gives back what nobody took, and ends. */
  async close(): Promise<void> {
    const { nowMs } = this.#options.scheduler
    this.#closing = { untilMs: nowMs() + closeMsMax }
    this.#stopResting?.()
    this.#stopResting = null
    while (this.#running) await this.#running
    while (this.#releases.length > 0) {
      const error = await this.#giveBack()
      if (error === null) continue
      if (nowMs() >= this.#closing.untilMs) {
        this.#options.onFailure(error, 'units that nobody got could not be given back')
        this.#releases = []
      } else await this.#pause(retryMsMin)
    }
    this.#drop()
  }

  async #run(): Promise<void> {
    // All requests whose bytes are there share the batch: each is read in a step of its own, and a batch that went
    // after the first of them would leave the others to the next.
    await new Promise<void>((resolve) => this.#options.scheduler.soon(resolve))
    let tell: Tell | null = null
    do {
      if (this.#mayGiveBack() && (await this.#giveBack()) !== null) this.#rest()
      const groups = this.#gather()
      const reserved = groups.length > 0 ? this.#reserve(groups) : null
      // Only now that the next batch is on its way: the database has it carried out while we write these answers.
      tell?.()
      tell = await reserved
      // Nothing follows at once, or it would keep them waiting.
      if (this.#pending.length === 0 || this.#mayGiveBack()) {
        tell?.()
        tell = null
      }
    } while (this.#pending.length > 0 || this.#mayGiveBack())
    this.#running = null
  }

  #mayGiveBack(): boolean {
    return this.#releases.length > 0 && !this.#stopResting && !this.#closing
  }

  #rest(): void {
    if (this.#closing) return
    this.#stopResting = this.#options.scheduler.after(retryMsMax, () => {
      this.#stopResting = null
      this.#running ??= this.#run()
    })
  }

  /** The requests that wait, by what they want. */
  #gather(): Waiter[][] {
    const groups = new Map<string, Waiter[]>()
    const rest: Waiter[] = []
    for (const waiter of this.#pending) {
      if (waiter.isOver) continue
      const { keyHash, endpoint, plans, version } = waiter.request
      const id = `${keyHash} ${endpoint} ${plans} ${version}`
      const group = groups.get(id)
      if (group) group.push(waiter)
      else if (groups.size < this.#options.itemsMax) groups.set(id, [waiter])
      else rest.push(waiter)
    }
    this.#pending = rest
    return [...groups.values()]
  }

  /** Returns what is left to do once it is known who got what: to tell them. */
  async #reserve(groups: readonly Waiter[][]): Promise<Tell | null> {
    const items = groups.flatMap(([first, ...others]) =>
      first ? [{ ...first.request, want: 1 + others.length }] : [],
    )
    try {
      const outcome = await this.#carryOut((session, batch) => session.reserve(batch, items), readOutcome)
      if (outcome.items.length !== items.length) throw new Error('The batch has no outcome for an item.')
      return () => {
        for (const [index, got] of outcome.items.entries())
          this.#releases.push(...shareOut(items[index]!.endpoint, got, outcome, groups[index]!))
      }
    } catch (error) {
      if (error instanceof NotCarriedOut || isDeadlock(error))
        this.#pending = [...groups.flat(), ...this.#pending]
      else if (!isLockTimeout(error)) fail(groups.flat(), error)
      // One counter is held by somebody else: alone, the others go through.
      else if (groups.length > 1) for (const group of groups) await this.#reserveAlone(group)
      else if (this.#options.onStuck) this.#options.onStuck(groups.flat().filter(({ isOver }) => !isOver))
      else fail(groups.flat(), error)
      return null
    }
  }

  /** Of a batch that was refused; some of them may have waited too long by now. */
  async #reserveAlone(group: readonly Waiter[]): Promise<void> {
    const waiting = group.filter(({ isOver }) => !isOver)
    if (waiting.length > 0) (await this.#reserve([waiting]))?.()
  }

  /** Gives units back, as many as go in a batch; returns why it could not be done. */
  async #giveBack(): Promise<unknown> {
    const releases = this.#releases.splice(0, this.#releasesMax)
    try {
      await this.#carryOut(
        (session, batch) => session.release(batch, releases),
        () => undefined,
      )
      this.#releasesMax = Math.min(this.#options.itemsMax, 2 * this.#releasesMax)
      return null
    } catch (error) {
      // They may have been given back: a second time would be a gift.
      if (error instanceof MeterTimeout) return null
      this.#releases.push(...releases)
      if (error instanceof NotCarriedOut) return null
      this.#releasesMax = Math.max(1, Math.floor(releases.length / 2))
      return error
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
    // Without a pause where there is one: whoever called may then go on with the batch on its way.
    const session = this.#session ?? (await this.#connect())
    this.#batch += 1
    const batch = this.#batch
    try {
      const result = await send(session, batch)
      this.#losses = 0
      return result
    } catch (error) {
      if (isRefusal(error)) throw error
      this.#drop()
      const text = await this.#settle(batch, error)
      if (text !== null) return read(text)
      // Whatever loses one batch after the other is not helped by haste.
      if (this.#losses > 0) await this.#pause(Math.min(retryMsMin * this.#losses, retryMsMax))
      this.#losses += 1
      throw new NotCarriedOut('the connection was lost before the batch', { cause: error })
    }
  }

  async #connect(): Promise<LaneSession> {
    try {
      this.#session = await this.#options.connect()
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

  /** @throws MeterTimeout when it is not known before the lane has to close */
  async #settle(batch: number, cause: unknown): Promise<string | null> {
    for (let attempt = 1, retryMs = retryMsMin; ; attempt += 1) {
      try {
        this.#session ??= await this.#options.connect()
        const text = await this.#session.settle(batch)
        this.#down = null
        return text
      } catch (error) {
        if (this.#closing && this.#options.scheduler.nowMs() >= this.#closing.untilMs) {
          this.#options.onFailure(error, 'the outcome of a batch is not known at the end')
          throw new MeterTimeout('the outcome of a batch is not known', { cause: error })
        }
        // Its transaction is about to end, and the database is well.
        if (isLockTimeout(error) || isDeadlock(error)) continue
        this.#drop()
        // What broke the first connection may have broken the one that was just opened. Nobody is turned away for that.
        if (attempt === 1) continue
        if (!this.#down) this.#options.onFailure(cause, 'a batch of reservations has no known outcome yet')
        this.#down = { error }
        fail(this.#pending.splice(0), error)
        await this.#pause(retryMs)
        retryMs = Math.min(2 * retryMs, retryMsMax)
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.scheduler.after(ms, resolve))
  }
}

/** Whoever waits has not been charged. */
class NotCarriedOut extends Error {
  override name = 'NotCarriedOut'
}
