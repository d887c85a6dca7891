import { expect, test } from 'vitest'
import { doubtedValues, heldValues, rightValues } from '../test/support/worst-values.ts'
import { amountColumns } from '../src/catalog/price-record.ts'
import { clouds } from '../src/ingest/match/clouds.ts'
import { firstClaim, type Claim } from '../src/ingest/claims/claim.ts'
import { judgeAll } from '../src/ingest/judge/judge-all.ts'
import { buildKey } from '../src/ingest/match/names.ts'
import { feedPolicy } from '../src/ingest/policy.ts'
import { findOrigin, isOfficial } from '../src/ingest/match/precedence.ts'
import { readSource } from '../src/ingest/run/read-source.ts'
import {
  newestDocuments,
  newestFiles,
  priceDataDir,
  priceInput,
  skipTitle,
} from '../test/support/price-files.ts'

// How many of the amounts of makers and clouds have two independent voices, and how many the seller's own, without and with
// the sellers' own lists and pages.

const at = '2026-08-22T06:00:00.000000Z'

async function claimsOf(
  files: readonly {
    source: (typeof newestDocuments)[number]['source'] | (typeof newestFiles)[number]['source']
    path: string
  }[],
): Promise<Claim[]> {
  const claims: Claim[] = []
  for (const { source, path } of files) {
    const { records } = await readSource(source, { ...priceInput(path), now: new Date(at) })
    claims.push(...records.map((record) => firstClaim(source, buildKey(record), record, { at })))
  }
  return claims
}

function count(claims: readonly Claim[]): { amounts: number; twice: number; seller: number } {
  const figures = { amounts: 0, twice: 0, seller: 0 }
  for (const { record, amounts } of judgeAll(claims, at, feedPolicy).values()) {
    const { platform, vendor } = record
    if (platform !== vendor && !clouds.has(platform ?? '')) continue
    for (const column of amountColumns) {
      const { value, saidBy } = amounts[column]
      if (value === null) continue
      figures.amounts += 1
      figures.twice += Number(new Set(saidBy.map((source) => findOrigin(source, platform))).size > 1)
      figures.seller += Number(saidBy.some((source) => isOfficial(source, platform)))
    }
  }
  return figures
}

test.skipIf(priceDataDir === undefined)(
  skipTitle('the sellers’ own words make two voices of one'),
  async () => {
    const lists = await claimsOf(newestFiles)
    const before = count(lists)
    const documents = await claimsOf(newestDocuments)
    const after = count([...lists, ...documents])
    console.log(
      `without the sellers' own words: ${JSON.stringify(before)}, with them: ${JSON.stringify(after)}`,
    )
    // Azure's recorded answer is a year older than the lists.
    const current = documents.filter(({ source }) => source !== 'azure-retail-prices')
    const verdicts = judgeAll([...lists, ...current], at, feedPolicy)
    const verdictOf = (id: string) => verdicts.get(buildKey({ resource_id: id }))!
    const columns = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'] as const
    for (const [id, tuple] of rightValues) {
      const served = columns.map((column) => verdictOf(id).amounts[column].value)
      expect([id, served.map((value) => (value === null ? null : Number(value)))]).toEqual([id, tuple])
    }
    for (const [id, reason] of heldValues)
      expect([id, verdictOf(id).held.map((held) => held.reason)]).toEqual([
        id,
        expect.arrayContaining([reason]),
      ])
    const bySeller = doubtedValues.filter(([id]) => verdictOf(id).rule === 'own_list').map(([id]) => id)
    expect(bySeller).toEqual(['mistral:open-mistral-nemo-2407'])
    expect(after.twice / after.amounts).toBeGreaterThan(before.twice / before.amounts)
    expect(after.seller).toBeGreaterThan(600)
  },
)
