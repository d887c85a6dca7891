import { Catalog } from './book.ts'
import { text } from './generated/snapshot.ts'
import type { CatalogRate, CatalogRecord, Snapshot } from './types.ts'

/**
 * The catalog that comes with this version of the package: the list of prices of Pydantic's genai-prices, with what it
 * states of rate cards. It is as old as its `stamp()` says; a snapshot of your own Ratecard knows more, and is newer.
 */
export function shippedCatalog(): Catalog {
  const { resources, ...header } = JSON.parse(text) as Snapshot
  return new Catalog({ ...header, resources: resources.map(whole) }, { origin: 'shipped' })
}

/** With what is null, which the shipped text leaves out. */
function whole(record: Partial<CatalogRecord>): CatalogRecord {
  const rates = wholeRates(record.rates)
  const past = (record.past ?? []).map((then) => ({ ...noAmounts, ...then, rates: wholeRates(then.rates) }))
  const announced = (record.announced ?? []).map((amounts) => ({ ...noAmounts, ...amounts }))
  const aliases = (record.aliases ?? []).map((alias) => ({ ...alias, resource_id: alias.key }))
  return { ...noFields, ...record, rates, past, announced, aliases } as CatalogRecord
}

function wholeRates(rates: CatalogRecord['rates'] = []): CatalogRate[] {
  return (rates ?? []).map((rate: Partial<CatalogRate>) => ({ ...plainRate, ...rate }) as CatalogRate)
}

const noAmounts = {
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
}
const noFields = {
  ...noAmounts,
  product_id: null,
  modality: null,
  region: null,
  currency: null,
  effective_at: null,
}
const plainRate = { service_tier: null, variant: null, threshold: null, hours: null }
