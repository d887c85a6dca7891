import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
} from '../../../apps/server/src/features/prices/price-record.ts'
import { readSource } from '../../../apps/server/src/feed/read-source.ts'
import type { SourceRecord } from '../../../apps/server/src/feed/source-record.ts'
import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import type { Content } from './price-files.ts'

// What the sources say, independent of any judgement: the evidence that the served prices are held against.

/** What one source says, by `keyOf` of its resources. Resources with one key are left out: which is meant is unclear. */
export type Statements = ReadonlyMap<string, SourceRecord>

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

export interface AmountDifference {
  column: AmountColumn
  truth: DecimalText | null
  wrong: DecimalText | null
}

export function differencesBetween(truth: SourceRecord, wrong: SourceRecord): AmountDifference[] {
  return amountColumns.flatMap((column) =>
    isSameAmount(truth[column], wrong[column])
      ? []
      : [{ column, truth: truth[column], wrong: wrong[column] }],
  )
}

/** The other sources that state the amount, and those that state another. Silence is neither. */
export function witnessesOf(
  all: ReadonlyMap<SourceName, Statements>,
  source: SourceName,
  key: string,
  column: AmountColumn,
  amount: DecimalText | null,
): { agreeing: SourceName[]; dissenting: SourceName[] } {
  const agreeing: SourceName[] = []
  const dissenting: SourceName[] = []
  for (const [other, statements] of all) {
    const stated = statements.get(key)?.[column]
    if (other === source || stated == null) continue
    if (isSameAmount(stated, amount)) agreeing.push(other)
    else dissenting.push(other)
  }
  return { agreeing, dissenting }
}
