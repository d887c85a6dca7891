import { rateKey, type Rate } from '../catalog/rate-card.ts'
import type { SourceRecord } from '../ingest/source-record.ts'
import type { Losses } from './report.ts'
import { buildCard, createFinder, isPriced, nameRate, whyLost, type ExportResource } from './resource.ts'

// Upstream's rows with our prices laid over them. What a row says is asked of the importer that reads it: nothing is
// written that is read otherwise.

/** A part of a resource that a row does not say, and why. */
export type Lost = readonly [why: string, what: string]

/** What is not read back of a card; null: something is read that it does not cost. */
export function compareCards(meant: readonly Rate[], back: readonly Rate[]): Rate[] | null {
  const own = new Map(meant.map((rate) => [rateKey(rate), rate]))
  const read = new Map(back.map((rate) => [rateKey(rate), rate]))
  for (const [key, { amount }] of read) if (own.get(key)?.amount !== amount) return null
  return [...own].flatMap(([key, rate]) => (read.has(key) ? [] : [rate]))
}

/**
 * The row that says most of the resource, and nothing else; of equals the first.
 * @param findLost null: the row says something else. When all do, there is none, and that is told.
 */
export function chooseRow<Row>(
  { resource_id }: ExportResource,
  rows: readonly Row[],
  findLost: (row: Row) => readonly Lost[] | null,
  losses: Losses,
): Row | null {
  const [first, ...others] = rows.flatMap((row) => {
    const lost = findLost(row)
    return lost === null ? [] : [{ row, lost }]
  })
  if (first === undefined) {
    losses.add('resources that would be read otherwise', resource_id)
    return null
  }
  const best = others.reduce((most, one) => (one.lost.length < most.lost.length ? one : most), first)
  for (const [why, what] of best.lost) losses.add(why, resource_id, what)
  return best.row
}

/** What is not read back of a resource whose amounts are all of its card. */
export function findLost(resource: ExportResource, back: SourceRecord | null): Lost[] | null {
  const rates = back && compareCards(buildCard(resource), buildCard(back))
  return rates && rates.map((rate) => [whyLost(rate), nameRate(rate)] as const)
}

interface Laying<Row> {
  read: (row: Row) => SourceRecord | null
  /** Without prices: all are read as USD, and what is not stated is unknown. */
  bare: Row
  /** Rows with our prices, the likeliest first; null: the form cannot say them. */
  write: (resource: ExportResource) => readonly Row[] | null
}

/** Lays prices over the rows of a source's file, one after the other. */
export class Overlay {
  readonly held = new Set<ExportResource>()
  readonly upstream = { rows: 0, ours: 0 }
  readonly #losses: Losses
  readonly #find: ReturnType<typeof createFinder>

  constructor(resources: readonly ExportResource[], source: string, losses: Losses) {
    this.#losses = losses
    this.#find = createFinder(resources, source)
  }

  /** The resource that a row is about; undefined: we do not know it, and the row stays. */
  take(back: SourceRecord | null): ExportResource | undefined {
    this.upstream.rows += 1
    const resource = back === null ? undefined : this.#find(back.resource_id)
    if (resource === undefined) return undefined
    this.upstream.ours += 1
    this.held.add(resource)
    return resource
  }

  /** The row with our prices, in its own spelling where that says as much. */
  lay<Row>(row: Row, { read, bare, write }: Laying<Row>): Row {
    const resource = this.take(read(row))
    // Of a plan's models, and those that nobody prices, it may say what it likes.
    if (resource === undefined || buildCard(resource).length === 0) return row
    if (!isPriced(resource, this.#losses)) return bare
    const tries = write(resource)
    const rows = tries === null ? [] : [row, ...tries]
    return chooseRow(resource, rows, (one) => findLost(resource, read(one)), this.#losses) ?? bare
  }
}
