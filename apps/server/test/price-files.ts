import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Price files as published, which are not ours to ship. Tests on them say that they are skipped where they are absent. */
export const priceDataDir = process.env.PRICE_DATA_DIR

export const skipTitle = (title: string) =>
  priceDataDir === undefined ? `${title} (skipped: PRICE_DATA_DIR is not set)` : title

export function priceFile(path: string): string {
  const bytes = readFileSync(join(priceDataDir ?? '', path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}
