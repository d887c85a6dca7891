import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whom a limit by address counts: an IPv4 address, or the first 64 bits of an IPv6 one. Whoever rents a machine has a
 * whole /64 (RFC 6177), so a limit by single addresses would be none.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const behind = tail === '' ? [] : tail.split(':')
    while (groups.length + behind.length < 8) groups.push('0')
    groups.push(...behind)
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/** Whether an address is in one of these ranges, such as `10.0.0.0/8`. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    if (isIPv4(plain)) return list.check(plain, 'ipv4')
    return isIPv6(plain) && list.check(plain, 'ipv6')
  }
}
