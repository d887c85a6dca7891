/** @import { AddressGuard } from './addresses.js' */
import { isAddress } from './addresses.js'

const urlLengthMax = 2_048

/**
 * What is wrong with a webhook address, as a sentence for its owner, or null. Only what the address itself says
 * is judged; names are resolved, and their addresses vetted, each time they are dialled.
 * @param {string} text
 * @param {AddressGuard} isAllowedAddress
 */
export function webhookUrlProblem(text, isAllowedAddress) {
  if (!text.startsWith('https://')) return 'The url must start with "https://" in lower case.'
  if (text.length > urlLengthMax) return `The url must have at most ${urlLengthMax} characters.`
  // The URL parser drops these silently; an address is taken as it stands or not at all.
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return 'The url must not contain spaces, control characters or backslashes.'
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.hostname === '')
    return 'The url must name a host, such as https://hooks.example.com/ratecard.'
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?#]*@/.test(text)) {
    return 'The url must not contain a user name or password.'
  }
  if (text.includes('#')) return 'The url must not contain a fragment ("#…").'
  return hostProblem(url.hostname, isAllowedAddress)
}

/**
 * The URL parser has turned every spelling of an IPv4 address (decimal, octal, hex, full-width) into the plain one.
 * @param {string} hostname
 * @param {AddressGuard} isAllowedAddress
 */
function hostProblem(hostname, isAllowedAddress) {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  const address = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : host
  if (isAddress(address)) {
    return isAllowedAddress(address)
      ? null
      : 'The url must lead to a public address; this one is private or reserved.'
  }
  if (!host.includes('.') || host.endsWith('.local') || host.endsWith('.internal')) {
    return 'The url must name a public host; names of one label, .local and .internal are private.'
  }
  return null
}

/**
 * What is wrong with a secret besides its form, which the contract says, as a sentence for its owner, or null.
 * @param {string} secret
 */
export function webhookSecretProblem(secret) {
  // Half a surrogate pair has no UTF-8: it would be signed as something else than was sent.
  return secret.isWellFormed() ? null : 'The secret must be well-formed Unicode.'
}
