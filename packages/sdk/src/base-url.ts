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
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    // The address is not repeated: it may be a misplaced key.
    throw new ConfigurationError('baseUrl is not a URL like https://api.ratecard.example')
  }
  const { protocol, hostname } = url
  if (/[?#@]/.test(baseUrl)) {
    throw new ConfigurationError('baseUrl must be without user info, query and fragment.')
  }
  if (protocol !== 'https:' && !(protocol === 'http:' && (allowHttp || loopback.test(hostname)))) {
    throw new ConfigurationError('baseUrl must be https://, or set allowHttp.')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
