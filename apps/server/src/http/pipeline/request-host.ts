// A host is a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port (RFC 3986, 3.2.2). Commas, which a
// name may have by that, are how two fields would be read as one.
const pattern = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-fA-F:.]+\])(?::\d{0,5})?$/

/** Whether this is a `Host` that a request may have. It may be empty (RFC 9112, 3.2). */
export function isHost(text: string): boolean {
  if (known.has(text)) return true
  if (!pattern.test(text)) return false
  // Clients name few hosts; what an attacker makes up is not remembered for long.
  if (known.size >= knownMax) known.clear()
  known.add(text)
  return true
}

const known = new Set<string>()
const knownMax = 100
