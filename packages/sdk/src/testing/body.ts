import { isWellFormed } from './cursor.ts'
import { Failure, invalid } from './failure.ts'
import type { WebhookEvent } from './rows.ts'
import { hasUriForm, webhookUrlProblem } from './webhook-url.ts'

const bodyBytesMax = 64 * 1024
const eventNames: readonly WebhookEvent[] = ['change.alert', '*']

/** A subscription to create, checked. */
export interface WebhookInput {
  url: string
  secret: string
  events: WebhookEvent[]
}

/**
 * The body of `POST /v1/webhooks`, read in the order of the service: media type, size, UTF-8, JSON, fields.
 * @throws Failure unsupported_media_type, payload_too_large, invalid_request
 */
export function readWebhookInput(bytes: Uint8Array, headers: Headers): WebhookInput {
  if (bytes.length === 0) throw invalid("The body must have required property 'body'.")
  if (!isJsonType(headers.get('content-type'))) throw new Failure('unsupported_media_type')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new Failure('unsupported_media_type')
  if (bytes.length > bodyBytesMax) throw new Failure('payload_too_large')
  const { url, secret, events } = checkFields(parse(bytes))
  const problem = webhookUrlProblem(url) ?? secretProblem(secret)
  if (problem !== null) throw invalid(problem)
  return { url, secret, events }
}

function isJsonType(header: string | null): boolean {
  const [mediaType = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  if (mediaType.trim() !== 'application/json') return false
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
  return charsets.every((charset) => charset === undefined || /^utf-?8$/.test(charset))
}

function parse(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body must be valid UTF-8.')
  }
  try {
    if (/^[ \t\n\r]*[{[]/.test(text)) return JSON.parse(text)
  } catch {
    // Told below, with what is JSON but no object.
  }
  throw invalid('The body must be a JSON object.')
}

function checkFields(body: unknown): WebhookInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('The body must be object.')
  const fields = body as Record<string, unknown>
  for (const name of ['url', 'secret']) {
    if (!Object.hasOwn(fields, name)) throw invalid(`${name} must have required property '${name}'.`)
  }
  const unknown = Object.keys(fields).find((name) => !['url', 'secret', 'events'].includes(name))
  if (unknown !== undefined) {
    const nameless = unknown === '' ? 'The request' : 'The body'
    const path = unknown.split('/').filter(Boolean).join('.') || nameless
    throw invalid(`${path} must NOT have additional properties.`)
  }
  return {
    url: checkUrl(fields.url),
    secret: checkSecret(fields.secret),
    events: checkEvents(Object.hasOwn(fields, 'events') ? fields.events : ['change.alert']),
  }
}

function checkUrl(url: unknown): string {
  if (typeof url !== 'string') throw invalid('url must be string.')
  if (Array.from(url).length > 2048) throw invalid('url must NOT have more than 2048 characters.')
  if (!url.startsWith('https://')) throw invalid('url must start with "https://" in lower case.')
  if (!hasUriForm(url)) {
    throw invalid(
      'url must be a URL in ASCII without spaces: write a host in punycode, and percent-encode what a path or a query may not contain.',
    )
  }
  return url
}

function checkSecret(secret: unknown): string {
  if (typeof secret !== 'string') throw invalid('secret must be string.')
  const length = Array.from(secret).length
  if (length > 512) throw invalid('secret must NOT have more than 512 characters.')
  if (length < 16) throw invalid('secret must NOT have fewer than 16 characters.')
  if (!/^[^\u0000-\u001f\u007f-\u009f]+$/.test(secret)) {
    throw invalid('secret must not contain control characters.')
  }
  return secret
}

/** Half a surrogate pair has no UTF-8, so nothing could be signed with it. */
function secretProblem(secret: string): string | null {
  return isWellFormed(secret) ? null : 'The secret must be well-formed Unicode.'
}

function checkEvents(events: unknown): WebhookEvent[] {
  if (!Array.isArray(events)) throw invalid('events must be array.')
  if (events.length < 1) throw invalid('events must NOT have fewer than 1 items.')
  const names = events as WebhookEvent[]
  const wrong = names.findIndex((name) => !eventNames.includes(name))
  if (wrong !== -1) {
    const isText = typeof names[wrong] === 'string'
    const wants = isText ? `equal to one of the allowed values: ${eventNames.join(', ')}` : 'string'
    throw invalid(`events.${wrong} must be ${wants}.`)
  }
  const first = names.findLastIndex((name, index) => names.indexOf(name, index + 1) !== -1)
  if (first !== -1) {
    const second = names.indexOf(names[first]!, first + 1)
    throw invalid(`events must NOT have duplicate items (items ## ${first} and ${second} are identical).`)
  }
  return names
}
