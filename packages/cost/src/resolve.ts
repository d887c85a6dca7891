import { findBook, type Book, type Catalog } from './book.ts'
import { findPlatform, listReadings, findService, withoutDate, type Reading } from './names.ts'
import { candidatesFor } from './candidates.ts'
import { isSamePrice, NameIndex } from './name-index.ts'
import type { CatalogRecord, Resolution, ResolutionRule } from './types.ts'

/** Where a name is looked up. */
export interface ResolveOptions {
  readonly catalog: Catalog
  /** Where it is paid. Without it a name that several platforms use is ambiguous. */
  readonly platform?: string | undefined
  /** The region that is billed, where a platform has records for regions. */
  readonly region?: string | undefined
  /** Names of your own, each with the name that it stands for. They are looked up first. */
  readonly deployments?: Readonly<Record<string, string>> | undefined
}

/**
 * The record that a name means: exactly, by a published alias, or by a documented spelling. It never takes what is merely
 * near, and says by which rule it found the record. A name that it does not find, or that means several records with
 * different prices, comes back with candidates.
 */
export function resolve(
  name: string,
  { catalog, platform, region, deployments }: ResolveOptions,
): Resolution {
  const book = findBook(catalog)
  if (deployments !== undefined && Object.hasOwn(deployments, name)) {
    const target = String(deployments[name])
    const found = remembered(book, target, platform, region)
    return found.isResolved ? { ...found, rule: 'deployment', steps: [name, ...found.steps] } : found
  }
  return remembered(book, name, platform, region)
}

/** What was looked up in a book before, and by which names its records are known. */
interface Memory {
  readonly index: NameIndex
  /** By where, then by name. */
  readonly known: Map<string, Map<string, Resolution>>
}
const memories = new WeakMap<Book, Memory>()

function lookUpMemory(book: Book): Memory {
  let memory = memories.get(book)
  if (memory === undefined) memories.set(book, (memory = { index: new NameIndex(book), known: new Map() }))
  return memory
}

/** Names come from answers and from strangers: what is remembered of them is bounded. */
const rememberedMax = 5_000
const nameCharsMax = 512

/** A program asks for the same few names all the time. */
function remembered(book: Book, name: string, platform = '', region = ''): Resolution {
  const { known, index } = lookUpMemory(book)
  const where = region === '' ? platform : `${platform} ${region}`
  let names = known.get(where)
  let resolution = names?.get(name)
  if (resolution !== undefined) return resolution
  resolution = Object.freeze(find(book, index, name, platform, region))
  if (names === undefined) {
    if (known.size >= rememberedMax / 50) known.clear()
    known.set(where, (names = new Map<string, Resolution>()))
  }
  if (names.size >= rememberedMax) names.clear()
  names.set(name, resolution)
  return resolution
}

function find(
  book: Book,
  index: NameIndex,
  name: unknown,
  platformGiven: string,
  regionGiven: string,
): Resolution {
  if (typeof name !== 'string' || name === '') return miss('Name the model.', [])
  if (name.length > nameCharsMax) return miss(`A name has at most ${nameCharsMax} characters.`, [])
  const platform = platformGiven === '' ? null : findPlatform(platformGiven)
  const exact = book.byId.get(name)
  if (exact !== undefined && (platform === null || exact.platform === platform))
    return { isResolved: true, record: exact, rule: 'resource_id', steps: [name], region: null }
  if (platform !== null && !index.platforms.has(platform))
    return miss(`The catalog knows no platform "${platform}".`, [])

  const region = regionGiven === '' ? null : regionGiven.toLowerCase()
  const readings = listReadings(name, (one) => index.platforms.has(one)).filter(
    (reading) => platform === null || reading.platform === null || reading.platform === platform,
  )
  const asked = readings.map((reading) => ({
    ...reading,
    platform: reading.platform ?? platform,
    region: region ?? reading.region,
    service: reading.service ?? findService(platformGiven),
  }))
  for (const rule of ways) {
    const found = rule(index, asked, name)
    if (found.length > 0) {
      const one = chosen(found, region)
      // An id of open weights (`maker/model`) belongs to no host, though the catalog may know one alone.
      const isOpen =
        platform === null &&
        one.isResolved &&
        name.includes('/') &&
        asked.every((reading) => reading.platform !== one.record.platform)
      return isOpen ? { ...one, isPlatformAssumed: true } : one
    }
  }
  return miss(
    `The catalog knows no model "${name}"${platform === null ? '' : ` on ${platform}`}.`,
    candidatesFor(name, platform, book),
  )
}

interface Match {
  readonly record: CatalogRecord
  readonly rule: ResolutionRule
  readonly steps: readonly string[]
  readonly region: string | null
}

type Way = (index: NameIndex, asked: readonly Reading[], name: string) => Match[]

/** The ways from a name to records, the surest first. The first that finds any decides. */
const ways: readonly Way[] = [
  // As it is: the platform's own id and a published alias are equally sure, and may disagree.
  (index, [plain], name) => [
    ...matches(index.ids(plain!), 'platform_id', name),
    ...matches(index.aliases(plain!), 'alias', name),
    ...(plain!.platform === null ? bySpelling(index, index.prefixed(name), name) : []),
  ],
  (index, asked, name) =>
    bySpelling(
      index,
      asked.slice(1).filter(({ isProfile }) => !isProfile),
      name,
    ),
  (index, asked, name) =>
    bySpelling(
      index,
      asked.filter(({ isProfile }) => isProfile),
      name,
    ),
  (index, asked, name) =>
    asked.flatMap((reading) => matches(index.products(reading), 'product', name, reading)),
  (index, asked, name) => asked.flatMap((reading) => byDate(index, reading, name)),
  // Last: the same letters in another case, where they mean one record.
  (index, asked, name) =>
    asked.flatMap((reading) => matches(index.anyCase(reading), 'spelling', name, reading)),
]

function matches(
  records: readonly CatalogRecord[],
  rule: ResolutionRule,
  name: string,
  reading?: Reading,
): Match[] {
  return records.map((record) => {
    const steps = [name, reading?.id, record.resource_id].filter((step) => step !== undefined)
    return { record, rule, steps: [...new Set(steps)], region: reading?.region ?? null }
  })
}

function bySpelling(index: NameIndex, readings: readonly Reading[], name: string): Match[] {
  return readings.flatMap((reading) =>
    matches([...index.ids(reading), ...index.aliases(reading)], 'spelling', name, reading),
  )
}

/**
 * A snapshot's day may be left out where it makes no difference: the model without a day has a record, and so have none of
 * its other days with another price.
 */
function byDate(index: NameIndex, reading: Reading, name: string): Match[] {
  const bare = withoutDate(reading.id)
  // A state that is newer than the catalog is not in it.
  if (bare === null || reading.id.slice(bare.length).replace(/\D/g, '') > index.day) return []
  return index.ids({ ...reading, id: bare }).flatMap((record) => {
    const others = index.findSnapshots(record)
    return others.every((other) => isSamePrice(record, other))
      ? matches([record], 'date', name, { ...reading, id: bare })
      : []
  })
}

/** One record, where all that was found is one, or costs the same. */
function chosen(found: readonly Match[], region: string | null): Resolution {
  const byId = new Map<string, Match>()
  for (const match of found)
    if (!byId.has(match.record.resource_id)) byId.set(match.record.resource_id, match)
  const all = [...byId.values()]
  // Where no platform is named, the maker's own is meant: `gpt-4o` is OpenAI's, whoever else sells it.
  const own = all.filter(({ record }) => record.platform === record.vendor)
  if (region === null && own.length > 0 && own.length < all.length)
    return { ...chosen(own, null), isPlatformAssumed: true } as Resolution
  const wanted = all.filter(({ record, region: stated }) => isOfRegion(record, region ?? stated))
  // A region without records of its own has the record that is for all; what it costs there says the card.
  const general = all.filter(({ record }) => record.region === null)
  const left = wanted.length > 0 ? wanted : general.length > 0 ? general : all
  // Of equal ones that with the longest card tells most.
  const [first, ...others] = left.sort(
    (a, b) => (b.record.rates?.length ?? 0) - (a.record.rates?.length ?? 0),
  )
  const isOne = others.every(
    ({ record }) => record.platform === first!.record.platform && isSamePrice(first!.record, record),
  )
  if (isOne) return { isResolved: true, ...first! }
  // The maker's own platform first: it is mostly meant.
  const ids = left.map(({ record }) => record.resource_id).sort()
  return {
    isResolved: false,
    reason: 'ambiguous',
    candidates: ids.slice(0, candidatesMax),
    message: `It means ${ids.length} records with different prices: name one, or the "platform" or "region".`,
  }
}

const candidatesMax = 20

/**
 * Whether a record holds in a region. Amazon's `regional` is each but `global`; governments' and China's are clouds apart. A
 * record of no region is the list price, which vendors state for some region.
 */
export function isOfRegion({ region: own, platform }: CatalogRecord, region: string | null): boolean {
  if (own === null) return region === null || isListRegion(platform, region)
  const lower = own.toLowerCase()
  if (lower === 'regional' && region !== null)
    return /^(?:us|eu|apac|au|jp|ca|in|(?!cn)[a-z]{2}-(?!gov)[a-z]+-\d)$/.test(region)
  return lower === region
}

/**
 * Whether the list price is that of the region. Amazon's is that of the American ones: in LiteLLM's map of 2026-08-01 all 33
 * of their rows cost what the model costs without a region, those of others mostly not. Elsewhere it is the global one.
 */
function isListRegion(platform: string | null, region: string): boolean {
  return region === 'global' || (platform === 'bedrock' && /^us(?:-(?:east|west)-\d)?$/.test(region))
}

function miss(message: string, candidates: readonly string[]): Resolution {
  return { isResolved: false, reason: 'unknown', candidates, message }
}
