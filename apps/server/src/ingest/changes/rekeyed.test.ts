import { expect, test } from 'vitest'
import { price } from '../../../test/support/drafts.ts'
import type { PriceRecord } from '../../catalog/price-record.ts'
import { firstClaim, type Claim } from '../claims/claim.ts'
import { resourceKey } from '../match/names.ts'
import { feedPolicy } from '../policy.ts'
import { findRekeyings } from './rekeyed.ts'

const before = '2026-08-01T00:00:00.000000Z'
const at = '2026-08-02T00:00:00.000000Z'

function resource(
  id: string,
  claim: Partial<Pick<Claim, 'firstSeen' | 'goneSince' | 'source'>>,
  fields: Partial<PriceRecord> = {},
  sourceKey = id,
) {
  const record = price(id, { input_per_mtok: '1', output_per_mtok: '2', ...fields })
  const more = {
    source_key: sourceKey,
    model_name: id,
    is_named: false,
    rates: [],
    retires_on: null,
    scheduled: [],
  }
  const stated = { ...record, ...more }
  return {
    record,
    claims: [{ ...firstClaim('litellm', resourceKey(id), stated, { at: before }), ...claim }],
  }
}

const pairs = (...resources: ReturnType<typeof resource>[]) =>
  [...findRekeyings(resources, feedPolicy)].map(([id, other]) => [id, other.resource_id])

const lost = resource('acme:alpha', { goneSince: at })

test('a row that appears in the run that loses another, with the same product, platform and price, is that row', () => {
  expect(pairs(lost, resource('acme:alpha-new', { firstSeen: at }))).toEqual([
    ['acme:alpha-new', 'acme:alpha'],
    ['acme:alpha', 'acme:alpha-new'],
  ])
})

test('so is a row with the key of another in the source, on whatever platform', () => {
  const was = resource('acme:alpha', { goneSince: at }, { product_id: null }, 'x/alpha')
  expect(pairs(was, resource('b:alpha', { firstSeen: at }, { product_id: null }, 'x/alpha'))).toHaveLength(2)
})

test.each<[string, ReturnType<typeof resource>]>([
  ['of another run', resource('acme:alpha-new', { firstSeen: before })],
  ['of another source', resource('acme:alpha-new', { firstSeen: at, source: 'portkey' })],
  ['at another price', resource('acme:alpha-new', { firstSeen: at }, { input_per_mtok: '1.1' })],
  ['of another product', resource('acme:alpha-new', { firstSeen: at }, { product_id: 'acme/beta' })],
  ['without a product', resource('acme:alpha-new', { firstSeen: at }, { product_id: null })],
  ['on another platform', resource('b:alpha-new', { firstSeen: at })],
])('a row %s is another', (_why, other) => {
  expect(pairs(lost, other)).toEqual([])
})

test('two snapshots are two models, though they cost the same', () => {
  const old = resource('acme:alpha-20240620', { goneSince: at })
  expect(pairs(old, resource('acme:alpha-20241022', { firstSeen: at }))).toEqual([])
})

test('a row that another source still has is not lost, and one row is one other', () => {
  const kept = resource('acme:alpha', { goneSince: at })
  const second = {
    ...kept,
    claims: [...kept.claims, { ...kept.claims[0]!, source: 'portkey', goneSince: null }],
  }
  expect(pairs(second, resource('acme:alpha-new', { firstSeen: at }))).toEqual([])
  const two = ['acme:alpha-a', 'acme:alpha-b'].map((id) => resource(id, { firstSeen: at }))
  expect(pairs(lost, ...two)).toHaveLength(2)
})
