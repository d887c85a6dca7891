import { rowCheck } from '../../platform/row-check.ts'
import { admit } from '../claims/admit.ts'
import { toDay } from '../days.ts'
import type { SourceReading } from '../source-record.ts'
import { correctCurrencies } from '../sources/reading/currencies.ts'
import { newestDay } from '../sources/reading/data-day.ts'
import { sources, type Source, type SourceInput, type SourceName } from '../sources/index.ts'

/**
 * The rows of a source that can be served.
 * @throws UserError when the file is not the source's
 */
export async function readSource(name: SourceName, input: SourceInput): Promise<SourceReading> {
  const source: Source = sources[name]
  const reading = correctCurrencies(name, await source.read(input))
  // What the data says of itself counts before what its server says.
  reading.data_at ??= newestDay([parseDay(input.lastModified)], input.now)
  return admit(reading, await rowCheck())
}

/** The day of a `Last-Modified`, which is written as `Tue, 22 Sep 2026 06:00:00 GMT`. */
function parseDay(lastModified: string | null | undefined): string | null {
  const ms = lastModified == null ? NaN : Date.parse(lastModified)
  return Number.isNaN(ms) ? null : toDay(new Date(ms))
}
