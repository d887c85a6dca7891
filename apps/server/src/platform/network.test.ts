import { describe, expect, test } from 'vitest'
import { createRangeCheck, findNetwork } from './network.ts'

describe('networkOf', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
  ])('%s is of %s', (address, network) => {
    expect(findNetwork(address)).toBe(network)
  })
})

describe('createRangeCheck', () => {
  const isIn = createRangeCheck(['127.0.0.0/8', '::1/128', '10.1.0.0/16', '2001:db8::/32'])
  test.each(['127.0.0.1', '::ffff:127.0.0.1', '::1', '10.1.255.255', '2001:db8:ffff::1'])(
    '%s is in',
    (address) => {
      expect(isIn(address)).toBe(true)
    },
  )
  test.each(['128.0.0.1', '::2', '10.2.0.0', '2001:db9::1', '', 'x'])('%s is not', (address) => {
    expect(isIn(address)).toBe(false)
  })
})
