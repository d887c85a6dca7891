import type { RejectedRow } from '../catalog/price-record.ts'
import { UserError } from '../platform/user-error.ts'
import { snapshotFormat, snapshotVersion } from '../snapshot/record.ts'
import { snapshotOnlyColumns } from '../snapshot/write-text.ts'
import type { SourceReading, SourceRecord } from '../ingest/source-record.ts'
import { readLitellm } from '../ingest/sources/lists/litellm.ts'
import { pieces, readOwnCsv } from '../ingest/sources/lists/own-csv.ts'
import { readOwnJson, readOwnPrices } from '../ingest/sources/lists/own-json.ts'
import { ownColumns } from '../ingest/sources/lists/own-prices.ts'
import { parseForeignJson } from '../ingest/sources/reading/parse-json.ts'

// A table of prices that somebody keeps beside a program, in one of the forms that we write or read.

export const tableFormats = ['litellm', 'csv', 'json'] as const
export type TableFormat = (typeof tableFormats)[number]

export interface PriceTable {
  format: TableFormat
  /** Several may be about one resource. */
  rows: SourceRecord[]
  /** Rows that are no price, or cannot be read. */
  unread: RejectedRow[]
}

/**
 * Reads a table of prices.
 * @param format null: the form is found by the content
 * @throws UserError when it is in none of the forms
 */
export async function readPriceTable(
  text: string,
  format: TableFormat | null,
  now: Date,
): Promise<PriceTable> {
  if (format === 'csv' || (format === null && !/^\uFEFF?\s*[[{]/.test(text))) {
    const { records, rejected } = await readOwnCsv(pieces(text), now, snapshotOnlyColumns)
    return { format: 'csv', rows: records, unread: rejected }
  }
  const json = parsed(text)
  if (format === 'litellm' || (format === null && isLitellm(json))) return litellmTable(json)
  const { records, rejected } = isSnapshot(json) ? readSnapshot(json, now) : readOwnJson(text, now)
  return { format: 'json', rows: records, unread: rejected }
}

/** A currency that a snapshot leaves out is unknown; one's own rows without any are in USD. */
function readSnapshot(json: Record<string, unknown>, now: Date): SourceReading {
  const resources = readResources(json)
  const reading = readOwnPrices(resources, null, now)
  const unknown = new Set(
    resources.flatMap((one) => (isObject(one) && one.currency === null ? [one.resource_id] : [])),
  )
  const records = reading.records.map((record) =>
    unknown.has(record.resource_id) ? { ...record, currency: null } : record,
  )
  return { ...reading, records }
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError('The file is neither CSV nor one JSON document.', { cause })
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A map by model: one of its entries names a provider. */
function isLitellm(json: unknown): boolean {
  return (
    isObject(json) &&
    Object.values(json).some((row) => isObject(row) && typeof row.litellm_provider === 'string')
  )
}

/** A row whose resource another row has too is no fault in a table: each of them is compared. */
function litellmTable(json: unknown): PriceTable {
  const { records, rejected } = readLitellm(json)
  const twice = rejected.filter(({ reason }) => reason.startsWith('names the same resource'))
  const others = twice.flatMap(
    ({ id }) => readLitellm({ [id]: (json as Record<string, unknown>)[id] }).records,
  )
  return {
    format: 'litellm',
    rows: [...records, ...others],
    unread: rejected.filter((row) => !twice.includes(row)),
  }
}

function isSnapshot(json: unknown): json is Record<string, unknown> {
  return isObject(json) && json.format === snapshotFormat
}

/** The resources of a snapshot as rows of an operator's own prices, which have the same fields. */
function readResources({ format_version, resources }: Record<string, unknown>): unknown[] {
  if (format_version !== snapshotVersion)
    throw new UserError(`The snapshot is not of version ${snapshotVersion}, which this program reads.`)
  if (!Array.isArray(resources)) throw new UserError('The snapshot has no list of resources.')
  return resources.map((resource: unknown) => {
    if (!isObject(resource)) return resource
    const { rates } = resource
    const row = Object.fromEntries(ownColumns.map((field) => [field, resource[field]]))
    return { ...row, rates: Array.isArray(rates) ? rates.map(withoutWitnesses) : rates }
  })
}

function withoutWitnesses(rate: unknown): unknown {
  if (!isObject(rate)) return rate
  const { said_by: _, denied_by: __, ...own } = rate
  return own
}
