import assert from 'node:assert/strict'
import type { BatchEnd, MeterObserver } from '../../platform/figures/meter.ts'
import type { Scheduler } from '../../platform/scheduler.ts'
import { distributeUnits } from './distribute-units.ts'
import { isLockTimeout } from '../../database/connect.ts'
import { isConflict, isRefusal, findShortage } from './server-errors.ts'
import { readOutcome, unitsIn, type BatchOutcome, type Release, type UnitItem } from './unit-store.ts'
import { startBatchSpan } from './trace-batch.ts'
import { MeterTimeout, type Waiter } from './waiter.ts'

/** A connection that runs the batches of one batcher, one at a time. */
export interface BatchSession {
  /** Durable when it resolves. */
  reserve: (batch: number, items: readonly UnitItem[]) => Promise<BatchOutcome>
  release: (batch: number, releases: readonly Release[]) => Promise<void>
  /** The outcome that a batch of a lost session recorded; null: it was not carried out and never will be. */
  recover: (batch: number) => Promise<string | null>
  close: () => void
}

export interface BatcherOptions {
  connect: () => Promise<BatchSession>
  scheduler: Scheduler
  /** Most items of one batch. */
  itemsMax: number
  /** Takes over requests whose counter another session holds; null: they wait for another turn, behind all others. */
  onContended: ((waiters: readonly Waiter[]) => void) | null
  /** Logs what goes wrong beyond single requests. */
  onFailure: (error: unknown, message: string) => void
  observer?: MeterObserver
}

type Mode =
  | { name: 'idle' | 'batching' | 'recovering' | 'closed' }
  | { name: 'unavailable'; error: unknown }
  | { name: 'closing'; untilMs: number }

const nextModes: Record<Mode['name'], readonly Mode['name'][]> = {
  idle: ['batching', 'closing'],
  batching: ['idle', 'recovering', 'closing'],
  recovering: ['batching', 'unavailable', 'closing'],
  unavailable: ['unavailable', 'batching', 'closing'],
  closing: ['closed'],
  closed: [],
}

const retryMsMin = 50
const retryMsMax = 500
/** Longest the batcher looks for outcomes, and gives units back, once it closes. */
const closeMsMax = 2_000
/**
 * Longest the batcher looks for an outcome at all: by then the day of its units is over. The row with the outcome is kept
 * for a week (`deleteOldBatchers`).
 */
const askedMsMax = 86_400_000
/**
 * Longest one session waits for the transaction of a lost batch to end. It takes a moment, unless that waits for a standby
 * which the node has lost: then another node may be primary by now, and a new session finds it.
 */
const lockedMsMax = 1_000

/** How long a refusal says something where no request has followed. */
const shortageMsMax = 60_000

/**
 * Reserves units for all requests that wait, in one statement, while the next ones gather: without a timer, so a
 * request alone does not wait. The outcome of a batch whose connection was lost is found out before the next begins,
 * so nothing is charged twice, and no unit is kept that no answer was given for.
 *
 * It is always in one of these modes:
 *
 * | mode        | what goes on                                                          | a new request | units given back |
 * | ----------- | --------------------------------------------------------------------- | ------------- | ---------------- |
 * | idle        | nothing waits                                                         | starts a run  | start a run      |
 * | batching    | a run: batch after batch, until nothing waits                         | waits         | wait             |
 * | recovering  | the connection was lost under a batch; its outcome is asked for       | waits         | wait             |
 * | unavailable | a new connection failed as well; it is tried again until one answers  | fails         | wait             |
 * | closing     | the run ends with what waited before, then units are given back       | fails         | wait             |
 * | closed      | the connection is closed                                              | fails         | are lost         |
 *
 * Beside the mode, `#stopResting` is set while releases rest after one that failed; requests do not wait for them.
 */
export class ReservationBatcher {
  readonly #options: BatcherOptions
  #mode: Mode = { name: 'idle' }
  #running = Promise.resolve()
  #session: BatchSession | null = null
  #batch = 0
  /** Batches of one run that were lost one after the other, with no answer between them; a refusal is an answer. */
  #losses = 0
  /** Why the last batch was refused, if the database lacked something. */
  #shortage: { reason: string; atMs: number } | null = null
  #pending: Waiter[] = []
  #releases: Release[] = []
  /** Most releases of one batch: fewer while some of them fail, or those would hold up the others. */
  #releasesMax: number
  #stopResting: (() => void) | null = null

  constructor(options: BatcherOptions) {
    this.#options = options
    this.#releasesMax = options.itemsMax
  }

  add(waiters: readonly Waiter[]): void {
    if (this.#isClosing()) return failAll(waiters, new MeterTimeout('the meter is closed'))
    if (this.#mode.name === 'unavailable') return failAll(waiters, this.#mode.error)
    for (const waiter of waiters) this.#pending.push(waiter)
    this.#start()
  }

  /** Gives back a granted unit that is of no use. Goes on trying until it is done, or the batcher closes. */
  giveBack(release: Release): void {
    this.#releases.push(release)
    this.#start()
  }

  /** Requests that wait for the batch that goes next. */
  get waiting(): number {
    return this.#pending.length
  }

  /** Whether there is a batch of which it is not known whether it was carried out. */
  get isUnsettled(): boolean {
    return this.#mode.name === 'recovering' || this.#mode.name === 'unavailable'
  }

  /** What the database lacks to carry out a batch; null: nothing, as far as the last minute tells. */
  get shortage(): string | null {
    const found = this.#shortage
    return found && this.#options.scheduler.nowMs() - found.atMs < shortageMsMax ? found.reason : null
  }

  /** Finishes what is waiting, gives back the units that no request took, and ends. */
  async close(): Promise<void> {
    const { nowMs } = this.#options.scheduler
    const untilMs = nowMs() + closeMsMax
    this.#enter({ name: 'closing', untilMs })
    this.#stopResting?.()
    await this.#running
    while (this.#releases.length > 0) {
      const error = await this.#release()
      if (error === null) continue
      if (nowMs() >= untilMs) {
        this.#options.onFailure(error, 'units that nobody got could not be given back')
        this.#releases = []
      } else await this.#pause(retryMsMin)
    }
    this.#disconnect()
    this.#enter({ name: 'closed' })
  }

  #enter(mode: Mode): void {
    assert(nextModes[this.#mode.name].includes(mode.name), `${this.#mode.name} -> ${mode.name}`)
    this.#mode = mode
  }

  /** Closing is final: a run that ends in it, or loses its connection, stays in it. */
  #enterUnlessClosing(mode: Mode): void {
    if (!this.#isClosing()) this.#enter(mode)
  }

  #isClosing(): boolean {
    return this.#mode.name === 'closing' || this.#mode.name === 'closed'
  }

  #start(): void {
    if (this.#mode.name !== 'idle') return
    this.#enter({ name: 'batching' })
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    // All requests whose bytes are there share the batch: each is read in a step of its own, and a batch that went
    // after the first of them would leave the others to the next.
    await new Promise<void>((resolve) => this.#options.scheduler.soon(resolve))
    let answer: (() => void) | null = null
    do {
      if (this.#mayRelease() && (await this.#release()) !== null) this.#rest()
      const groups = this.#gather()
      const reserved = groups.length > 0 ? this.#reserve(groups) : null
      // Only now that the next batch is on its way: the database carries it out while we write these answers.
      answer?.()
      answer = await reserved
      // Nothing follows at once, or it would keep them waiting.
      if (this.#pending.length === 0 || this.#mayRelease()) {
        answer?.()
        answer = null
      }
    } while (this.#pending.length > 0 || this.#mayRelease())
    // A connection that broke while nothing waited keeps nobody waiting for what was lost long ago.
    this.#losses = 0
    this.#enterUnlessClosing({ name: 'idle' })
  }

  #mayRelease(): boolean {
    return this.#releases.length > 0 && !this.#stopResting && !this.#isClosing()
  }

  #rest(): void {
    if (this.#isClosing()) return
    this.#stopResting = this.#options.scheduler.after(retryMsMax, () => {
      this.#stopResting = null
      this.#start()
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

  /** Reserves the units of a batch. Returns what answers its requests, and keeps the units that are left over. */
  async #reserve(groups: readonly Waiter[][]): Promise<(() => void) | null> {
    const items = groups.flatMap(([first, ...others]) =>
      first ? [{ ...first.request, want: 1 + others.length }] : [],
    )
    const startMs = this.#options.scheduler.nowMs()
    const span = startBatchSpan(groups)
    try {
      const outcome = await this.#execute((session, batch) => session.reserve(batch, items), readOutcome)
      this.#observe(groups, startMs, 'carried_out')
      const endMs = this.#options.scheduler.nowMs()
      for (const group of groups) for (const waiter of group) waiter.noteBatch(startMs, endMs)
      span?.end()
      if (outcome.items.length !== items.length) throw new Error('The batch has no outcome for an item.')
      return () => {
        let [wanted, granted] = [0, 0]
        for (const [index, item] of outcome.items.entries()) {
          this.#releases.push(...distributeUnits(items[index]!.endpoint, item, outcome, groups[index]!))
          if (typeof item === 'string') continue
          wanted += items[index]!.want
          granted += unitsIn(item)
        }
        if (granted > 0) this.#options.observer?.countUnits('granted', granted)
        if (wanted > granted) this.#options.observer?.countUnits('denied', wanted - granted)
      }
    } catch (error) {
      this.#observe(groups, startMs, isRefusal(error) ? 'refused' : 'lost')
      span?.fail(error)
      span?.end()
      const waiters = groups.flat()
      if (error instanceof NotCarriedOut || isConflict(error)) this.#pending = [...waiters, ...this.#pending]
      else if (!isLockTimeout(error)) failAll(waiters, error)
      // Another session holds one of the counters: alone, the others go through.
      else if (groups.length > 1) for (const group of groups) await this.#reserveAlone(group)
      else if (this.#options.onContended) this.#options.onContended(waiters.filter(({ isOver }) => !isOver))
      else this.#pending.push(...waiters)
      return null
    }
  }

  /** Of a batch that was refused; some of them may have waited too long by now. */
  async #reserveAlone(group: readonly Waiter[]): Promise<void> {
    const waiting = group.filter(({ isOver }) => !isOver)
    if (waiting.length > 0) (await this.#reserve([waiting]))?.()
  }

  /** Gives units back, as many as go in a batch; returns why it could not be done. */
  async #release(): Promise<unknown> {
    const releases = this.#releases.splice(0, this.#releasesMax)
    try {
      await this.#execute(
        (session, batch) => session.release(batch, releases),
        () => undefined,
      )
      this.#releasesMax = Math.min(this.#options.itemsMax, 2 * this.#releasesMax)
      const units = releases.reduce((sum, release) => sum + release.units, 0)
      this.#options.observer?.countUnits('given_back', units)
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
  async #execute<T>(
    send: (session: BatchSession, batch: number) => Promise<T>,
    read: (text: string) => T,
  ): Promise<T> {
    // Without a pause where there is a connection: the caller may then go on with the batch on its way.
    const session = this.#session ?? (await this.#connect())
    this.#batch += 1
    const batch = this.#batch
    try {
      const result = await send(session, batch)
      this.#losses = 0
      this.#shortage = null
      return result
    } catch (error) {
      if (isRefusal(error)) {
        this.#losses = 0
        const reason = findShortage(error)
        this.#shortage = reason === null ? null : { reason, atMs: this.#options.scheduler.nowMs() }
        throw error
      }
      this.#enterUnlessClosing({ name: 'recovering' })
      const text = await this.#recover(batch, error)
      this.#enterUnlessClosing({ name: 'batching' })
      if (text !== null) return read(text)
      // A pause, because haste does not help while one batch after the other is lost.
      if (this.#losses > 0) await this.#pause(Math.min(retryMsMin * this.#losses, retryMsMax))
      this.#losses += 1
      throw new NotCarriedOut('the connection was lost before the batch', { cause: error })
    }
  }

  async #connect(): Promise<BatchSession> {
    try {
      this.#session = await this.#options.connect()
      return this.#session
    } catch (error) {
      // Those that wait fail at once; the next request tries again.
      failAll(this.#pending.splice(0), error)
      throw error
    }
  }

  #disconnect(): void {
    this.#session?.close()
    this.#session = null
  }

  /** @throws MeterTimeout when the outcome is not known before the batcher has to close, or for a day */
  async #recover(batch: number, cause: unknown): Promise<string | null> {
    this.#disconnect()
    const { nowMs } = this.#options.scheduler
    const giveUpMs = nowMs() + askedMsMax
    let lockedMs = nowMs() + lockedMsMax
    for (let attempt = 1, retryMs = retryMsMin; ; attempt += 1) {
      try {
        this.#session ??= await this.#options.connect()
        return await this.#session.recover(batch)
      } catch (error) {
        const mode = this.#mode
        if (nowMs() >= (mode.name === 'closing' ? mode.untilMs : giveUpMs)) {
          this.#options.onFailure(error, 'the outcome of a batch is not known at the end')
          this.#enterUnlessClosing({ name: 'batching' })
          throw new MeterTimeout('the outcome of a batch is not known', { cause: error })
        }
        if (isLockTimeout(error) || isConflict(error)) {
          // The batch's transaction is about to end, and the database is well.
          if (nowMs() < lockedMs) continue
          this.#disconnect()
          lockedMs = nowMs() + lockedMsMax
          continue
        }
        this.#disconnect()
        // What broke the first connection may have broken the one that was just opened. No request fails for that.
        if (attempt === 1) continue
        if (mode.name === 'recovering')
          this.#options.onFailure(cause, 'a batch of reservations has no known outcome yet')
        this.#enterUnlessClosing({ name: 'unavailable', error })
        failAll(this.#pending.splice(0), error)
        await this.#pause(retryMs)
        retryMs = Math.min(2 * retryMs, retryMsMax)
      }
    }
  }

  #observe(groups: readonly Waiter[][], startMs: number, end: BatchEnd): void {
    const { observer, scheduler } = this.#options
    if (!observer) return
    const requests = groups.reduce((sum, group) => sum + group.length, 0)
    const queuedMs = startMs - (groups[0]?.[0]?.sinceMs ?? startMs)
    observer.observeBatch({ requests, queuedMs, durationMs: scheduler.nowMs() - startMs, end })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.scheduler.after(ms, resolve))
  }
}

function failAll(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) waiter.fail(error)
}

/** The requests that wait have not been charged. */
class NotCarriedOut extends Error {
  override name = 'NotCarriedOut'
}
