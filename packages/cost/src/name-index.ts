import type { Book } from './book.ts'
import { columns } from './card.ts'
import { addTo } from './lists.ts'
import { isContradicted, serviceNames, findState, withoutDate, withoutState, type Reading } from './names.ts'
import type { CatalogRate, CatalogRecord } from './types.ts'

// By which names the records of a catalog are known. Made a part at a time, and not for the first few look-ups: a program
// that names records by their ids pays for none of it, and one that has a single question for a walk over the records.

type Names = Map<string, CatalogRecord[]>

/** Names of one kind that a record has. */
type Lister = (record: CatalogRecord, see: (name: string) => void) => void

const listId: Lister = (record, see) => see(findId(record))
const listAnyCase: Lister = (record, see) => see(findId(record).toLowerCase())
const listAliases: Lister = (record, see) => {
  for (const { key, resource_id } of record.aliases ?? []) {
    see(key)
    see(resource_id)
    see(findId(record, resource_id))
  }
}

/** A walk over all records takes a tenth of what it takes to keep their names. */
const walksMax = 4

export class NameIndex {
  /** Platforms of the catalog. */
  readonly platforms = new Set<string>()
  readonly #records: readonly CatalogRecord[]
  readonly #lists = new Map<Lister, Names>()
  #walks = 0
  #products: { byName: Map<string, string[]>; records: Names; named: Names } | undefined

  /** The day of the catalog, as `YYYYMMDD`. */
  readonly day: string

  constructor({ snapshot: { resources: records, as_of, generated_at } }: Book) {
    this.#records = records
    this.day = (as_of ?? generated_at).slice(0, 10).replace(/\D/g, '')
    for (const { platform } of records) if (platform !== null) this.platforms.add(platform)
  }

  /** Records whose platform uses this id. */
  ids(reading: Reading): CatalogRecord[] {
    return this.#withNewer(reading, this.#find(listId, reading))
  }

  /** Records that a source lists under this name. */
  aliases(reading: Reading): CatalogRecord[] {
    const listed = this.#find(listAliases, reading)
    return this.#withNewer(
      reading,
      listed.filter((record) => !isContradicted(reading.id, findId(record), record.region)),
    )
  }

  /**
   * `…-latest` moves with the maker: where there is a newer state that costs something else, the list may have stood still,
   * so that state may be meant as well.
   */
  #withNewer({ id }: Reading, found: CatalogRecord[]): CatalogRecord[] {
    return id.endsWith('-latest') ? [...found, ...found.flatMap((record) => this.#newerThan(record))] : found
  }

  /** Of a record that is itself called so nobody knows which state it is, but for the day of its price. */
  #newerThan(record: CatalogRecord): CatalogRecord[] {
    const [, base] = /^(.+)-latest$/.exec(findId(record)) ?? []
    const names = [record.resource_id, ...(record.aliases ?? []).map(({ resource_id }) => resource_id)]
    const day = record.effective_at?.slice(2, 10).replaceAll('-', '') ?? ''
    const newest = [...names.map(findState), day].sort().at(-1)!
    const states = this.#records.filter(
      (other) =>
        other.platform === record.platform &&
        other.region === record.region &&
        withoutState(findId(other)) === base,
    )
    return [...states, ...(newest === '' ? [] : this.#siblings(record))].filter(
      (other) => findState(other.resource_id) > newest && !isSamePrice(record, other),
    )
  }

  /** The name read as a platform and its id. */
  prefixed(name: string): Reading[] {
    const [, platform = '', id = ''] = /^([^/]+)\/(.+)$/s.exec(name) ?? []
    return this.platforms.has(platform) ? [{ platform, id, region: null }] : []
  }

  /**
   * Records of the product that the name means. A dated name means the product only where the records that carry it cost
   * what the product costs beside them.
   */
  products({ platform, id }: Reading): CatalogRecord[] {
    const { byName, records, named } = (this.#products ??= productNames(this.#records))
    const name = id.toLowerCase()
    const found = (byName.get(name) ?? []).flatMap((product) => on(platform, records.get(product)))
    const isDated = withoutDate(name) !== null
    const carriers = named.get(name) ?? []
    const isTold = carriers.every((one) => this.#siblings(one).every((other) => isSamePrice(one, other)))
    const isBare = !isDated || carriers.some((one) => this.#siblings(one).length > 1)
    if (!isTold || !isBare) return []
    // Dated records of a product that has one without a date are states of it.
    const undated = found.filter((record) => withoutDate(findId(record)) === null)
    return undated.length > 0 && found.every((record) => isSamePrice(record, undated[0]!))
      ? undated.slice(0, 1)
      : found
  }

  /** Records with the same letters in any case: none where they mean several. */
  anyCase(reading: Reading): CatalogRecord[] {
    return this.#find(listAnyCase, { ...reading, id: reading.id.toLowerCase() })
  }

  /** Records under the name that the reading has, of its platform and service. */
  #find(list: Lister, reading: Reading): CatalogRecord[] {
    let names = this.#lists.get(list)
    if (names === undefined) {
      const found: Names = (names = new Map<string, CatalogRecord[]>())
      const isKept = (this.#walks += 1) > walksMax
      for (const record of this.#records)
        list(record, (name) => (isKept || name === reading.id) && addTo(found, name, record))
      if (isKept) this.#lists.set(list, found)
    }
    return on(reading.platform, names.get(reading.id)).filter((record) => isOfService(record, reading))
  }

  /** Records of the same platform and region that are dated snapshots of this one. */
  findSnapshots(record: CatalogRecord): CatalogRecord[] {
    const id = findId(record)
    return this.#siblings(record).filter((other) => withoutDate(findId(other)) === id)
  }

  /** The records of the same product, platform and region. */
  #siblings({ product_id, platform, region }: CatalogRecord): CatalogRecord[] {
    const { records } = (this.#products ??= productNames(this.#records))
    const all = product_id === null ? [] : (records.get(product_id) ?? [])
    return all.filter((other) => other.platform === platform && other.region === region)
  }
}

/** The id as the platform spells it: what is left of `platform[:region]:id`. */
function findId({ resource_id, platform, region }: CatalogRecord, id = resource_id): string {
  const head = platform === null ? '' : region === null ? `${platform}:` : `${platform}:${region}:`
  return id.startsWith(head) ? id.slice(head.length) : id
}

function productNames(all: readonly CatalogRecord[]) {
  const byName = new Map<string, string[]>()
  const records: Names = new Map()
  const named: Names = new Map()
  for (const record of all) {
    const { product_id, aliases = [] } = record
    if (product_id === null) continue
    addTo(records, product_id, record)
    const models = aliases.map(({ model_name }) => model_name)
    for (const model of models) addTo(named, model, record)
    for (const name of [product_id, product_id.slice(product_id.indexOf('/') + 1), ...models])
      addTo(byName, name, product_id)
  }
  return { byName, records, named }
}

function on(platform: string | null, records: readonly CatalogRecord[] = []): CatalogRecord[] {
  return platform === null ? [...records] : records.filter((record) => record.platform === platform)
}

/**
 * Where the name states which of the platform's services is meant, a record that a source lists by another one alone is
 * not it.
 */
function isOfService({ aliases = [] }: CatalogRecord, { service, id }: Reading): boolean {
  if (service === undefined) return true
  const listed = aliases.flatMap(({ key }) => {
    const [, other = '', rest = ''] = /^([^/]+)\/(.+)$/s.exec(key) ?? []
    return serviceNames.has(other) && rest.toLowerCase() === id.toLowerCase() ? [other] : []
  })
  return listed.includes(service) || (listed.length === 0 && service !== 'bedrock_mantle')
}

/** Whether two records charge the same: the six amounts, and each rate that both cards have. */
export function isSamePrice(a: CatalogRecord, b: CatalogRecord): boolean {
  if (a === b) return true
  if (a.currency !== b.currency || columns.some(([field]) => a[field] !== b[field])) return false
  const rates = new Map((a.rates ?? []).map((rate) => [buildKey(rate), rate.amount]))
  return (b.rates ?? []).every((rate) => (rates.get(buildKey(rate)) ?? rate.amount) === rate.amount)
}

function buildKey({ meter, unit, service_tier, variant, threshold, hours }: CatalogRate): string {
  return JSON.stringify([meter, unit, service_tier, variant, threshold, hours])
}
