import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SourceName } from '../../src/feed/sources/index.ts'

/** Published price files, which we may not distribute. Tests on them report that they are skipped without the files. */
export const priceDataDir = process.env.PRICE_DATA_DIR

export const skipTitle = (title: string) =>
  priceDataDir === undefined ? `${title} (skipped: PRICE_DATA_DIR is not set)` : title

export function priceFile(path: string): string {
  const bytes = readFileSync(join(priceDataDir ?? '', path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

/** The newest file of each source, and when it was published; the oldest first. */
export const newestFiles = [
  { source: 'models.dev', path: 'models.dev/api_equivalent_2026-07-02.json', at: '2026-07-02T12:00:00Z' },
  { source: 'litellm', path: 'litellm/model_prices_2026-08-01.json', at: '2026-08-01T00:59:59Z' },
  { source: 'openrouter', path: 'openrouter/models_2026-08-01.json', at: '2026-08-01T12:00:00Z' },
  {
    source: 'llm-prices',
    path: 'llm-prices/historical-v1_equivalent_2026-08-05.json',
    at: '2026-08-05T12:00:00Z',
  },
  { source: 'genai-prices', path: 'genai-prices/data_v2_2026-08-21.json', at: '2026-08-21T06:00:00Z' },
  { source: 'portkey', path: 'portkey/pricing_2026-08-21.tar.gz', at: '2026-08-21T12:00:00Z' },
] as const satisfies { source: SourceName; path: string; at: string }[]

/** The newest document of each seller that is here. */
export const newestDocuments = [
  { source: 'anthropic-page', path: 'official/anthropic/2026-08-11-pricing.md' },
] as const satisfies { source: SourceName; path: string }[]

/** All states of LiteLLM's file, 2025-02-06 to 2026-08-01, the oldest first. */
export function litellmStates(): { at: string; path: string }[] {
  const folders = ['litellm', 'litellm/daily', 'litellm/events']
  const paths = folders.flatMap((folder) =>
    readdirSync(join(priceDataDir ?? '', folder)).map((name) => `${folder}/${name}`),
  )
  return paths
    .flatMap((path) => {
      const [, day, hour = '00'] = /\.?_?(\d{4}-\d\d-\d\d)(?:T(\d\d))?\.json(?:\.gz)?$/.exec(path) ?? []
      return day === undefined ? [] : [{ at: `${day}T${hour}:59:59Z`, path }]
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** What a source holds, as a run takes it: a text, or an unpacked archive. */
export function priceInput(path: string): { text: string } | { bytes: Uint8Array } {
  if (!path.endsWith('.tar.gz')) return { text: priceFile(path) }
  return { bytes: gunzipSync(readFileSync(join(priceDataDir ?? '', path))) }
}
