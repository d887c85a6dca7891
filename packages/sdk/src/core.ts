import type { Reply } from './attempt.ts'
import { showCaller } from './caller-stack.ts'
import { conceal, knownKey } from './credentials.ts'
import { ConfigurationError, RatecardError } from './errors.ts'
import { type CallView, type Hooks, notifyAll } from './hooks.ts'
import { logHooks } from './log.ts'
import { type Answer, type OperationId, operations } from './operations.ts'
import { callSettings, type RatecardOptions, readBaseUrl, type RequestOptions } from './options.ts'
import { type StartedCall, traced } from './tracing.ts'
import { buildAddress, type Parts, sendWithRetries } from './transport.ts'

export interface Core {
  readonly options: RatecardOptions
  /**
   * Makes a call; `parts` gives what goes into path, query and body. Every failure is a rejection, never thrown at
   * once, and so is what `parts` throws.
   */
  call<Id extends OperationId, Body = Answer<Id>>(
    operation: Id,
    parts?: () => Parts,
    request?: RequestOptions,
  ): Promise<Reply<Body>>
  /** Tells the hooks of a pause after a call that failed with this error. */
  readonly notifyPause: (attempt: number, delayMs: number, error: RatecardError) => void
}

const failedCalls = new WeakMap<RatecardError, StartedCall>()

export function createCore(options: RatecardOptions): Core {
  const prepare = (open?: boolean, request?: RequestOptions) => ({
    settings: callSettings(options, request, !open),
    baseUrl: readBaseUrl(options),
    secret: knownKey(options),
  })
  // Most calls set nothing of their own.
  let usual: ReturnType<typeof prepare> | undefined
  let watching: readonly Hooks[] | undefined
  const watchers = () => (watching ??= [options.hooks, logHooks()].filter((hooks) => hooks !== undefined))

  async function run(
    view: StartedCall,
    watchers: readonly Hooks[],
    parts: () => Parts,
    request: RequestOptions | undefined,
  ): Promise<Reply> {
    const startedAt = performance.now()
    const operation = operations[view.operation]
    let sent: { attempts: number } | undefined
    let status: number | undefined
    let error: RatecardError | undefined
    try {
      const isOwn = request !== undefined || operation.open || typeof options.headers === 'function'
      const { baseUrl, secret, settings } = isOwn ? prepare(operation.open, request) : (usual ??= prepare())
      const { body, ...params } = parts()
      const url = buildAddress(baseUrl, operation.path, params)
      view.url = conceal(url, secret)
      const call = {
        view: view as CallView,
        operation,
        url,
        body: body === undefined ? null : JSON.stringify(body),
        settings,
        watchers,
        attempts: 0,
      }
      sent = call
      const reply = await sendWithRetries(call)
      status = reply.response.status
      return reply
    } catch (thrown) {
      error = asError(thrown)
      showCaller(error, run)
      failedCalls.set(error, view)
      ;({ status } = error as { status?: number })
      throw error
    } finally {
      notifyAll(watchers, 'onEnd', () => ({
        ...view,
        outcome: error ? 'error' : 'success',
        status,
        attempts: error?.attempts ?? sent?.attempts ?? 0,
        durationMs: performance.now() - startedAt,
        error,
      }))
    }
  }

  return {
    options,
    call<Body>(operation: OperationId, parts: () => Parts = () => ({}), request?: RequestOptions) {
      const view = { callId: newCallId(), operation, method: operations[operation].method, url: undefined }
      return traced(view, watchers(), (all) => run(view, all, parts, request)) as Promise<Reply<Body>>
    },
    notifyPause: (attempt, delayMs, error) => {
      const view = failedCalls.get(error) as CallView
      notifyAll(watchers(), 'onRetry', () => ({ ...view, attempt, delayMs, error }))
    },
  }
}

export function asError(thrown: unknown): RatecardError {
  if (thrown instanceof RatecardError) return thrown
  // An invalid Date, half a surrogate pair, a body that refers to itself.
  return new ConfigurationError(`The call cannot be made: ${(thrown as Error).message}`, { cause: thrown })
}

let lastCall = 0
let prefix = ''

/** Short, and not met twice in the logs of a fleet. Made late: some runtimes allow no chance while modules load. */
function newCallId(): string {
  prefix ||= Math.random().toString(36).slice(2, 8) || '0'
  return `${prefix}-${++lastCall}`
}
