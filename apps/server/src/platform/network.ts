import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * The client that a limit by address counts: an IPv4 address, or the first 64 bits of an IPv6 one. A tenant of one
 * machine has a whole /64 (RFC 6177), so a limit by single addresses would be none.
 */
export function findNetwork(address: string): string {
  const plain = withoutMapping(address)
  if (isIPv4(plain)) return plain
  // Text that a proxy writes in place of an address names no client.
  if (!isIPv6(plain)) return 'unknown'
  // The parser of URLs writes an address in its one shortest form; a zone is of the machine that wrote it.
  const { hostname } = new URL(`http://[${plain.replace(/%.*$/, '')}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((groups) => groups.split(':').filter(Boolean)) as [
    string[],
    string[],
  ]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

/** So much of an address that it names no one person: an IPv4 /24, or an IPv6 /48. */
export function findWideNetwork(address: string): string {
  const network = findNetwork(address)
  if (isIPv4(network)) return network.replace(/\d+$/, '0/24')
  const groups = network.split(':').slice(0, 3)
  return groups.length === 3 ? `${groups.join(':')}::/48` : network
}

/** Whether an address is in one of these ranges, such as `10.0.0.0/8`. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const plain = withoutMapping(address)
    if (isIPv4(plain)) return list.check(plain, 'ipv4')
    return isIPv6(plain) && list.check(plain, 'ipv6')
  }
}

/** An IPv4 address as sockets for both families write it, `::ffff:203.0.113.7`, as itself. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
