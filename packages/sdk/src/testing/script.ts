import { checkNames, checkOneOf, isObject } from './refusal.ts'
import { operations } from './routes.ts'
import type { FakeOperation } from './rows.ts'

/** What goes wrong with the next requests. Give a `status`, a `connection` failure, or only a delay. */
export interface FakeFailure {
  /** Only requests of this operation; any when left out. */
  operation?: FakeOperation | undefined
  /** How many requests it happens to; 1 unless said otherwise, `Infinity` until `stopFailing()`. */
  times?: number | undefined
  /**
   * The status to answer with, 200 to 599. The request is neither carried out nor counted. A 503 asks the client to wait
   * for a second, as the service does: fake the timers of your test, or make the client with `maxRetries: 0`.
   */
  status?: number | undefined
  /** Sent as JSON, unless it is text. By default the error body of Ratecard for this status, else nothing. */
  body?: unknown
  /** Added to the headers of the answer; null takes one away. */
  headers?: Record<string, string | null> | undefined
  /**
   * `refused`: the request never arrives. `lost`: it is carried out and counted, but the answer never comes back.
   */
  connection?: 'refused' | 'lost' | undefined
  /** How long to wait first, in milliseconds; `Infinity` hangs until the request is aborted. */
  delayMs?: number | undefined
}

/** What was scripted and has not happened yet. */
export class Script {
  #steps: { failure: FakeFailure; left: number }[] = []

  add(failure: FakeFailure): void {
    const given: FakeFailure = isObject(failure) ? failure : {}
    const names = ['operation', 'times', 'status', 'body', 'headers', 'connection', 'delayMs']
    checkNames('failNext', given, names)
    const { operation, times = 1, status, headers = {}, delayMs = 0, connection } = given
    if (!(times >= 1)) throw new RangeError('`times` is at least 1.')
    if (!(delayMs >= 0)) throw new RangeError('`delayMs` is at least 0.')
    if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new RangeError('`status` is 200 to 599.')
    }
    if (operation !== undefined) checkOneOf('operation', operation, operations)
    if (connection !== undefined) checkOneOf('connection', connection, ['refused', 'lost'])
    // The entries of a Headers are not its properties, so none of them would be sent.
    if (!isObject(headers) || headers instanceof Headers)
      throw new TypeError('`headers` is an object of names and values, such as { "retry-after": "1" }.')
    if (status === undefined && connection === undefined && given.delayMs === undefined) {
      throw new TypeError('Say what goes wrong: give `status`, `connection` or `delayMs`.')
    }
    this.#steps.push({ failure: given, left: times })
  }

  clear(): void {
    this.#steps = []
  }

  /** What happens to this request; undefined: nothing. */
  take(operation: FakeOperation): FakeFailure | undefined {
    const step = this.#steps.find(
      ({ failure }) => failure.operation === undefined || failure.operation === operation,
    )
    if (!step) return undefined
    step.left -= 1
    if (step.left <= 0) this.#steps = this.#steps.filter((other) => other !== step)
    return step.failure
  }
}

/** Waits; rejects with the signal's reason when it is aborted meanwhile. */
export async function wait(ms: number, signal: AbortSignal | null): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = ms === Infinity ? undefined : setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

/** What `fetch` throws when there is no connection: a TypeError whose cause has a code. */
export class NoConnection extends TypeError {
  constructor(kind: 'refused' | 'lost') {
    const code = kind === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET'
    super('fetch failed', { cause: Object.assign(new Error(`${code} (scripted)`), { code }) })
  }
}
