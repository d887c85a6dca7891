import { isRefusedAddress, readAddress } from './addresses.ts'

// Only what the address itself says is judged; the service vets names again when it dials them.

const character = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})"
const uri = new RegExp(
  `^https:/(?:/(?:${character}*@)?(\\[[0-9A-Fa-f:.]+\\])(?::\\d*)?(?=[/?#]|$))?` +
    `${character}*(?:\\?(?:${character}|\\?)*)?(?:#(?:${character}|\\?)*)?$`,
)

/** Whether the text has only characters that a URI may have, and those of an IPv6 address in the right order. */
export function hasUriForm(text: string): boolean {
  const match = uri.exec(text)
  // RFC 3986 allows leading zeros in the dotted part, the URL parser does not.
  const address = match?.[1]?.replaceAll(/([:.])0{1,2}(\d{1,2})(?=[.\]])/g, '$1$2')
  return match !== null && (address === undefined || hostnameOf(`https://${address}`) !== null)
}

/** What is wrong with a webhook's address, as a sentence for its owner; null when nothing is. */
export function webhookUrlProblem(text: string): string | null {
  const hostname = hostnameOf(text)
  if (hostname === null) return 'The url must name a host, such as https://hooks.example.com/ratecard.'
  if (/^https:\/\/[^/?#]*@/.test(text)) return 'The url must not contain a user name or password.'
  if (text.includes('#')) return 'The url must not contain a fragment ("#…").'

  const host = hostname.replace(/\.+$/, '')
  const isLoopback = host === 'localhost' || host.endsWith('.localhost')
  const address = isLoopback ? '127.0.0.1' : host
  if (readAddress(address) !== null) {
    return isRefusedAddress(address)
      ? 'The url must lead to a public address; this one is private or reserved.'
      : null
  }
  if (!host.includes('.') || host.endsWith('.local') || host.endsWith('.internal')) {
    return 'The url must name a public host; names of one label, .local and .internal are private.'
  }
  return null
}

/** The host in its plain spelling: the URL parser knows every other way to write an IP address. */
function hostnameOf(text: string): string | null {
  try {
    return new URL(text).hostname.replace(/^\[|\]$/g, '') || null
  } catch {
    return null
  }
}
