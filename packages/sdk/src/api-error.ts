import {
  ApiError,
  type ApiErrorOptions,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  RateLimitError,
  ServiceUnavailableError,
} from './errors.ts'
import { type HeaderReader, readRetryAfter } from './headers.ts'
import { isObject, parseJson } from './operations.ts'

type Answer = Pick<ApiErrorOptions, 'status' | 'requestId' | 'rateLimit' | 'attempts'> & { body: string }

/** A message is for reading; the whole text is in `body`. */
const longestMessage = 400

/** The error for an answer that is not a success. Its body may be anything: a proxy may have written it. */
export function apiError(answer: Answer, headers: HeaderReader): ApiError {
  const { status, requestId } = answer
  const parsed = parseJson(answer.body)
  const fields = isObject(parsed) ? parsed : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const code = text('error')
  const upgradeUrl = text('upgrade_url')
  const topupUrl = text('topup_url')
  const quotaExceeded = status === 429 && (code === 'quota_exceeded' || topupUrl !== undefined)

  const url = topupUrl ?? upgradeUrl
  // The server's message names a header; a user of this client sets an option.
  const own = code === 'unauthorized' ? 'The API key is missing, mistyped or revoked.' : undefined
  const said = own ?? text('message')?.slice(0, longestMessage) ?? 'The request failed.'
  const named = [status, code, requestId].filter(Boolean).join(' ')
  const [errorClass, advice] = classifyStatus(status)
  const hint = quotaExceeded ? 'Wait for UTC midnight or buy a top-up pack:' : advice
  const message = [said, `(${named})`, hint, url].filter(Boolean).join(' ')

  return new errorClass(message, {
    ...answer,
    code,
    upgradeUrl,
    topupUrl,
    retryAfterMs: readRetryAfter(headers),
    // What is not JSON is shown as the text it is.
    body: parsed === undefined ? answer.body : parsed,
    retryable: [408, 429, 500, 502, 503, 504].includes(status) && !quotaExceeded,
  })
}

function classifyStatus(status: number): [errorClass: typeof ApiError, advice?: string] {
  const kinds: Record<number, [typeof ApiError, string?]> = {
    400: [BadRequestError],
    401: [AuthenticationError, 'Check the option apiKey or RATECARD_API_KEY.'],
    402: [PaymentRequiredError, 'Delete a webhook or upgrade:'],
    403: [PermissionDeniedError, 'Upgrade:'],
    404: [NotFoundError, 'Check the id and the option baseUrl.'],
    429: [RateLimitError],
    503: [ServiceUnavailableError, 'Try again later.'],
  }
  return kinds[status] ?? (status < 500 ? [ApiError] : [InternalServerError, 'Try again later.'])
}
