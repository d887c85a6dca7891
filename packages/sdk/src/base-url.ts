import { readEnvironment } from './environment.ts'
import { ConfigurationError } from './errors.ts'
import type { RatecardOptions } from './options.ts'

const loopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/** Where the service is, checked, without a trailing slash. */
export function readBaseUrl({
  baseUrl = readEnvironment('RATECARD_BASE_URL'),
  allowHttp,
}: RatecardOptions): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError('There is no base URL. Set the option baseUrl or RATECARD_BASE_URL.')
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const isAllowed =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (allowHttp || loopback.test(url.hostname)))
  // The address is not repeated: it may be a misplaced key.
  if (!url || !isAllowed || /[?#@]/.test(baseUrl)) {
    throw new ConfigurationError(
      'baseUrl must be like https://api.ratecard.example, without user info, query and fragment; http:// needs allowHttp.',
    )
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
