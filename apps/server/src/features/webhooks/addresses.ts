import { BlockList, isIP } from 'node:net'

// Which addresses a webhook may lead to. Our own table: it is a security boundary, tested row by row.
// Sources: IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), and RFC 2765 for SIIT: a host
// with such a translator sends ::ffff:0:a.b.c.d to a.b.c.d.

/** Address ranges that are never dialled, unless an operator opens them. */
export const refusedRanges = [
  ['0.0.0.0/8', 'reserved: this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared address space of carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata: Azure'],
  ['169.254.0.0/16', 'link-local, with the metadata services of clouds'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved: protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved: AS112'],
  ['192.52.193.0/24', 'reserved: AMT'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved: AS112'],
  ['198.18.0.0/15', 'reserved: benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, with broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'reserved: IPv4-compatible'],
  ['::ffff:0:0:0/96', 'IPv4-translated: SIIT'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64, local'],
  ['100::/64', 'reserved: discard'],
  ['2001::/23', 'reserved: protocol assignments, with Teredo'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'reserved: segment routing'],
  ['fc00::/7', 'private, with the metadata services of clouds'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private: site-local'],
  ['ff00::/8', 'multicast'],
] as const

/** Says of an IP address (in its plain spelling) whether it may be dialled. */
export type AddressGuard = (address: string) => boolean

/** @param allowCidrs ranges that are open although the table refuses them, such as `10.1.0.0/16` */
export function createAddressGuard(allowCidrs: readonly string[] = []): AddressGuard {
  const refused = blockListOf(refusedRanges.map(([cidr]) => cidr))
  const allowed = blockListOf(allowCidrs)
  return (address) => {
    const plain = unmapped(address)
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(plain) === 0) return false
    return allowed.check(plain, family) || !refused.check(plain, family)
  }
}

function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** An IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`) as what it is. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address
  // The URL parser knows every spelling of an IPv6 address and writes the shortest one.
  const shortest = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest)
  if (!mapped) return shortest
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
