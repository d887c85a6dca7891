import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressGuard, refusedRanges } from '@ratecard/contract/addresses'

const isAllowed = createAddressGuard()

/** An address as a number, by arithmetic of our own: what is tested must not check itself. */
function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [head = '', tail] = address.split('::')
  const groupsOf = (text = '') => text.split(':').filter(Boolean)
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const middle = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0')
  return [...first, ...middle, ...last].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function textOf(value: bigint, bits: 32 | 128): string {
  const size = bits === 32 ? 8n : 16n
  const count = bits === 32 ? 4 : 8
  const parts = Array.from({ length: count }, (_, index) =>
    ((value >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n)).toString(bits === 32 ? 10 : 16),
  )
  return parts.join(bits === 32 ? '.' : ':')
}

interface Range {
  cidr: string
  bits: 32 | 128
  first: bigint
  last: bigint
}

const ranges: Range[] = refusedRanges.map(([cidr]) => {
  const [address = '', length = ''] = cidr.split('/')
  const bits = isIPv4(address) ? 32 : 128
  const first = numberOf(address)
  return { cidr, bits, first, last: first + (1n << BigInt(bits - Number(length))) - 1n }
})
// IPv4 mapped into IPv6 is judged as the IPv4 address.
const mapped = { first: numberOf('::ffff:0:0'), last: numberOf('::ffff:ffff:ffff') }

function isRefused(value: bigint, bits: number): boolean {
  return ranges.some((range) => range.bits === bits && value >= range.first && value <= range.last)
}

describe.each(ranges)('$cidr', ({ cidr, bits, first, last }) => {
  test('is refused from its first address to its last', () => {
    for (const value of [first, (first + last) / 2n, last]) {
      expect(isAllowed(textOf(value, bits)), textOf(value, bits)).toBe(false)
    }
  })

  test('begins where it says, and its neighbours are public unless they are in another range', () => {
    const hostBits = last - first
    expect(first & hostBits).toBe(0n)
    const max = (1n << BigInt(bits)) - 1n
    for (const value of [first - 1n, last + 1n]) {
      if (value < 0n || value > max) continue
      if (bits === 128 && value >= mapped.first && value <= mapped.last) continue
      expect(isAllowed(textOf(value, bits)), `${textOf(value, bits)} beside ${cidr}`).toBe(
        !isRefused(value, bits),
      )
    }
  })

  test('can be opened by the operator, in whole or in part, and nothing else with it', () => {
    const open = createAddressGuard([cidr])
    expect(open(textOf(first, bits))).toBe(true)
    expect(open(textOf(last, bits))).toBe(true)
    const one = createAddressGuard([`${textOf(first, bits)}/${bits}`])
    expect(one(textOf(first, bits))).toBe(true)
    if (last > first) expect(one(textOf(last, bits))).toBe(false)
    for (const other of ranges) {
      const inside = other.first >= first && other.first <= last && other.bits === bits
      if (!inside) expect(open(textOf(other.first, other.bits)), other.cidr).toBe(false)
    }
  })
})

describe('the kinds that the decision names are refused', () => {
  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1']],
    ['shared', ['100.64.0.1', '100.127.255.255']],
    ['link-local', ['169.254.0.1', 'fe80::1', 'febf::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
    ['reserved', ['0.0.0.0', '240.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.8', '::', '100::1']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['NAT64', ['64:ff9b::8.8.8.8', '64:ff9b:1::1']],
    ['6to4', ['2002:7f00:1::', '192.88.99.1']],
    ['AS112', ['192.31.196.1', '2620:4f:8000::1']],
    ['outside 2000::/3', ['::ffff:0:8.8.8.8', '0:0:0:ffff::1', '1234::1', '4000::1', '5f00::1', 'e000::1']],
    ['Teredo', ['2001::1', '2001:0:ffff::']],
    [
      'cloud metadata',
      ['169.254.169.254', '168.63.129.16', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192'],
    ],
  ])('%s', (_kind, addresses) => {
    for (const address of addresses) expect(isAllowed(address), address).toBe(false)
  })

  test('public ones are not', () => {
    for (const address of [
      ...[
        '1.1.1.1',
        '8.8.8.8',
        '9.255.255.255',
        '11.0.0.0',
        '100.63.255.255',
        '100.128.0.0',
        '126.255.255.255',
      ],
      ...['128.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255'],
      ...['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:200::1', '2001:4860:4860::8888', '2003::1'],
    ]) {
      expect(isAllowed(address), address).toBe(true)
    }
  })
})

describe('spellings', () => {
  test('an IPv4 address in IPv6 is judged as IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = numberOf(address).toString(16).padStart(8, '0')
        for (const spelling of [
          `::ffff:${address}`,
          `::FFFF:${address}`,
          `::ffff:${hex.slice(0, 4)}:${hex.slice(4)}`,
          `0:0:0:0:0:ffff:${hex.slice(0, 4)}:${hex.slice(4)}`,
        ]) {
          expect(isAllowed(spelling), spelling).toBe(isAllowed(address))
        }
      }),
    )
  })

  test('every spelling of an IPv6 address gets the same answer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        if (value >= mapped.first && value <= mapped.last) return
        const long = textOf(value, 128)
        const padded = long.split(':').map((group) => group.padStart(4, '0')).join(':') // prettier-ignore
        for (const spelling of [long, padded, long.toUpperCase(), `${long}%eth0`]) {
          expect(isAllowed(spelling), spelling).toBe(!isRefused(value, 128))
        }
      }),
    )
  })

  test('agrees with the arithmetic on any IPv4 address', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (value) => {
        expect(isAllowed(textOf(value, 32))).toBe(!isRefused(value, 32))
      }),
      { numRuns: 1_000 },
    )
  })

  test('what is no address is not allowed', () => {
    for (const text of [
      '',
      'localhost',
      'hooks.example',
      '127.1',
      '2130706433',
      '0x7f.1',
      '1.2.3',
      '[::1]',
      '::g',
    ]) {
      expect(isAllowed(text), text).toBe(false)
    }
  })
})
