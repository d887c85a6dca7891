import { expect } from 'vitest'
import type { Db } from '../src/database/connect.ts'
import { amountColumns } from '../src/catalog/price-record.ts'
import { agreeOn } from '../src/ingest/amounts.ts'
import type { FeedState } from '../src/ingest/changes/feed-state.ts'
import { readFeedState } from '../src/ingest/publish/feed-store.ts'
import { resourceKey } from '../src/ingest/match/names.ts'
import { feedPolicy } from '../src/ingest/policy.ts'
import { findOwnList } from '../src/ingest/match/precedence.ts'
import { readSource } from '../src/ingest/run/read-source.ts'
import { redecide } from '../src/ingest/run/redecide.ts'
import { runFeed } from '../src/ingest/run/run-feed.ts'
import type { RunReport } from '../src/ingest/publish/run-report.ts'
import type { SourceReading } from '../src/ingest/source-record.ts'
import type { SourceName } from '../src/ingest/sources/index.ts'
import { readConfirmation } from '../src/ingest/review/status.ts'
import { newestFiles, priceInput } from '../test/support/price-files.ts'

// The newest files of six sources are read, and what is served by them is held against what they say.

export interface File {
  source: SourceName
  path: string
}

// The day after the newest file, and the day by which a source has stood by whatever it says.
export const firstDay = '2026-08-22'
export const lastDay = '2026-09-03'
const lastInstant = `${lastDay}T12:00:00Z`

export function read(db: Db, { source, path }: File, observedAt: string): Promise<RunReport> {
  return runFeed(db, { source, input: priceInput(path), observedAt, alerts: null })
}

/** One file a minute from 6 o'clock, or from the given hour, on. */
export async function readAll(db: Db, files: readonly File[], day: string): Promise<RunReport[]> {
  const runs: RunReport[] = []
  const hour = day.includes('T') ? day : `${day}T06`
  for (const [minute, file] of files.entries()) runs.push(await read(db, file, `${hour}:0${minute}:00Z`))
  return runs
}

export async function readNewest(): Promise<Map<string, SourceReading>> {
  const readings = newestFiles.map(async ({ source, path }) => {
    const reading = await readSource(source, { ...priceInput(path), now: new Date(lastInstant) })
    return [source, reading] as const
  })
  return new Map(await Promise.all(readings))
}

/** Few served amounts are outvoted, the claims decide again what is served, and nothing that a file states is lost. */
export async function expectSound(name: string, db: Db, newest: ReadonlyMap<string, SourceReading>) {
  const { priced, confirmed, outvoted } = await readConfirmation(db)
  console.log(`${name}: ${confirmed} of ${priced} prices are confirmed, ${outvoted} amounts are outvoted`)
  // A list that moved lately outweighs those that have not looked since: a few amounts are denied by two.
  expect(outvoted, name).toBeLessThan(priced / 200)
  const again = await redecide(db, { dryRun: true, observedAt: lastInstant })
  expect([name, again.changed, again.left]).toEqual([name, [], []])
  expect([name, unexplained(await readFeedState(db), newest)]).toEqual([name, []])
}

/** Amounts of the newest files that are neither served, nor among what the evidence says is denied, nor held. */
function unexplained(
  { standings, served, holds }: FeedState,
  newest: ReadonlyMap<string, SourceReading>,
): string[] {
  const held = new Set(holds.map(({ source, resource_id }) => `${source} ${resource_id}`))
  return [...newest].flatMap(([source, { records }]) =>
    records.flatMap((record) => {
      const standing = standings.get(resourceKey(record.resource_id))
      const ownList = findOwnList(record.platform)
      // What its platform's own list lacks does not exist.
      if (standing === undefined) return ownList === null ? [`${source} ${record.resource_id}`] : []
      if (held.has(`${source} ${record.resource_id}`)) return []
      const row = served.get(standing.resource_id)!
      return amountColumns.flatMap((column) => {
        const stated = record[column]
        const denied = standing.evidence[column]?.denied_by[source]
        const isTold = stated === null || agreeOn(stated, row[column], feedPolicy) || denied !== undefined
        return isTold ? [] : [`${source} ${record.resource_id} ${column} ${stated} ${row[column]}`]
      })
    }),
  )
}
