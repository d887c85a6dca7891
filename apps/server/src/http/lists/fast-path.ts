import { hash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Meter, UnitVerdict, Verdict } from '../../features/metering/meter.ts'
import { newId } from '../../platform/ids.ts'
import { newTimes, type RequestTimes } from '../../platform/request-times.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { asApiError, errorAnswer, noteFailure } from '../pipeline/answer-error.ts'
import type { RemedyUrls } from '../pipeline/errors.ts'
import type { Coding } from '../pipeline/codings.ts'
import type { KnownRequest, KnownRequests } from './known-requests.ts'
import type { ListBytes } from './list-bytes.ts'
import type { ListCache } from './list-cache.ts'
import { rateLimitHead } from '../pipeline/rate-limit-headers.ts'
import { HeadReader } from './request-head.ts'
import type { RequestLog } from '../pipeline/request-log.ts'
import type { Gate } from '../pipeline/shed.ts'
import { toRefusal } from '../pipeline/verdict.ts'

export interface FastPathOptions {
  known: KnownRequests
  lists: ListCache
  meter: Meter
  gate: Gate
  log: RequestLog
  logger: Logger
  metrics: Metrics
  urls: RemedyUrls
  /** Headers of every answer below /v1, names and values in turn. */
  commonHead: readonly string[]
  /** Those of /health. */
  healthHead: readonly string[]
  getHealth: () => Promise<{ body: unknown }>
  /** Names of request headers on which answers depend in ways not known here. */
  unusualHeaders: readonly string[]
  isStopping: () => boolean
  /** Handles every other request. */
  app: RequestListener
}

/** A request on the fast path. */
interface CachedAnswer {
  known: KnownRequest
  list: ListBytes
  coding: Coding
  body: Buffer
  requestId: string
  caller: UnitVerdict | null
  times: RequestTimes
  /** The code in the answer, when it is an error. */
  error: string | undefined
  /** Whether it went on to the app, which does everything anew. */
  isHandedOn: boolean
}

/**
 * Answers known requests for kept lists with one reservation, which checks the key, the plan and the list's version and
 * takes the unit; and whoever asks for /health, which anybody may at any rate. In every other case the app handles the
 * request from the start.
 */
export function createFastPath(options: FastPathOptions): RequestListener {
  const { lists, meter, gate, app } = options
  const heads = new HeadReader(options.unusualHeaders)

  return (req, res) => {
    if (req.method === 'GET' && req.url === '/health' && heads.read(req)) return void answerHealth(req, res)
    const known = req.method === 'GET' ? options.known.find(req.url ?? '') : undefined
    const list = known && lists.find(known.key)
    const head = list && heads.read(req)
    if (!head) return app(req, res)
    const { key } = head
    if (key === undefined) return app(req, res)
    const coding = list.codingFor(head.coding)
    const body = list.in(coding)
    if (!body) return app(req, res)

    const { operation, endpoint, plans } = known
    const startMs = performance.now()
    const requestId = newId('req')
    const answer: CachedAnswer = {
      known,
      list,
      coding,
      body,
      requestId,
      caller: null,
      times: newTimes(startMs),
      error: undefined,
      isHandedOn: false,
    }
    const refusal = gate.enter()
    // It comes once; `once` would cost a listener more.
    res.on('close', () => {
      const { isHandedOn, caller, error, times } = answer
      const { method, url: target = '' } = req
      const { keyId, accountId } = caller ?? {}
      if (!isHandedOn)
        options.log(res, { requestId, method, startMs, operation, keyId, accountId, target, error, times })
    })
    if (refusal) return fail(res, answer, refusal)
    const keyHash = hash('sha256', key)
    meter.reserve({ keyHash, endpoint, plans, version: list.version }, answer.times).then(
      (verdict) => {
        // The work is done, whenever the client takes the answer.
        gate.leave()
        onVerdict(req, res, answer, verdict)
      },
      (error: unknown) => {
        gate.leave()
        fail(res, answer, error)
      },
    )
  }

  async function answerHealth({ method, url: target = '' }: IncomingMessage, res: ServerResponse) {
    const startMs = performance.now()
    const requestId = newId('req')
    const times = newTimes(startMs)
    const unknown = { keyId: undefined, accountId: undefined, error: undefined }
    res.on('close', () =>
      options.log(res, { requestId, method, startMs, operation: 'getHealth', target, times, ...unknown }),
    )
    const { body } = await options.getHealth()
    sendJson(res, startHead(requestId, options.healthHead), Buffer.from(JSON.stringify(body)))
  }

  function onVerdict(
    req: IncomingMessage,
    res: ServerResponse,
    answer: CachedAnswer,
    verdict: Verdict,
  ): void {
    if ('rateLimit' in verdict) {
      answer.caller = verdict
      const refusal = toRefusal(verdict)
      return refusal ? fail(res, answer, refusal) : send(res, answer, verdict)
    }
    if (verdict.kind === 'stale') lists.forget(answer.known.key, answer.list)
    // A client that has gone needs no answer.
    if (res.destroyed) return
    answer.isHandedOn = true
    app(req, res)
  }

  function send(
    res: ServerResponse,
    { requestId, coding, body }: CachedAnswer,
    { rateLimit }: UnitVerdict,
  ): void {
    const head = startHead(requestId)
    head.push(...rateLimitHead(rateLimit))
    if (coding !== 'identity') head.push('Content-Encoding', coding)
    sendJson(res, head, body)
    options.metrics.requestsRecognised.inc()
  }

  function fail(res: ServerResponse, answer: CachedAnswer, error: unknown): void {
    const failure = asApiError(error)
    answer.error = failure.code
    noteFailure(options, failure, error, { requestId: answer.requestId, operation: answer.known.operation })
    const { status, headers, body } = errorAnswer(failure, options.urls)
    const head = startHead(answer.requestId)
    if (answer.caller) head.push(...rateLimitHead(answer.caller.rateLimit))
    for (const name in headers) head.push(name, headers[name]!)
    res.writeHead(status, head).end(body)
  }

  function startHead(requestId: string, common = options.commonHead): string[] {
    const head = ['X-Request-Id', requestId, ...common]
    if (options.isStopping()) head.push('Connection', 'close')
    return head
  }
}

function sendJson(res: ServerResponse, head: string[], body: Buffer): void {
  head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length))
  res.writeHead(200, head).end(body)
}
