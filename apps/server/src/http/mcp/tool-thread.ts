import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { logRepeated } from '../../platform/log-repeated.ts'
import type { Logger } from '../../platform/logger.ts'
import { Thread, ThreadTimeout } from '../../threads/thread.ts'
import type { readSnapshotFile } from '../files/export-files.ts'
import { tools } from '../limits/index.ts'
import { ApiError } from '../pipeline/errors.ts'
import { NotLetIn } from '../pipeline/shed.ts'
import type { RemoteAnswer, RemoteRequest } from './generated/remote.js'

/** What the thread is asked: to take other prices, or to answer a message. */
export type Asked = { prices: Uint8Array<ArrayBuffer> } | { request: RemoteRequest }
/** `failure` is what nobody has foreseen, for the log. */
export interface Answered {
  answer: RemoteAnswer
  failure: string | null
}

/** 9,000 prices take some 100 MB. */
const memoryMb = 512
/** Reading all prices takes some 0.5 s, on a machine that is busy several seconds. */
const loadMsMax = 30_000
/** Prices that move all the time are taken over once in a while: every answer says how old they are. */
const freshMs = 60_000
const retryMs = 5_000
const idleMs = 10 * 60_000

type ReadPrices = (known: string | null) => ReturnType<typeof readSnapshotFile>

/**
 * The tools in a thread, with all prices in its memory: what they work out holds up no other request.
 */
export class ToolThread {
  readonly #readPrices: ReadPrices
  readonly #logger: Logger
  readonly #answerMsMax: number
  readonly #turn: KeyedSemaphore
  readonly #ofNetwork: KeyedSemaphore
  readonly #thread = new Thread<Asked, Answered | null>(new URL('./answer-thread.ts', import.meta.url), {
    ...{ memoryMb, idleMs },
    onEnd: () => (this.#sha256 = null),
  })
  /** The hash of the prices that the thread has. */
  #sha256: string | null = null
  #lookAtMs = 0
  #loading: Promise<void> | null = null

  constructor(readPrices: ReadPrices, logger: Logger, limits = tools) {
    const { waitingMax, waitMsMax: timeoutMs, ofNetworkMax: max } = limits.answering
    this.#readPrices = readPrices
    this.#logger = logger
    this.#answerMsMax = limits.answerMsMax
    this.#turn = new KeyedSemaphore({ max: 1, timeoutMs, waitingMax })
    this.#ofNetwork = new KeyedSemaphore({ max, timeoutMs, waitingMax: 0 })
  }

  /**
   * @param network who asks
   * @param needsPrices whether it waits for prices, where there are none yet
   * @throws ApiError and SemaphoreTimeout (503) while too many ask, or the prices are being read
   */
  async answer(request: RemoteRequest, network: string, needsPrices: boolean): Promise<RemoteAnswer> {
    return this.#ofNetwork.run(network, async () => {
      const loading = this.#refresh()
      if (needsPrices && this.#sha256 === null) await loading
      const { answer, failure } = (await this.#turn.run('message', () =>
        this.#ask({ request }, this.#answerMsMax),
      ))!
      if (failure !== null)
        logRepeated(this.#logger, 'error', { kind: failure, facts: { failure }, message: 'a tool failed' })
      return answer
    })
  }

  /** Looks for newer prices, where it is time to. What is there meanwhile is told with its age. */
  #refresh(): Promise<void> {
    if (this.#sha256 !== null && performance.now() < this.#lookAtMs) return Promise.resolve()
    this.#loading ??= this.#load()
      .catch((err: unknown) => {
        this.#lookAtMs = performance.now() + retryMs
        const [kind, message] = ['prices of tools', 'the tools have no new prices']
        logRepeated(this.#logger, 'warn', { kind, facts: { err }, message })
        throw err
      })
      .finally(() => (this.#loading = null))
    this.#loading.catch(() => undefined)
    return this.#loading
  }

  async #load(): Promise<void> {
    const found = await this.#readPrices(this.#sha256)
    if (found !== null) {
      const { content: prices, sha256 } = found
      await this.#turn.run('message', () => this.#ask({ prices }, loadMsMax, [prices.buffer]))
      this.#sha256 = sha256
    }
    this.#lookAtMs = performance.now() + freshMs
  }

  /** @throws ApiError (503) when it takes too long, Error when the thread breaks */
  async #ask(asked: Asked, timeoutMs: number, transfer?: ArrayBuffer[]): Promise<Answered | null> {
    try {
      return await this.#thread.ask(asked, timeoutMs, transfer)
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error
      throw new ApiError('service_unavailable', { cause: new NotLetIn('a tool takes too long') })
    }
  }
}
