import { expect, test } from 'vitest'
import { feedPolicy } from '../policy.ts'
import { noAmounts } from '../source-record.ts'
import { firstClaim, type Claim } from '../claims/claim.ts'
import { findPeers, readCurrency } from './peers.ts'

function claim(platform: string, input: string, currency: string | null = 'USD'): Claim {
  const key = `${platform}:alpha`
  const stated = {
    ...{ ...noAmounts, resource_id: key, product_id: null, vendor: 'acme', platform, modality: null },
    ...{ region: null, unit: '1m_tokens', input_per_mtok: input, currency, source_url: null },
    ...{ effective_at: null, source_key: key, model_name: 'alpha', is_named: true, rates: [] },
    ...{ retires_on: null, scheduled: [] },
  }
  return firstClaim('litellm', key, stated, { at: '2026-03-01T00:00:00Z' })
}

test('prices in dollars are compared with each other alone', () => {
  const dollars = [claim('a', '1'), claim('b', '2'), claim('c', '3')]
  const others = [claim('d', '70', 'CNY'), claim('e', '90', 'EUR'), claim('f', '80', null)]
  const { elsewhere } = findPeers([...dollars, ...others], () => 'acme/alpha', feedPolicy)
  expect([...elsewhere('acme/alpha', 'a', 'input_per_mtok')]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

test('amounts in no known currency are in none of the known ones', () => {
  expect(readCurrency(claim('a', '1', null))).toBe('unknown')
  const { stated, ...rest } = claim('a', '1', null)
  expect(readCurrency({ ...rest, stated: { ...stated, input_per_mtok: null } })).toBe('USD')
})
