import ranges from '../facts/refused-ranges.json' with { type: 'json' }

// Which addresses a webhook may lead to. Our own table: it is a security boundary, tested row by row.
// Source: IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates). Public hosts have IPv6 addresses of
// 2000::/3 alone; everything else is refused.

/** Address ranges that are never dialled, unless an operator opens them. */
export const refusedRanges = /** @type {[cidr: string, reason: string][]} */ (ranges)

/**
 * Says of an IP address whether it may be dialled.
 * @typedef {(address: string) => boolean} AddressGuard
 */

/**
 * @param {readonly string[]} [allowCidrs] ranges that are open although the table refuses them, such as `10.1.0.0/16`
 * @returns {AddressGuard}
 */
export function createAddressGuard(allowCidrs = []) {
  const refused = refusedRanges.map(([cidr]) => readRange(cidr))
  const allowed = allowCidrs.map(readRange)
  return (address) => {
    const bytes = parseIp(address)
    if (bytes === null) return false
    return allowed.some((range) => contains(range, bytes)) || !refused.some((range) => contains(range, bytes))
  }
}

/** @typedef {{ start: readonly number[], bits: number }} Range */

/**
 * @param {string} cidr
 * @returns {Range}
 */
function readRange(cidr) {
  const [start = '', bits] = cidr.split('/')
  return { start: parseIp(start) ?? [], bits: Number(bits) }
}

/** @type {(range: Range, bytes: readonly number[]) => boolean} */
function contains({ start, bits }, bytes) {
  if (start.length !== bytes.length) return false
  return bytes.every((byte, index) => {
    const ignored = 8 - Math.min(8, Math.max(0, bits - index * 8))
    return byte >> ignored === (start[index] ?? 0) >> ignored
  })
}

/** @param {string} text */
export function isAddress(text) {
  return parseIp(text) !== null
}

/**
 * The bytes of an IP address, null when it is none. An IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`) is read
 * as what it is.
 * @param {string} text
 * @returns {number[] | null}
 */
function parseIp(text) {
  if (!text.includes(':')) return parseIpv4(text)
  const [address = ''] = text.split('%')
  const url = `http://[${address}]`
  if (!/^[0-9a-f:.]+$/i.test(address) || !URL.canParse(url)) return null
  // The URL parser knows every spelling of an IPv6 address and writes the shortest one.
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const [left, right] = [parseGroups(head), parseGroups(tail ?? '')]
  /** @type {number[]} */
  const gap = Array(8 - left.length - right.length).fill(0)
  const bytes = [...left, ...gap, ...right].flatMap((group) => [group >> 8, group & 255])
  const isMapped = bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 255))
  return isMapped ? bytes.slice(12) : bytes
}

/** @param {string} text */
function parseIpv4(text) {
  const bytes = text.split('.').map(Number)
  // Written back it must be the same: no leading zeros, no other notation.
  return bytes.length === 4 && bytes.join('.') === text && bytes.every((byte) => byte >= 0 && byte < 256)
    ? bytes
    : null
}

/** @param {string} text */
function parseGroups(text) {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
