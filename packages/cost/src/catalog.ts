import { Catalog } from './book.ts'
import { text } from './generated/snapshot.ts'
import type { CatalogRate, CatalogRecord, Snapshot } from './types.ts'

/**
 * The catalog that comes with this version of the package: the list of prices of Pydantic's genai-prices, with what it
 * states of rate cards. It is as old as its `stamp()` says; a snapshot of your own Ratecard knows more, and is newer.
 */
export function shippedCatalog(): Catalog {
  const { resources, ...header } = JSON.parse(text) as Snapshot
  const updated_at = header.as_of ?? header.generated_at
  const records = (resources as readonly ShortRecord[]).map((record) => whole(record, updated_at))
  return new Catalog({ ...header, resources: records }, { origin: 'shipped' })
}

/** A record as the text has it: without what is null, and what many records have alike once. */
type ShortRecord = Omit<Partial<CatalogRecord>, 'aliases'> & {
  readonly model_name?: string
  readonly aliases?: readonly (string | { readonly key: string; readonly model_name: string })[]
}

function whole({ model_name, ...record }: ShortRecord, updated_at: string): CatalogRecord {
  const rates = wholeRates(record.rates)
  const past = (record.past ?? []).map((then) => ({ ...noAmounts, ...then, rates: wholeRates(then.rates) }))
  const announced = (record.announced ?? []).map((amounts) => ({ ...noAmounts, ...amounts }))
  const named = model_name === undefined ? [] : [record.resource_id!]
  const aliases = [...named, ...(record.aliases ?? [])].map((alias) =>
    typeof alias === 'string'
      ? { key: alias, resource_id: alias, model_name }
      : { ...alias, resource_id: alias.key },
  )
  return { ...noFields, updated_at, ...record, rates, past, announced, aliases } as CatalogRecord
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
const plainRate = { unit: '1m_tokens', service_tier: null, variant: null, threshold: null, hours: null }
