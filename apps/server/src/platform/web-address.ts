/** Longer ones are no links that a browser or a reader would take. */
export const addressLengthMax = 2_048

/**
 * An http or https address as RFC 3986 has it, or null when the text is none: what a browser would encode when it
 * follows the link is encoded. A name or password in it is a secret, or a trick to look like another host.
 */
export function webAddress(text: string | null | undefined): string | null {
  const address = text?.trim()
  if (address === undefined || address.length > addressLengthMax || !isLink.test(address)) return null
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '' || !isHost.test(url.host)) return null
  const { protocol, host, pathname, search, hash } = url
  const encodedText = `${protocol}//${host}${[pathname, search, hash].map(encoded).join('')}`
  return encodedText.length <= addressLengthMax ? encodedText : null
}

/** Neither control characters nor half a character: they are a broken text, not one that wants encoding. */
const isLink = /^https?:\/\/[^\u0000-\u001f\u007f\p{Surrogate}]+$/iu

const isHost = /^[a-z0-9\-._~!$&'()*+,;=:[\]]+$/i

/** A path, a query or a fragment with its first character. */
function encoded(part: string): string {
  return (
    part.slice(0, 1) +
    part.slice(1).replaceAll(/[^a-z0-9\-._~!$&'()*+,;=:@/?%]|%(?![0-9a-f]{2})/giu, encodeURIComponent)
  )
}
