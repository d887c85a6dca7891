import { mendRecord } from '../../catalog/price-check.ts'
import type { RejectedRow } from '../../catalog/price-record.ts'
import { idLengthMax } from '../../platform/cursor.ts'
import { isDateText, parseInstant } from '../../platform/instant.ts'
import type { RowCheck } from '../../platform/row-check.ts'
import { isStorableText, storableText } from '../../platform/storable-text.ts'
import { UserError } from '../../platform/user-error.ts'
import { asciiKeys, findLookAlike } from '../match/look-alikes.ts'
import {
  quoteLengthMax,
  type Quote,
  type SourceReading,
  type SourceRecord,
  type UnknownField,
} from '../source-record.ts'

// Every reading passes this check before it is stored. Whatever passes can be stored and served.

/** As many rows as the dashboard shows. The largest known list has some 5,000. */
const rowsMax = 200_000
/** The largest known card has 84 entries. */
const ratesMax = 1_000
const scheduledMax = 100
const sourceKeyLengthMax = 1_024
const versionLengthMax = 100
const reasonLengthMax = 1_024
const quotesMax = 50

/**
 * The part of a reading that can be served, by the check that answers must pass. A value that cannot be served becomes
 * null where the contract allows null; otherwise its row is refused. Both are reported with reasons. Other rows are not
 * affected.
 * @throws UserError when there are more rows than any list has
 */
export function admit(reading: SourceReading, check: RowCheck): SourceReading {
  const count = reading.records.length + reading.rejected.length
  if (count > rowsMax)
    throw new UserError(`The file has ${count} rows, and no list of prices has more than ${rowsMax}.`)
  const records: SourceRecord[] = []
  const rejected = [...reading.rejected]
  const mended = [...reading.mended]
  const keys = asciiKeys(reading.records)
  for (const stated of reading.records) {
    const id = stated.source_key
    const { record, problem } = withRealDate(stated)
    if (problem !== null) mended.push({ id, reason: problem })
    const obstacle = findObstacle(record) ?? findLookAlike(record, keys)
    const { row, complaints } =
      obstacle === null ? mendRecord(check, record) : { row: null, complaints: [obstacle] }
    if (row === null) rejected.push({ id, reason: `cannot be served: ${complaints.join('; ')}` })
    else {
      records.push(row)
      if (complaints.length > 0) mended.push({ id, reason: `is served without it: ${complaints.join('; ')}` })
    }
  }
  const version = reading.version === null ? null : storableText(reading.version, versionLengthMax)
  return {
    ...{ records, rejected: rejected.map(named), mended: mended.map(named), version },
    data_at: reading.data_at,
    unknown_fields: reading.unknown_fields.map(storable),
    ...(reading.quotes && {
      quotes: new Map([...reading.quotes].map(([key, quotes]) => [key, shorten(quotes)])),
    }),
  }
}

/** A document is somebody else's: what is kept of it is bounded. Its lines stay lines. */
function shorten(quotes: readonly Quote[]): Quote[] {
  return quotes.slice(0, quotesMax).map((quote) => {
    const lines = quote.text.slice(0, quoteLengthMax).split('\n')
    return { ...quote, text: lines.map((line) => storableText(line, quoteLengthMax)).join('\n') }
  })
}

/** A date stays a date. An instant is converted to UTC with microseconds, as the API serves instants. */
function withRealDate(record: SourceRecord): { record: SourceRecord; problem: string | null } {
  const { effective_at: stated } = record
  if (stated === null || isDateText(stated)) return { record, problem: null }
  const effective_at = parseInstant(stated)
  const problem = effective_at === null ? 'is served without it: effective_at is no day and no instant' : null
  return { record: { ...record, effective_at }, problem }
}

/** Why the database would not take the record, or null. */
function findObstacle(record: SourceRecord): string | null {
  const { rates, scheduled, source_key, retires_on } = record
  for (const [field, value] of Object.entries(record)) {
    if (typeof value !== 'string' || field === 'source_url') continue
    const lengthMax = field === 'source_key' ? sourceKeyLengthMax : idLengthMax
    if (value.length > lengthMax) return `${field} has more than ${lengthMax} characters`
    if (!isStorableText(value)) return `${field} has characters that belong in no text`
  }
  if (source_key === '' || record.resource_id.endsWith(':')) return 'it has no name'
  if (rates.length > ratesMax) return `it has more than ${ratesMax} rates beside its columns`
  for (const { meter, unit, service_tier, variant, hours, threshold } of rates) {
    const texts = [meter, unit, service_tier, variant, hours].filter((text) => text !== null)
    if (texts.some((text) => text.length > idLengthMax || !isStorableText(text)))
      return 'a rate beside its columns has a name that is no text, or too long'
    if (threshold !== null && !(Number.isSafeInteger(threshold) && threshold >= 0))
      return 'a rate beside its columns begins at no number of tokens'
  }
  if (scheduled.length > scheduledMax) return `it has more than ${scheduledMax} prices to come`
  if (!scheduled.every(({ starts_on }) => isDateText(starts_on))) return 'a price to come begins on no day'
  return retires_on === null || isDateText(retires_on) ? null : 'retires_on is no day'
}

function named({ id, reason }: RejectedRow): RejectedRow {
  return { id: storableText(id, sourceKeyLengthMax), reason: storableText(reason, reasonLengthMax) }
}

function storable({ field, rows, example: { id, value } }: UnknownField): UnknownField {
  return {
    field: storableText(field, reasonLengthMax),
    rows,
    example: { id: storableText(id, sourceKeyLengthMax), value: storableText(value, reasonLengthMax) },
  }
}
