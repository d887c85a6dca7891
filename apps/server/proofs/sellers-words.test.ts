import { expect, test } from 'vitest'
import { amountColumns } from '../src/features/prices/price-record.ts'
import { clouds } from '../src/feed/clouds.ts'
import { firstClaim, type Claim } from '../src/feed/judge/claim.ts'
import { judgeAll } from '../src/feed/judge/judge-all.ts'
import { buildKey } from '../src/feed/names.ts'
import { feedPolicy } from '../src/feed/policy.ts'
import { findOrigin, isOfficial } from '../src/feed/precedence.ts'
import { readSource } from '../src/feed/read-source.ts'
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
  { timeout: 120_000 },
  async () => {
    const lists = await claimsOf(newestFiles)
    const before = count(lists)
    const after = count([...lists, ...(await claimsOf(newestDocuments))])
    console.log(before, after)
    expect(before.seller).toBe(0)
    expect(after.twice / after.amounts).toBeGreaterThan(before.twice / before.amounts)
    expect(after.seller).toBeGreaterThan(50)
  },
)
