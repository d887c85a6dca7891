import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { AnswerKeeper, type Exchange, type KeptAnswer } from './exchange.ts'
import { statusMin } from './http-status.ts'
import { signatureHeader, signBody, standardHeaders, type Signed } from './signature.ts'
import { classify, DeadlineError, toResult, NoHttpError, type AttemptResult } from './attempt-result.ts'

export interface SendResult extends AttemptResult {
  /** From 100 to 599; null when no answer came, or one with another number. */
  status: number | null
  durationMs: number
  retryAfter: string | null
  exchange: Exchange
}

export interface WebhookRequest extends Signed {
  url: string
  /** From 1. */
  attempt: number
  /** Whether the headers of Standard Webhooks go along. */
  hasStandardHeaders: boolean
  isTest?: boolean
}

export interface SendOptions {
  agent: Dispatcher
  /** For connecting, headers and body together. */
  timeoutMs: number
  userAgent: string
}

const answerBytesMax = 64 * 1_024
// More than any server sends within an attempt. An endless series would be read as fast as it comes, and all others
// would wait.
const interimMax = 50
// The status is the answer. The rest is read to use the connection again; the attempt does not wait for it.
const answerPatienceMs = 1_000

/** Signs and posts one alert. Resolves for every outcome; success is a status from 200 to 299. */
export async function sendWebhook(
  request: WebhookRequest,
  { agent, timeoutMs, userAgent }: SendOptions,
): Promise<SendResult> {
  const startMs = performance.now()
  const headers = buildHeaders(request, userAgent)
  const bodyHash = createHash('sha256').update(request.body).digest('hex')
  const result = (
    answer: KeptAnswer | null,
    values: Omit<SendResult, 'durationMs' | 'exchange'>,
  ): SendResult => ({
    ...values,
    durationMs: Math.round(performance.now() - startMs),
    exchange: { url: request.url, requestHeaders: headers, bodyHash, answer },
  })
  try {
    const url = new URL(request.url)
    const { status, retryAfter, kept } = await post(
      agent,
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        body: request.body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      timeoutMs,
    )
    return result(kept, { retryAfter, ...toResult(status, request.isTest) })
  } catch (error) {
    return result(null, { status: null, retryAfter: null, ...classify(error, timeoutMs) })
  }
}

interface Answer {
  status: number
  retryAfter: string | null
  kept: KeptAnswer
}

/**
 * Posts, and reads what comes after the status a little and for a moment; else the connection is cut. With undici's
 * `request`, its stream for the body and a signal for the deadline, sending took 75 µs of CPU instead of 62.
 */
function post(agent: Dispatcher, options: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let answer: (Omit<Answer, 'kept'> & { keeper: AnswerKeeper }) | null = null
    let answerBytes = 0
    let interim = 0
    let patience: NodeJS.Timeout | undefined
    let cutFor: Error | null = null
    const end = (error: Error | null) => {
      clearTimeout(deadline)
      clearTimeout(patience)
      // Once there is a status it stands, whatever ends the rest.
      if (answer) {
        const { keeper, ...known } = answer
        resolve({ ...known, kept: keeper.end(error === null) })
      } else reject(error ?? new Error('The answer has no status.'))
    }
    const cut = (reason: Error) => {
      cutFor = reason
      end(reason)
      controller?.abort(reason)
    }
    const deadline = setTimeout(() => cut(new DeadlineError()), timeoutMs)
    agent.dispatch(options, {
      onRequestStart(started) {
        controller = started
        // The deadline came while there was no connection.
        if (cutFor) started.abort(cutFor)
      },
      onResponseStart(_controller, status, headers) {
        // Interim: the answer follows.
        if (status >= statusMin && status < 200) {
          interim += 1
          if (interim > interimMax) cut(new NoHttpError())
          return
        }
        const retryAfter = headers['retry-after']
        answer = {
          status,
          retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
          keeper: new AnswerKeeper(headers),
        }
        // For undici it is interim too, and what follows breaks it.
        if (status < statusMin) cut(new Error('The status is none.'))
        else patience = setTimeout(() => cut(new Error('The answer takes long.')), answerPatienceMs)
      },
      onResponseData(_controller, chunk) {
        answer?.keeper.take(chunk)
        answerBytes += chunk.byteLength
        if (answerBytes > answerBytesMax) cut(new Error('The answer is long.'))
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(error),
    })
  })
}

function buildHeaders(request: WebhookRequest, userAgent: string): Record<string, string> {
  const { body, secret, deliveryId, attempt, hasStandardHeaders, isTest } = request
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.byteLength),
    // Nothing is unpacked, so nothing can be a bomb.
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    [signatureHeader]: signBody(body, secret),
    'x-svc-delivery': deliveryId,
    'x-svc-attempt': String(attempt),
    ...(hasStandardHeaders && standardHeaders(request)),
    ...(isTest && { 'x-svc-test': 'true' }),
  }
}
