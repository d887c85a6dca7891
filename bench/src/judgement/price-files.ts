import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { newestFiles as testedFiles } from '../../../apps/server/test/support/price-files.ts'
import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'

// The real files, as the folder of PRICE_DATA_DIR has them.

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

const dailyHours = [
  '06-26T17',
  '06-26T21',
  '06-28T03',
  '07-01T01',
  '07-03T20',
  '07-08T04',
  '07-09T20',
  '07-12T04',
  '07-15T03',
  '07-15T21',
  '07-16T06',
  '07-18T23',
  '07-22T03',
  '07-24T18',
]

/** Every state that there is of summer 2026, the oldest first. */
export const allStates: readonly PriceFile[] = [
  {
    source: 'genai-prices',
    path: 'genai-prices/data_v1_2026-05-28.json.gz',
    at: '2026-05-28T12:00:00Z',
  } as const,
  {
    source: 'models.dev',
    path: 'models.dev/api_equivalent_2026-06-15.json.gz',
    at: '2026-06-15T12:00:00Z',
  } as const,
  ...dailyHours.map((hour): PriceFile => {
    const path = `litellm/daily/model_prices_2026-${hour}.json.gz`
    return { source: 'litellm', path, at: `2026-${hour}:00:00Z` }
  }),
  ...newestFiles,
].sort((a, b) => (a.at < b.at ? -1 : 1))

export async function readContent(folder: string, { path }: PriceFile): Promise<Content> {
  const stored = await readFile(join(folder, path))
  if (path.endsWith('.tar.gz')) return { bytes: gunzipSync(stored), name: basename(path) }
  return { text: (path.endsWith('.gz') ? gunzipSync(stored) : stored).toString() }
}
