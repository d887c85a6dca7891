import type { paths } from '../../contract/index.ts'
import { api, bodyOf } from './client.ts'

type Query = NonNullable<paths['/dashboard/api/price-file']['get']['parameters']['query']>
export type PriceFileFormat = NonNullable<Query['format']>

const names: Record<PriceFileFormat, string> = {
  json: 'ratecard-prices.json',
  jsonl: 'ratecard-prices.jsonl',
  csv: 'ratecard-prices.csv',
  sqlite: 'ratecard-prices.sqlite',
  litellm: 'model_prices_and_context_window.json',
}

/** Fetched rather than followed as a link: a refusal is then said on the page, and no page of its own. */
export async function downloadPriceFile(format: PriceFileFormat): Promise<void> {
  const answer = api.GET('/dashboard/api/price-file', { params: { query: { format } }, parseAs: 'blob' })
  saveBlob(names[format], await bodyOf<Blob>(answer))
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
