import { z } from 'zod'
import { UserError } from '../../../platform/user-error.ts'
import type { SourceReading } from '../../source-record.ts'
import { ownReading, readOwnRow } from './own-prices.ts'
import { parseForeignJson } from '../reading/parse-json.ts'

const File = z.union([
  z.array(z.unknown()),
  z.strictObject({ version: z.string().nullish(), prices: z.array(z.unknown()) }),
])

/**
 * An operator's own prices as JSON: `{"version", "prices": [{…}]}` or the list alone, with `rates` where a CSV has no
 * column.
 * @throws UserError when it is not such a file, or when no row can be read
 */
export function readOwnJson(text: string, now: Date): SourceReading {
  const file = File.safeParse(parsed(text))
  if (!file.success)
    throw new UserError('The JSON is neither a list of prices nor {"version": "…", "prices": […]}.')
  const { prices, version } = Array.isArray(file.data) ? { prices: file.data, version: null } : file.data

  return readOwnPrices(prices, version ?? null, now)
}

/**
 * The same of a list of prices.
 * @throws UserError when no row can be read
 */
export function readOwnPrices(prices: readonly unknown[], version: string | null, now: Date): SourceReading {
  const rows = prices.map((values, index) => readOwnRow(`price ${index + 1}`, values))
  return ownReading(rows, now, version)
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    // The engine names line and column.
    throw new UserError(`The file is not JSON: ${(cause as Error).message}.`, { cause })
  }
}
