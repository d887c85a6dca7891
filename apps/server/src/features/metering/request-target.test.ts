import { expect, test } from 'vitest'
import { shownTarget } from './request-target.ts'

const key = `rc_live_${'A'.repeat(36)}`
const encoded = `%72c_live%5F${'A'.repeat(36)}`
const parameters = new Set(['vendor', 'limit'])

test.each([
  ['/v1/prices', '/v1/prices'],
  ['/v1/prices?vendor=openai&limit=5', '/v1/prices?vendor=openai&limit=5'],
  ['/v1/prices?', '/v1/prices?'],
  ['/v1/prices?vendor=a=b', '/v1/prices?vendor=a=b'],
  ['/v1/prices?vendor=%F0%28', '/v1/prices?vendor=%F0%28'],
  ['/v1/prices?api_key=secret&limit=5', '/v1/prices?api_key=…&limit=5'],
  [`/v1/prices?${key}`, '/v1/prices?…'],
  [`/v1/prices?${key}=1`, '/v1/prices?…=…'],
  [`/v1/prices?vendor=${key}`, '/v1/prices?vendor=…'],
  [`/v1/prices?vendor=${encoded}`, '/v1/prices?vendor=…'],
  [`/v1/prices?vendor=${key.toUpperCase()}`, '/v1/prices?vendor=…'],
  [`/v1/webhooks/${key}`, '/v1/webhooks/…'],
  [`/v1/webhooks/${encoded}`, '/v1/webhooks/…'],
])('%s is shown as %s', (target, shown) => {
  expect(shownTarget(target, parameters)).toBe(shown)
})

test('a long one is cut', () => {
  const shown = shownTarget(`/v1/prices?vendor=${'a'.repeat(8_000)}`, parameters)
  expect(shown).toHaveLength(300)
  expect(shown.endsWith('…')).toBe(true)
})
