import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whom attempts from an address are counted for: the address, or of IPv6 the network of 64 bits, since whoever has one
 * of its addresses has all of them.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  if (isIPv4(plain)) return plain
  // What a proxy writes in place of an address is nobody's in particular.
  if (!isIPv6(plain)) return 'unknown'
  // The parser of URLs writes an address in its one shortest form; a zone is of the machine that wrote it.
  const { hostname } = new URL(`http://[${plain.replace(/%.*$/, '')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}
