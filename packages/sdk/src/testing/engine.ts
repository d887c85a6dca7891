import type { ErrorCode } from '@ratecard/contract'
import { bearerKey } from '@ratecard/contract/api-key'
import { encodeCursor } from '@ratecard/contract/cursor'
import { ApiError, errorBody, errorKinds, quotaExceeded } from '@ratecard/contract/errors'
import { percentDecode } from '@ratecard/contract/input'
import { freeOperations, meteredAs } from '@ratecard/contract/plans'
import { Accounts, type Caller } from './accounts.ts'
import { fakeId } from './api-key.ts'
import { readWebhookInput } from './body.ts'
import { Changes } from './changes.ts'
import type { PageOfRows } from './rows-in-order.ts'
import type { FakeClock } from './clock.ts'
import { loggable, type FakeRequest, type ReceivedCall } from './log.ts'
import { readQuota, takeUnit, toUsage } from './meter.ts'
import { Prices } from './prices.ts'
import { readListQuery } from './query.ts'
import { findRoute, type Route } from './routes.ts'
import { checkValue } from './schema.ts'
import { NoConnection, Script, wait, type FakeFailure } from './script.ts'
import { Webhooks } from './webhooks.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  /** Null where HTTP has none. */
  body: string | null
}

/** One request on its way to its answer. */
interface Context {
  readonly call: ReceivedCall
  /** Those of the answer. */
  readonly headers: Record<string, string>
  caller: Caller | null
}

/** Ratecard in memory: answers requests in the order of checks that the contract fixes. */
export class Engine {
  readonly accounts: Accounts
  readonly prices = new Prices()
  readonly changes = new Changes()
  readonly webhooks = new Webhooks()
  readonly script = new Script()
  readonly log: FakeRequest[] = []
  readonly #clock: FakeClock
  readonly #plansUrl: string

  constructor(clock: FakeClock, plansUrl: string) {
    this.#clock = clock
    this.#plansUrl = plansUrl
    this.accounts = new Accounts(clock)
  }

  /**
   * Answers a request.
   * @throws TypeError a scripted connection failure, as `fetch` throws it
   */
  async answer(call: ReceivedCall, signal: AbortSignal | null): Promise<Answer> {
    const requestId = fakeId('req', this.log.length + 1)
    const entry: FakeRequest = {
      ...loggable(call),
      requestId,
      operation: null,
      keyId: null,
      status: null,
      at: new Date(this.#clock.nowMs()),
    }
    this.log.push(entry)
    const context: Context = { call, headers: commonHeaders(call.path, requestId), caller: null }
    let scripted: FakeFailure | undefined
    let answer: Answer
    try {
      const route = findRoute(call.method, call.path)
      entry.operation = route.operation
      scripted = this.script.take(route.operation)
      if (scripted?.delayMs !== undefined) await wait(scripted.delayMs, signal)
      if (scripted?.connection === 'refused') throw new NoConnection('refused')
      context.caller = this.#authenticate(route, context)
      entry.keyId = context.caller?.keyId ?? null
      answer =
        scripted?.status === undefined ? this.#serve(route, context) : this.#scripted(context, scripted)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      answer = this.#failureAnswer(context, error)
    }
    if (scripted?.connection === 'lost') throw new NoConnection('lost')
    entry.status = answer.status
    if (call.method === 'HEAD') answer.body = null
    return answer
  }

  #authenticate(route: Route, { call, headers }: Context): Caller | null {
    if (route.isPublic) return null
    const caller = this.accounts.find(bearerKey(call.headers.get('authorization') ?? ''))
    if (!caller) throw new ApiError('unauthorized')
    setQuota(headers, readQuota(caller, this.#clock))
    return caller
  }

  #serve(route: Route, context: Context): Answer {
    const { caller, call } = context
    if (caller && !caller.isPaid && !freeOperations.has(route.operation)) throw new ApiError('forbidden')
    const [, rawId = ''] = route.path.exec(call.path) ?? []
    const id = percentDecode(rawId, 'The path parameter id')
    const query = readListQuery(call.query, route)
    if (route.pathParameters.id) checkValue(id, route.pathParameters.id, ['id'])
    const input = route.body && readWebhookInput(call.body, call.headers, route.body)
    this.#take(route, context)
    switch (route.operation) {
      case 'getHealth':
        return buildAnswer(context, { status: 'ok', timestamp: this.#clock.nowText() })
      case 'listPrices':
        return listAnswer(context, this.prices.page(query))
      case 'listChanges':
        return listAnswer(context, this.changes.page(query))
      case 'getUsage':
        return buildAnswer(context, toUsage(caller!, this.#plansUrl, this.#clock))
      case 'listWebhooks':
        return buildAnswer(context, { data: this.webhooks.list(caller!.account) })
      case 'createWebhook': {
        const data = this.webhooks.create(caller!, input!, this.#clock)
        if (data === null) throw new ApiError('webhook_limit_reached')
        return buildAnswer(context, { data }, 201)
      }
      case 'deleteWebhook':
        if (this.webhooks.delete(caller!.account, id)) return buildAnswer(context, { success: true })
        throw new ApiError('not_found', {
          message: 'You have no webhook with this id. GET /v1/webhooks lists those you have.',
        })
    }
  }

  #take({ operation }: Route, { caller, headers }: Context): void {
    const endpoint = meteredAs[operation]
    if (!caller || !endpoint) return
    const quota = takeUnit(caller, endpoint, this.#clock)
    if (!quota) throw quotaExceeded(this.#secondsToMidnight())
    setQuota(headers, quota)
  }

  #secondsToMidnight(): number {
    return Math.max(1, Math.ceil((this.#clock.midnightMs() - this.#clock.nowMs()) / 1000))
  }

  #failureAnswer(context: Context, { code, status, message, headers }: ApiError): Answer {
    if (code === 'unauthorized') context.headers['WWW-Authenticate'] = 'Bearer'
    Object.assign(context.headers, headers)
    const urls = { upgrade_url: this.#plansUrl, topup_url: this.#plansUrl }
    return buildAnswer(context, errorBody(code, message, urls), status)
  }

  #scripted(context: Context, failure: FakeFailure): Answer {
    const { status = 200 } = failure
    const code = codes.find((candidate) => errorKinds[candidate].status === status)
    if (code === 'quota_exceeded') context.headers['Retry-After'] = String(this.#secondsToMidnight())
    if (code === 'service_unavailable') context.headers['Retry-After'] = '1'
    if (code === 'service_unavailable' || code === 'unauthorized') forgetQuota(context.headers)
    const usual = code && this.#failureAnswer(context, new ApiError(code))
    const answer = usual ?? { status, headers: { ...context.headers }, body: '' }
    if (!usual) delete answer.headers['Content-Type']
    if (failure.body !== undefined) {
      const isText = typeof failure.body === 'string'
      answer.body = isText ? (failure.body as string) : JSON.stringify(failure.body)
      answer.headers['Content-Type'] = isText ? 'text/plain; charset=utf-8' : jsonType
    }
    for (const [name, value] of Object.entries(failure.headers ?? {})) {
      const same = Object.keys(answer.headers).find((other) => other.toLowerCase() === name.toLowerCase())
      if (same !== undefined) delete answer.headers[same]
      if (value !== null) answer.headers[name] = value
    }
    if ([204, 205, 304].includes(status)) answer.body = null
    return answer
  }
}

const codes = Object.keys(errorKinds) as ErrorCode[]
const jsonType = 'application/json; charset=utf-8'

function commonHeaders(path: string, requestId: string): Record<string, string> {
  const headers = {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': jsonType,
  }
  if (/^\/v1(\/|$)/i.test(path)) {
    return { ...headers, 'Cache-Control': 'private, no-store', Vary: 'Authorization, Accept-Encoding' }
  }
  return { ...headers, ...(path === '/health' && { 'Cache-Control': 'no-store' }), Vary: 'Accept-Encoding' }
}

function setQuota(headers: Answer['headers'], quota: ReturnType<typeof readQuota>): void {
  forgetQuota(headers)
  headers['X-RateLimit-Limit'] = String(quota.limit)
  headers['X-RateLimit-Remaining'] = String(quota.remaining)
  headers['X-RateLimit-Reset'] = String(quota.resetAtSeconds)
  if (quota.topup) headers['X-RateLimit-Topup'] = 'true'
}

function forgetQuota(headers: Answer['headers']): void {
  for (const name of ['Limit', 'Remaining', 'Reset', 'Topup']) delete headers[`X-RateLimit-${name}`]
}

function buildAnswer({ headers }: Context, body: object, status = 200): Answer {
  return { status, headers, body: JSON.stringify(body) }
}

function listAnswer(context: Context, { rows, next }: PageOfRows<object>): Answer {
  const pagination = next && { pagination: { next_cursor: encodeCursor(next) } }
  return buildAnswer(context, { schema_version: 1, data: rows, ...pagination })
}
