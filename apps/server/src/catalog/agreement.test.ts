import { expect, test } from 'vitest'
import { isServed } from './agreement.ts'

test.each([
  ['the served amount, apart from rounding', '1.001', 'USD', true],
  ['another amount', '1.1', 'USD', false],
  ['the served number in another currency', '1', 'EUR', false],
  ['the served number in no known currency', '1', null, false],
  ['nothing', null, 'USD', false],
] as const)('%s is what is served: %4$s', (_, amount, currency, expected) => {
  const served = { amounts: { input_per_mtok: '1' }, currency: 'USD' }
  expect(isServed({ amounts: { input_per_mtok: amount }, currency }, served, 'input_per_mtok')).toBe(expected)
})
