import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Published price files, which we may not distribute. Tests on them report that they are skipped without the files. */
export const priceDataDir = process.env.PRICE_DATA_DIR

export const skipTitle = (title: string) =>
  priceDataDir === undefined ? `${title} (skipped: PRICE_DATA_DIR is not set)` : title

export function priceFile(path: string): string {
  const bytes = readFileSync(join(priceDataDir ?? '', path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}
