import { expect, test } from 'vitest'
import { snapshotResource } from '../../test/support/snapshot-resource.ts'
import { feedPolicy } from '../ingest/policy.ts'
import { toRate } from '../ingest/sources/reading/reading.ts'
import { compareTable, type ServedPrice } from './compare.ts'
import { readPriceTable } from './read-table.ts'

const now = new Date('2026-03-01T00:00:00Z')
const batch = (amount: string) => toRate('input_tokens', '1m_tokens', amount, { service_tier: 'batch' })
const served = new Map<string, ServedPrice>([
  ['acme:m-1', { record: snapshotResource({ resource_id: 'acme:m-1' }), rates: [batch('1')] }],
])
const compare = async (text: string) =>
  compareTable(await readPriceTable(text, null, now), served, feedPolicy)
const own = (row: object) => JSON.stringify([{ resource_id: 'acme:m-1', ...row }])

test.each([
  ['the same', { input_per_mtok: 2 }, 1, []],
  ['rounded', { input_per_mtok: 2.009 }, 1, []],
  ['another', { input_per_mtok: 2.02 }, 1, [{ field: 'input_per_mtok', in_file: '2.02', served: '2' }]],
  ['free', { input_per_mtok: 0 }, 1, [{ in_file: '0', served: '2' }]],
  ['an amount that we do not have', { cached_input_per_mtok: 2 }, 0, []],
  ['another spelling', { resource_id: 'Acme:M_1', input_per_mtok: 1 }, 1, [{ resource_id: 'acme:m-1' }]],
  ['a rate', { rates: [batch('1.5')] }, 1, [{ field: 'input_tokens batch', in_file: '1.5', served: '1' }]],
  ['a rate that we do not have', { rates: [toRate('searches', 'query', '1')] }, 0, []],
])('%s', async (_, row, amounts, wrong) => {
  expect(await compare(own(row))).toMatchObject({ amounts, wrong, unknown: [], unread: [] })
})

test.each([
  ['own JSON', own({ input_per_mtok: 1 }), 'json'],
  ['own CSV', 'resource_id,input_per_mtok\nacme:m-1,1\n', 'csv'],
  ['a CSV with a mark', '\ufeffresource_id,input_per_mtok\nacme:m-1,1\n', 'csv'],
  ["LiteLLM's map", '{"m-1":{"litellm_provider":"acme","input_cost_per_token":1e-6}}', 'litellm'],
  [
    'a snapshot',
    `{"format":"ratecard-snapshot","format_version":1,"resources":[{"resource_id":"acme:m-1","input_per_mtok":"1","later":1}]}`,
    'json',
  ],
])('%s is known by its content', async (_, text, format) => {
  expect(await compare(text)).toMatchObject({ format, compared: 1, wrong: [{ in_file: '1', served: '2' }] })
})
