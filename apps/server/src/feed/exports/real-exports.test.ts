import { beforeAll, describe, expect, test } from 'vitest'
import {
  newestFiles,
  priceDataDir,
  priceFile,
  priceInput,
  skipTitle,
} from '../../../test/support/price-files.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { runFeed } from '../run-feed.ts'
import { withSnapshot } from '../snapshot/read-snapshot.ts'
import { forms, formNames } from './forms.ts'
import type { ExportResource } from './resource.ts'
import { readSourceText } from '../source-files.ts'
import { readExportResources, writeExport } from './write-exports.ts'

// The exports of the lists as published, held against what their readers accept.

describe.skipIf(priceDataDir === undefined)(skipTitle('of the published lists'), () => {
  const database = useDatabase()
  let resources: ExportResource[]
  beforeAll(async () => {
    for (const { source, path, at } of newestFiles)
      await runFeed(database.db, { source, input: priceInput(path), observedAt: at, alerts: null })
    resources = await withSnapshot(database.db, null, readExportResources)
  })
  const make = async (name: Parameters<typeof writeExport>[0], source: string | null) =>
    writeExport(name, resources, source === null ? null : await readSourceText(database.db, source))

  test.each(formNames)('%s is written, and what it lacks is named', async (name) => {
    const { text, report } = await make(name, forms[name].upstream)
    const counts = Object.entries(report.losses).map(([loss, { count }]) => `${count} ${loss}`)
    console.log(JSON.stringify({ ...report, bytes: text.length, losses: counts }, null, 1))
    expect(report.held).toBeGreaterThan(0)
  })

  describe('litellm', () => {
    type Row = Record<string, unknown>
    const upstream = () =>
      JSON.parse(priceFile('litellm/model_prices_2026-08-01.json')) as Record<string, Row>
    let map: Record<string, Row>
    beforeAll(async () => {
      const { text } = await make('litellm', 'litellm')
      map = JSON.parse(text) as typeof map
    })

    // BerriAI/litellm, litellm_core_utils/get_model_cost_map.py: MODEL_COST_MAP_MIN_MODEL_COUNT, MODEL_COST_MAP_MAX_SHRINK_RATIO.
    test('passes the check that LiteLLM makes before it takes a map', () => {
      expect(Object.keys(map).length).toBeGreaterThanOrEqual(50)
      expect(Object.keys(map).length).toBeGreaterThanOrEqual(Object.keys(upstream()).length * 0.5)
    })

    test('has every row of its own with all that is no price, in the same place', () => {
      const isPrice = (field: string) => /(?:^|_)cost(?:_|$)/.test(field) || field === 'tiered_pricing'
      const rest = (row: Row) =>
        typeof row === 'object' ? Object.entries(row).filter(([field]) => !isPrice(field)) : row
      for (const [key, row] of Object.entries(upstream()))
        expect([key, rest(map[key]!)]).toEqual([key, rest(row)])
      const names = Object.entries(upstream()).filter(
        ([, { mode }]) => mode === 'chat' || mode === 'embedding',
      )
      expect(names.filter(([key]) => key in map)).toHaveLength(names.length)
      console.log(`${names.length} of ${names.length} chat and embedding names are found`)
    })
  })
})
