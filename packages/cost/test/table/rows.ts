import { readdirSync, readFileSync } from 'node:fs'
import {
  Catalog,
  costOf,
  type CatalogRate,
  type CatalogRecord,
  type Cost,
  type CostOptions,
} from '../../src/index.ts'
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
  /** With the rates that vendors publish and the shipped list lacks. */
  readonly card?: boolean
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
  .filter((file) => file.endsWith('.jsonl') && file !== 'vendor-rates.jsonl')
  .sort()
  .flatMap((file) =>
    linesOf<Omit<Row, 'id'>>(file).map((row) => ({ ...row, id: `${file.slice(0, -6)}: ${row.name}` })),
  )

interface VendorRates {
  readonly resource_id: string
  readonly source_url: string
  readonly rates: readonly Partial<CatalogRate>[]
}

const vendorRates = linesOf<VendorRates>('vendor-rates.jsonl')
const shipped = shippedCatalog()

/** The shipped list with rates that vendors publish besides: batch, flex, priority, regions. */
function withVendorRates(): Catalog {
  const more = new Map(vendorRates.map(({ resource_id, rates }) => [resource_id, rates]))
  const none = { service_tier: null, variant: null, threshold: null, hours: null }
  const resources = shipped.records().map((record): CatalogRecord => {
    const rates = (more.get(record.resource_id) ?? []).map((rate) => ({ ...none, ...rate }) as CatalogRate)
    return { ...record, rates: [...(record.rates ?? []), ...rates] }
  })
  const { generatedAt, asOf, version } = shipped.stamp()
  return new Catalog({
    format: 'ratecard-snapshot',
    format_version: 1,
    generated_at: generatedAt,
    as_of: asOf,
    catalog_version: version,
    resource_count: resources.length,
    resources,
  })
}

const carded = withVendorRates()

/** What this package says of a row. */
export function costOfRow({ reader, platform, answer, told, card }: Row): Cost {
  const usage = readUsage(answer, reader ?? undefined)
  return costOf(usage, {
    catalog: card ? carded : shipped,
    ...(platform === null ? {} : { platform }),
    ...told,
  })
}
