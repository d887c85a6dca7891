import { expect, test } from 'vitest'
import { snapshotResource } from '../../test/support/snapshot-resource.ts'
import { ownColumns } from '../ingest/sources/lists/own-prices.ts'
import type { Snapshot } from './read-snapshot.ts'
import type { SnapshotResource } from './record.ts'
import { snapshotCsv, snapshotJson, snapshotJsonLines, snapshotOnlyColumns } from './write-text.ts'

function snapshotOf(...batches: SnapshotResource[][]): Snapshot {
  const header = { format: 'ratecard-snapshot', resource_count: batches.flat().length }
  return { header: header as Snapshot['header'], batches: batchesOf(batches) }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* batchesOf(batches: SnapshotResource[][]) {
  yield* batches
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

const [first, second] = [snapshotResource({}), snapshotResource({ resource_id: 'acme:n' })]

test.each([
  ['none', []],
  ['one batch', [[first, second]]],
  ['several', [[first], [second]]],
])('%s: JSON is one document, and JSON Lines has the same', async (_, batches) => {
  const document = JSON.parse(await textOf(snapshotJson(snapshotOf(...batches)))) as object
  expect(document).toEqual({ ...snapshotOf(...batches).header, resources: batches.flat() })
  const lines = (await textOf(snapshotJsonLines(snapshotOf(...batches)))).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    snapshotOf(...batches).header,
    ...batches.flat(),
  ])
})

test('a CSV has the columns that its readers know, and no formula', async () => {
  const hostile = snapshotResource({ resource_id: '=cmd|x!A1:a"b', vendor: '@sum', product_id: 'a\r\nb/c' })
  const [header, ...rows] = (await textOf(snapshotCsv(snapshotOf([hostile])))).split('\r\n')
  expect(
    header?.split(',').filter((column) => ![...ownColumns, ...snapshotOnlyColumns].includes(column)),
  ).toEqual([])
  expect(rows.join('\r\n')).toMatch(/^"'=cmd\|x!A1:a""b",'@sum,"a\r\nb\/c",llm,,1m_tokens,2,/)
})
