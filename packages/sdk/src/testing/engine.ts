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
import { instantText, type FakeClock } from './clock.ts'
import { loggable, type FakeRequest, type ReceivedCall } from './log.ts'
import { readQuota, takeUnit, type QuotaReading } from './meter.ts'
import { Prices } from './prices.ts'
import { readListQuery } from './query.ts'
import { findRoute, type Route } from './routes.ts'
import { checkValue } from './schema.ts'
import { NoConnection, Script, wait, type FakeFailure } from './script.ts'
import { usageOf } from './usage.ts'
import { Webhooks } from './webhooks.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  /** Null where HTTP has none. */
  body: string | null
}

/** Ratecard in memory: answers requests in the order of checks that the contract fixes. */
export class Engine {
  readonly accounts: Accounts
  readonly prices = new Prices()
  readonly changes = new Changes()
  readonly webhooks = new Webhooks()
  readonly script = new Script()
  readonly #clock: FakeClock
  readonly #plansUrl: string
  #log: FakeRequest[] = []

  constructor(clock: FakeClock, plansUrl: string) {
    this.#clock = clock
    this.#plansUrl = plansUrl
    this.accounts = new Accounts(clock)
  }

  get log(): readonly FakeRequest[] {
    return this.#log
  }

  clear(): void {
    for (const part of [this.accounts, this.prices, this.changes, this.webhooks, this.script]) part.clear()
    this.#log = []
  }

  /**
   * Answers a request.
   * @throws TypeError a scripted connection failure, as `fetch` throws it
   */
  async answer(call: ReceivedCall, signal: AbortSignal | null): Promise<Answer> {
    const requestId = fakeId('req', this.#log.length + 1)
    const entry: FakeRequest = {
      ...loggable(call),
      requestId,
      operation: null,
      keyId: null,
      status: null,
      at: new Date(this.#clock.nowMs()),
    }
    this.#log.push(entry)
    const context = new Context(call, commonHeaders(call.path, requestId))
    const answer = await this.#answerOrFail(context, entry, signal)
    entry.status = answer.status
    if (call.method === 'HEAD') answer.body = null
    return answer
  }

  async #answerOrFail(context: Context, entry: FakeRequest, signal: AbortSignal | null): Promise<Answer> {
    const { call } = context
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
    return answer
  }

  #authenticate(route: Route, context: Context): Caller | null {
    if (route.isPublic) return null
    const caller = this.accounts.find(bearerKey(context.call.headers.get('authorization') ?? ''))
    if (!caller) throw new ApiError('unauthorized')
    context.setQuota(readQuota(caller.counter, caller.dailyLimit, this.#clock))
    return caller
  }

  #serve(route: Route, context: Context): Answer {
    const { caller, call } = context
    if (caller && !caller.isPaid && !freeOperations.has(route.operation)) throw new ApiError('forbidden')
    const [, rawId = ''] = route.path.exec(call.path) ?? []
    const id = percentDecode(rawId, 'The path parameter id')
    const query = readListQuery(call.query, route)
    const take = () => this.#take(route, context)
    switch (route.operation) {
      case 'getHealth':
        return context.answer(200, { status: 'ok', timestamp: instantText(this.#clock.nowMs() * 1000) })
      case 'listPrices':
        return this.#listAnswer(context, take, this.prices.page(query))
      case 'listChanges':
        return this.#listAnswer(context, take, this.changes.page(query))
      case 'getUsage':
        return context.answer(200, usageOf(caller!, this.#plansUrl, this.#clock))
      case 'listWebhooks':
        take()
        return context.answer(200, { data: this.webhooks.list(caller!.account) })
      case 'createWebhook': {
        const input = readWebhookInput(call.body, call.headers, route.body!)
        take()
        const { account, activeWebhooksMax } = caller!
        const data = this.webhooks.create(account, input, activeWebhooksMax, this.#clock)
        if (data === null) throw new ApiError('webhook_limit_reached')
        return context.answer(201, { data })
      }
      case 'deleteWebhook':
        checkValue(id, route.pathParameters.id!, ['id'])
        take()
        if (this.webhooks.delete(caller!.account, id)) return context.answer(200, { success: true })
        throw new ApiError('not_found', {
          message: 'You have no webhook with this id. GET /v1/webhooks lists those you have.',
        })
    }
  }

  #listAnswer<Row extends { updated_at: string }>(
    context: Context,
    take: () => void,
    { rows, next }: PageOfRows<Row>,
  ): Answer {
    take()
    const pagination = next && { pagination: { next_cursor: encodeCursor(next) } }
    return context.answer(200, { schema_version: 1, data: rows, ...pagination })
  }

  #take({ operation }: Route, context: Context): void {
    const { caller } = context
    const endpoint = meteredAs[operation]
    if (!caller || !endpoint) return
    const { counter, dailyLimit: limit, account } = caller
    const quota = takeUnit({ counter, limit, packs: account.packs }, endpoint, this.#clock)
    if (!quota) throw quotaExceeded(this.#secondsToMidnight())
    context.setQuota(quota)
  }

  #secondsToMidnight(): number {
    return Math.max(1, Math.ceil((this.#clock.midnightMs() - this.#clock.nowMs()) / 1000))
  }

  #failureAnswer(context: Context, { code, status, message, headers }: ApiError): Answer {
    if (code === 'unauthorized') context.headers['WWW-Authenticate'] = 'Bearer'
    Object.assign(context.headers, headers)
    const urls = { upgrade_url: this.#plansUrl, topup_url: this.#plansUrl }
    return context.answer(status, errorBody(code, message, urls))
  }

  #scripted(context: Context, failure: FakeFailure): Answer {
    const { status = 200 } = failure
    const code = codes.find((candidate) => errorKinds[candidate].status === status)
    if (code === 'quota_exceeded') context.headers['Retry-After'] = String(this.#secondsToMidnight())
    if (code === 'service_unavailable') context.headers['Retry-After'] = '1'
    if (code === 'service_unavailable' || code === 'unauthorized') context.forgetQuota()
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

/** One request on its way to its answer. */
class Context {
  readonly call: ReceivedCall
  readonly headers: Record<string, string>
  caller: Caller | null = null

  constructor(call: ReceivedCall, headers: Record<string, string>) {
    this.call = call
    this.headers = headers
  }

  setQuota({ limit, remaining, resetAtSeconds, topup }: QuotaReading): void {
    this.forgetQuota()
    this.headers['X-RateLimit-Limit'] = String(limit)
    this.headers['X-RateLimit-Remaining'] = String(remaining)
    this.headers['X-RateLimit-Reset'] = String(resetAtSeconds)
    if (topup) this.headers['X-RateLimit-Topup'] = 'true'
  }

  forgetQuota(): void {
    for (const name of ['Limit', 'Remaining', 'Reset', 'Topup']) delete this.headers[`X-RateLimit-${name}`]
  }

  answer(status: number, body: object): Answer {
    return { status, headers: this.headers, body: JSON.stringify(body) }
  }
}
