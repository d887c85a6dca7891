import type { Schemas } from '../../contract/index.ts'
import { call } from './client.ts'

export type PriceFileFormat = Schemas['PriceFileFormat']

const names: Record<PriceFileFormat, string> = {
  json: 'ratecard-prices.json',
  jsonl: 'ratecard-prices.jsonl',
  csv: 'ratecard-prices.csv',
  sqlite: 'ratecard-prices.sqlite',
}

/** Fetched rather than followed as a link: a refusal is then said on the page, and no page of its own. */
export async function downloadPriceFile(format: PriceFileFormat): Promise<void> {
  saveBlob(names[format], await call('GET /price-file', { query: { format } }))
}

export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
