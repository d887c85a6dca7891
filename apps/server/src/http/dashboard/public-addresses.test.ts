import { expect, test } from 'vitest'
import { publicAddress } from './public-addresses.ts'

const lead = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'https://prices.example')
  return publicAddress(pathname, searchParams)
}

test.each([
  ['/prices', '/models'],
  ['/prices?search=gpt-4o%20mini', '/models?q=gpt-4o+mini'],
  ['/prices?vendor=openai', '/vendors/openai'],
  ['/prices?vendor=openai&platform=azure&sort=-input&own=1', '/models?vendor=openai&platform=azure'],
  ['/prices?modality=image&search=', '/models?modality=image'],
  ['/prices?product=openai/gpt-4o', '/models/openai/gpt-4o'],
  ['/prices?record=openai:gpt-4o&search=gpt', '/prices/openai:gpt-4o'],
  ['/prices?record=acme:a/b%20%C3%BC', '/prices/acme:a%2Fb%20%C3%BC'],
  ['/prices?record=..', '/prices/%2E%2E'],
  ['/prices/openai:gpt-4o', '/prices/openai:gpt-4o'],
  ['/compare', '/compare'],
  ['/compare?record=openai:gpt-4o&record=azure:x', '/compare?models=openai%3Agpt-4o&models=azure%3Ax'],
  ['/calculator', '/calculator'],
  ['/changes?vendor=acme&min_severity=3&include_incidents=true', '/changes?vendor=acme&min_severity=3'],
  ['/changes?product=acme/a&category=price_cut', '/changes?product=acme%2Fa&category=price_cut'],
  ['/changes/chg_1', '/changes/chg_1'],
  ['/models/openai/gpt-4o', '/models/openai/gpt-4o'],
  ['/vendors/openai?page=2', '/vendors/openai?page=2'],
])('%s is shown at %s', (old, address) => {
  expect(lead(old)).toBe(address)
})

test.each([
  // 10,000 requests of 2,000 and 500 tokens, as the dashboard's calculator began.
  ['?model=acme/a', { in: '20', out: '5', cached: '0', requests: '10000' }],
  ['?model=acme/a&requests=3&in=100&out=1&per=day', { in: '0.009', out: '0.00009', requests: '90' }],
  ['?model=acme/a&requests=1000000000000&in=100000000', { in: '1000000000', out: '500000000' }],
  ['?model=acme/a&requests=-1&in=1e9&cached=400&batch=1', { in: '20', cached: '100', batch: '1' }],
])('a calculation of requests is one of a month: %s', (query, expected) => {
  const { pathname, searchParams } = new URL(lead(`/calculator${query}`), 'https://prices.example')
  expect(pathname).toBe('/calculator')
  expect(Object.fromEntries(searchParams)).toMatchObject({ model: 'acme/a', ...expected })
})
