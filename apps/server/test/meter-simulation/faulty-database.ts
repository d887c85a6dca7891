import {
  readOutcome,
  type DailyLimits,
  type Release,
  type UnitItem,
} from '../../src/features/metering/unit-store.ts'
import type { BatchSession } from '../../src/features/metering/reservation-batcher.ts'
import { budgets } from '../../src/platform/budgets.ts'
import { BatchGivenUp, type ModelDatabase } from './model-database.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The fates of a statement. */
export const fates = [
  'well',
  'lost before it arrives',
  'arrives after the reset',
  'answer lost',
  'silence',
  'slow',
  'slow commit',
  'deadlock',
  'serialization failure',
  'statement time-out',
  'disk full',
  'ended before',
  'ended after the commit',
] as const
export type Fate = (typeof fates)[number]

/** A server process, as far as the database knows it. */
export interface SimulatedProcess {
  name: string
  isAlive: boolean
  sessionsOpen: number
  /** Units charged by it and not given back. */
  charged: number
}

export interface FaultyDatabaseOptions {
  model: ModelDatabase
  time: VirtualTime
  random: Random
  limits: DailyLimits
  /** The database's clock. */
  clockMs: () => number
  trace: (line: string) => void
}

interface Transaction {
  locks: string[]
  rollBack: () => void
}

const statementTimeoutMs = 1_500
const silenceMs = 1_700
const connectTimeoutMs = 2_000

/** The model behind a network and a server that fail by the seed: connections, locks, open transactions. */
export class FaultyDatabase {
  /** How likely something goes wrong with a statement or a connection. */
  faultRate = 0
  /** How often each fate was met. */
  readonly met = new Map<string, number>()
  readonly #options: FaultyDatabaseOptions
  readonly #locks = new Map<string, Transaction>()
  /** Statements that wait for rows: each looks again when some are free. */
  readonly #waiting = new Set<() => void>()
  readonly #breaks = new Set<() => void>()
  #down: 'refuses' | 'is silent' | null = null
  /** Statements of an earlier life of the server are gone. */
  #life = 0
  #nextBatcher = 0

  constructor(options: FaultyDatabaseOptions) {
    this.#options = options
  }

  /** As `batchSessionConnector` opens them. */
  connector(process: SimulatedProcess): () => Promise<BatchSession> {
    this.#nextBatcher += 1
    const batcher = `${process.name}/${this.#nextBatcher}`
    return () => this.#connect(process, batcher)
  }

  /** Another session holds a row for a while. */
  hold(lock: string, ms: number): void {
    if (this.#locks.has(lock)) return
    const holder: Transaction = { locks: [lock], rollBack: () => undefined }
    this.#lock(holder)
    this.#options.time.after(ms, () => this.#unlock(holder))
  }

  /** Ends everything, as a crash does, and stays away. */
  fail(how: 'refuses' | 'is silent', ms: number): void {
    if (this.#down) return
    this.#down = how
    this.#life += 1
    for (const transaction of new Set(this.#locks.values())) transaction.rollBack()
    this.#locks.clear()
    this.#waiting.clear()
    if (how === 'refuses') for (const breakConnection of [...this.#breaks]) breakConnection()
    this.#options.time.after(ms, () => (this.#down = null))
  }

  #count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }

  #connect(process: SimulatedProcess, batcher: string): Promise<BatchSession> {
    const { time, random, trace } = this.#options
    return new Promise((resolve, reject) => {
      const later = (ms: number, work: () => void) => time.after(ms, () => process.isAlive && work())
      const fault = random.chance(this.faultRate / 2) ? random.pick(['refused', 'slow', 'silent']) : 'none'
      if (fault !== 'none') this.#count(`connection ${fault}`)
      trace(`${batcher} connects${fault === 'none' ? '' : `: ${fault}`}`)
      if (fault === 'silent') return later(connectTimeoutMs, () => reject(new Error('connect time-out')))
      later(fault === 'slow' ? random.between(50, 1_900) : random.between(0, 3), () => {
        if (this.#down === 'is silent')
          return later(connectTimeoutMs, () => reject(new Error('connect time-out')))
        if (this.#down || fault === 'refused') return reject(new Error('ECONNREFUSED'))
        resolve(this.#open(process, batcher))
      })
    })
  }

  #open(process: SimulatedProcess, batcher: string): BatchSession {
    const { model, limits, clockMs } = this.#options
    const life = this.#life
    let isBroken = false
    let isClosed = false
    let failCurrent: ((error: Error) => void) | null = null
    const breakConnection = () => {
      isBroken = true
      failCurrent?.(new Error('ECONNRESET'))
    }
    this.#breaks.add(breakConnection)
    process.sessionsOpen += 1

    const send = (
      name: string,
      locks: () => string[],
      work: () => string | null,
      onCommit: (text: string) => void,
    ) =>
      new Promise<string | null>((resolve, reject) => {
        if (isClosed) throw new Error('A statement was sent on a session that was closed.')
        if (failCurrent) throw new Error('A statement was sent before the one before it had ended.')
        const stopWaiting = this.#options.time.after(silenceMs, () =>
          answer(() => reject(new Error('no answer'))),
        )
        const answer = (how: () => void) => {
          if (!failCurrent) return
          failCurrent = null
          stopWaiting()
          if (process.isAlive) how()
        }
        failCurrent = (error) => answer(() => reject(error))
        if (isBroken) return breakConnection()
        const backend = { life, batcher, name, locks, work, onCommit }
        this.#send(backend, {
          answer: (text) => answer(() => resolve(text)),
          refuse: (code) => answer(() => reject(serverError('ERROR', code))),
          end: () => {
            isBroken = true
            answer(() => reject(serverError('FATAL', '57P01')))
          },
          reset: breakConnection,
        })
      })

    return {
      reserve: async (number, items) => {
        const text = await send(
          `reserve ${number}`,
          () => [`batcher ${batcher}`, ...this.#locksOf(items)],
          () => model.reserveUnits({ batcher, number }, limits, items, clockMs()),
          (outcome) => (process.charged += unitsOf(outcome)),
        )
        return readOutcome(text ?? '')
      },
      release: async (number, releases) => {
        await send(
          `release ${number}`,
          () => [`batcher ${batcher}`, ...releases.map((release) => this.#lockOf(release))],
          () => {
            model.releaseUnits({ batcher, number }, releases)
            return ''
          },
          () => {
            process.charged -= releases.reduce((sum, { units }) => sum + units, 0)
          },
        )
      },
      recover: (number) =>
        send(
          `settle ${number}`,
          () => [`batcher ${batcher}`],
          () => model.recoverBatch({ batcher, number }),
          () => undefined,
        ),
      close: () => {
        if (!isClosed) process.sessionsOpen -= 1
        isClosed = true
        this.#breaks.delete(breakConnection)
      },
    }
  }

  #drawFate(): Fate {
    const { random } = this.#options
    return random.chance(this.faultRate) ? random.pick(fates) : 'well'
  }

  #send(
    statement: {
      life: number
      batcher: string
      name: string
      locks: () => string[]
      work: () => string | null
      onCommit: (text: string) => void
    },
    client: {
      answer: (text: string | null) => void
      refuse: (code: string) => void
      end: () => void
      reset: () => void
    },
  ): void {
    const { time, random, model, trace } = this.#options
    const fate = this.#drawFate()
    this.#count(fate)
    trace(`${statement.batcher} sends ${statement.name}${fate === 'well' ? '' : `: ${fate}`}`)
    const isGone = () => this.#life !== statement.life || this.#down !== null
    const later = (ms: number, work: () => void) => time.after(ms, () => !isGone() && work())
    const finish = (text: string | null) => {
      if (fate === 'answer lost') return void later(random.between(0, 30), client.reset)
      if (fate === 'silence') return
      if (fate === 'ended after the commit') return void later(1, client.end)
      later(random.between(0, 2), () => client.answer(text))
    }
    const commit = (transaction: Transaction, text: string | null) => {
      this.#unlock(transaction)
      statement.onCommit(text ?? '')
      trace(`${statement.batcher} committed ${statement.name}`)
      finish(text)
    }
    const carryOut = (locks: string[]) => {
      try {
        const { result, rollBack } = model.transact(statement.work)
        const transaction = { locks, rollBack }
        this.#lock(transaction)
        // Even without a fault others may come between a statement and its commit.
        const commitMs = fate === 'slow commit' ? random.between(50, 3_000) : random.between(0, 1)
        later(commitMs, () => commit(transaction, result))
      } catch (error) {
        if (!(error instanceof BatchGivenUp)) throw error
        trace(`${statement.batcher} refused ${statement.name}: given up before`)
        client.refuse('P0001')
      }
    }
    const arrive = () => {
      const wait = () => {
        const stopWaiting = later(budgets.batchLockMs, () => {
          this.#waiting.delete(look)
          this.#count('lock time-out')
          trace(`${statement.batcher} refused ${statement.name}: lock time-out`)
          client.refuse('55P03')
        })
        const look = () => {
          const locks = statement.locks()
          if (!isGone() && locks.some((lock) => this.#locks.has(lock))) return
          this.#waiting.delete(look)
          stopWaiting()
          if (!isGone()) carryOut(locks)
        }
        this.#waiting.add(look)
        look()
      }
      if (fate === 'deadlock') client.refuse('40P01')
      else if (fate === 'serialization failure') client.refuse('40001')
      else if (fate === 'disk full') client.refuse('53100')
      else if (fate === 'statement time-out') later(statementTimeoutMs, () => client.refuse('57014'))
      else if (fate === 'ended before') client.end()
      else if (fate === 'slow') later(random.between(20, 1_400), wait)
      else wait()
    }
    if (fate === 'lost before it arrives') return void later(random.between(0, 50), client.reset)
    if (fate === 'arrives after the reset') {
      later(random.between(0, 20), client.reset)
      return void later(random.between(20, 4_000), arrive)
    }
    time.after(random.between(0, 2), () => {
      if (!isGone()) arrive()
      // Back from silence it knows nothing of the connection.
      else if (!this.#down) client.reset()
    })
  }

  #locksOf(items: readonly UnitItem[]): string[] {
    const { model, clockMs, limits } = this.#options
    const day = new Date(clockMs()).toISOString().slice(0, 10)
    const wants = new Map<string, number>()
    return items.flatMap((item) => {
      const key = model.activeKey(item.keyHash, clockMs())
      if (!key) return []
      const subject = key.quotaSubject
      wants.set(subject, (wants.get(subject) ?? 0) + item.want)
      const left = limits.free - (model.planUsed.get(`${subject} ${day}`) ?? 0)
      const isShort = (wants.get(subject) ?? 0) > left
      return [`counter ${subject}`, ...(isShort ? [`account ${key.accountId}`] : [])]
    })
  }

  #lockOf({ quotaSubject, packId }: Release): string {
    const pack = this.#options.model.packs.find(({ id }) => id === packId)
    return pack ? `account ${pack.accountId}` : `counter ${quotaSubject}`
  }

  #lock(transaction: Transaction): void {
    for (const lock of transaction.locks) this.#locks.set(lock, transaction)
  }

  #unlock(transaction: Transaction): void {
    for (const lock of transaction.locks) if (this.#locks.get(lock) === transaction) this.#locks.delete(lock)
    for (const look of [...this.#waiting]) look()
  }
}

function serverError(severity: string, code: string): Error {
  return Object.assign(new Error(`${severity} ${code}`), { severity, code })
}

function unitsOf(outcome: string): number {
  return readOutcome(outcome).items.reduce((sum, item) => {
    if (typeof item === 'string') return sum
    const others = [...item.gapUnits, ...item.packUnits]
    return sum + item.planUnits + others.reduce((units, part) => units + part.units, 0)
  }, 0)
}
