import { readdirSync, readFileSync } from 'node:fs'
import { costOf, type Cost, type CostOptions } from '../../src/index.ts'
import { shippedCatalog } from '../../src/catalog.ts'
import { readUsage, type ReaderName } from '../../src/readers.ts'

// Usage objects as vendors answer them, each with its cost worked out by hand from the vendor's published rules. The rows
// are data; how to add one stands in docs/cost-comparison.md.

/** A usage object and what it costs. */
export interface Row {
  /** The file, and the name within it. */
  readonly id: string
  readonly name: string
  /** Null: the answer is a usage of ours already. */
  readonly reader: ReaderName | null
  readonly platform: string | null
  readonly answer: Readonly<Record<string, unknown>>
  readonly told?: Omit<CostOptions, 'catalog' | 'platform'>
  /** In plain decimals: `86 x 1.25 + 300 x 10, per million; 2 x 0.01`. */
  readonly working: string
  /** The vendor's rule that the working rests on. */
  readonly rule: string
  /** What has no price, and why. The working is what the rest costs. */
  readonly doubts?: readonly string[]
  readonly unpriced?: readonly (readonly [meter: string, reason: string])[]
  /** Where the shipped list lacks or contradicts what the vendor publishes. */
  readonly note?: string
}

const folder = new URL('.', import.meta.url)

function linesOf<Line>(file: string): Line[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

export const rows: readonly Row[] = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) =>
    linesOf<Omit<Row, 'id'>>(file).map((row) => ({ ...row, id: `${file.slice(0, -6)}: ${row.name}` })),
  )

const shipped = shippedCatalog()

/** What this package says of a row. */
export function costOfRow({ reader, platform, answer, told }: Row): Cost {
  const usage = readUsage(answer, reader ?? undefined)
  return costOf(usage, {
    catalog: shipped,
    ...(platform === null ? {} : { platform }),
    ...told,
  })
}
