import { isBrowser, readEnvironment } from './environment.ts'
import { ConfigurationError } from './errors.ts'
import type { RatecardOptions } from './options.ts'

/** The API key for the next attempt, checked. No error of this function contains it. */
export function readApiKey({ apiKey, dangerouslyAllowBrowser }: RatecardOptions): string | Promise<string> {
  if (!dangerouslyAllowBrowser && isBrowser()) {
    throw new ConfigurationError(
      'In a web page the API key is public. Call from a server or set dangerouslyAllowBrowser.',
    )
  }
  return typeof apiKey === 'function'
    ? Promise.resolve(apiKey()).then(checkKey)
    : checkKey(apiKey ?? readEnvironment('RATECARD_API_KEY'))
}

/** The key, as far as it is known without a call: it is kept out of what is shown. */
export function knownKey({ apiKey = readEnvironment('RATECARD_API_KEY') }: RatecardOptions): string {
  return typeof apiKey === 'string' ? apiKey.trim() : ''
}

function checkKey(key: unknown): string {
  if (key === undefined || key === null) {
    throw new ConfigurationError('There is no API key. Set the option apiKey or RATECARD_API_KEY.')
  }
  // Keys read from files end with a line feed, which no header can carry.
  const trimmed = typeof key === 'string' ? key.trim() : ''
  if (/^(['"`]).*\1$/.test(trimmed)) {
    throw new ConfigurationError('The API key is in quotation marks. Give it without them.')
  }
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new ConfigurationError('The API key is empty or has characters that no key has.')
  }
  return trimmed
}

/** Shorter ones are used in tests only, and would be found in any text. */
const shortestSecret = 12

/** Whether printing the value could print the key. Errors of a custom `fetch` may hold the request they are about. */
export function holds(value: unknown, key = '', depth = 5): boolean {
  if (key.length < shortestSecret) return false
  if (typeof value === 'string') return value.includes(key)
  if (typeof value !== 'object' || value === null || depth === 0) return false
  try {
    const parts = [...Object.getOwnPropertyNames(value), 'headers'].map((name) => (value as Fields)[name])
    if ('forEach' in value) (value as Map<unknown, unknown>).forEach((item) => parts.push(item))
    return parts.some((part) => holds(part, key, depth - 1))
  } catch {
    return true
  }
}

/** The text without the key. */
export function conceal(text: string, key = ''): string {
  return key.length < shortestSecret ? text : text.replaceAll(key, '[redacted]')
}

type Fields = Record<string, unknown>
