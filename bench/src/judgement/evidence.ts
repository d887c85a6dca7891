import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
} from '../../../apps/server/src/catalog/price-record.ts'
import { readSource } from '../../../apps/server/src/ingest/run/read-source.ts'
import type { SourceRecord } from '../../../apps/server/src/ingest/source-record.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { newestFiles as testedFiles } from '../../../apps/server/test/support/price-files.ts'

// The real files, as the folder of PRICE_DATA_DIR has them, and what they say, independent of any judgement: the evidence
// that the served prices are held against.

export interface PriceFile {
  source: SourceName
  path: string
  /** When it was published, RFC 3339. */
  at: string
}

/** What a source holds: a JSON text, or an unpacked archive. */
export type Content = { text: string } | { bytes: Uint8Array; name: string }

/** The newest file of each source, the oldest first: the same that the server's tests read. */
export const newestFiles: readonly PriceFile[] = testedFiles

export const oldFile: PriceFile = {
  source: 'litellm',
  path: 'litellm/model_prices_2026-07-05.json',
  at: '2026-07-05T06:00:00Z',
}

export async function readContent(folder: string, { path }: PriceFile): Promise<Content> {
  const stored = await readFile(join(folder, path))
  if (path.endsWith('.tar.gz')) return { bytes: gunzipSync(stored), name: basename(path) }
  return { text: (path.endsWith('.gz') ? gunzipSync(stored) : stored).toString() }
}

/** What one source says, by `keyOf` of its resources. Resources with one key are left out: which is meant is unclear. */
export type Statements = ReadonlyMap<string, SourceRecord>
/** What every source says. */
export type Sources = ReadonlyMap<SourceName, Statements>

/** Case and punctuation are one. */
export function keyOf(resourceId: string): string {
  return resourceId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

export async function statementsOf(source: SourceName, content: Content, at: string): Promise<Statements> {
  const { records } = await readSource(source, { ...content, now: new Date(at) })
  const byKey = Map.groupBy(records, (record) => keyOf(record.resource_id))
  return new Map([...byKey].flatMap(([key, all]) => (all.length === 1 ? [[key, all[0]!] as const] : [])))
}

/** Two amounts are the same apart from rounding: half a percent, as the feed's policy has it. */
export function isSameAmount(a: DecimalText | null | undefined, b: DecimalText | null | undefined): boolean {
  if (a == null || b == null) return (a ?? null) === (b ?? null)
  return Math.abs(Number(a) - Number(b)) <= 0.005 * Math.max(Number(a), Number(b))
}

/** An amount that is stated wrongly. */
export interface PlantedAmount {
  column: AmountColumn
  truth: DecimalText | null
  wrong: DecimalText | null
  /** Independent sources that state the true amount, apart from the one with the fault. */
  deniers: number
}

/** Where a source states its row otherwise than it did. */
export function differencesFrom(
  all: Sources,
  source: SourceName,
  key: string,
  wrong: Partial<SourceRecord>,
): PlantedAmount[] {
  const record = all.get(source)!.get(key)!
  return amountColumns.flatMap((column) => {
    const [truth, other = null] = [record[column], wrong[column]]
    if (isSameAmount(truth, other)) return []
    const deniers = witnessesOf(all, source, key, column, truth).agreeing
    return [{ column, truth, wrong: other, deniers }]
  })
}

/** How many other sources state the amount, and how many another. Silence is neither. */
export function witnessesOf(
  all: Sources,
  source: SourceName,
  key: string,
  column: AmountColumn,
  amount: DecimalText | null,
): { agreeing: number; dissenting: number } {
  const others = [...all].filter(([other]) => other !== source)
  const stated = others.map(([, statements]) => statements.get(key)?.[column]).filter((one) => one != null)
  const agreeing = stated.filter((one) => isSameAmount(one, amount)).length
  return { agreeing, dissenting: stated.length - agreeing }
}
