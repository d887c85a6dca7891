import { refuse } from './error.ts'
import type { ChangeAlert, WebhookData } from './types.ts'

// RFC 3986, but lenient about the parts of an authority. No choice inside a repetition, so it runs straight through.
const uri = /^[a-z][a-z\d+.-]*:(?!$|[?#])[\w.~!$&'()*+,;=:%@/?-]*(#[\w.~!$&'()*+,;=:%@/?-]*)?$/i

const ipHost = /^([^/?#]*\/\/([^@/?#[\]]*@)?)\[[\da-f:.]+](?![^:/?#])/i

function isUri(url: string): boolean {
  return (
    uri.test(url.includes('[') ? url.replace(ipHost, '$1') : url) &&
    !(url.includes('%') && /%(?![\da-f]{2})/i.test(url))
  )
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A text of at most so many code points; without a bound: a text that is not empty. */
function isText(value: unknown, max?: number): value is string {
  return typeof value === 'string' && (max ? value.length <= max || [...value].length <= max : !!value)
}

// Field by field: a loop over names takes three times as long.
function isChange(change: Record<string, unknown> | null): boolean {
  return (
    isText(change?.id) &&
    isText(change.vendor) &&
    isText(change.product) &&
    isText(change.category) &&
    isText(change.title, 200) &&
    isText(change.summary, 4000) &&
    [1, 2, 3, 4, 5].includes(change.severity as number) &&
    isText(change.url) &&
    isUri(change.url)
  )
}

/** Reads a signed body: the contract's schema, but unknown fields are let through. */
export function readAlert(data: WebhookData): ChangeAlert {
  const invalid = (part: string) => refuse('invalid_payload', part)
  let event: Record<string, unknown> | null
  try {
    event = JSON.parse(typeof data === 'string' ? data : decoder.decode(data as ArrayBuffer)) as typeof event
  } catch {
    // The parser's own error quotes the body.
    refuse('invalid_json')
  }
  if (event?.event !== 'change.alert') refuse(event?.event ? 'unexpected_event' : 'invalid_payload')
  const { timestamp, changes } = event as { timestamp: string; changes: Record<string, unknown>[] }
  // Engines turn the 30th of February into March, and 24 o'clock into the next day.
  const [, day] = (isText(timestamp) && /^\d{4}-..-(..)T.{8}\.\d{6}Z$/.exec(timestamp)) || []
  if (new Date(timestamp).getUTCDate() !== +day!) invalid('timestamp')
  if (!Array.isArray(changes) || !changes.length || changes.length > 100) invalid('changes')
  for (let index = 0; index < changes.length; index += 1)
    if (!isChange(changes[index] ?? null)) invalid(`changes[${index}]`)
  return event as unknown as ChangeAlert
}
