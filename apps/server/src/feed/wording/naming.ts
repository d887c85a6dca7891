import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { buildPriceIndex } from './price-index.ts'
import { listNames, oneLine, rowName, wholeName } from './row-names.ts'
import { latestRecord, stripVendor } from './subject.ts'
import { clip, listText } from './text.ts'

/** What a change is about: a name that covers all its rows and only them, and where they are sold. */
export interface Subject {
  /** `gpt-4`, or `gpt-4-0613 and gpt-4-0314`, or `5 of 7 rows of gpt-4`. */
  name: string
  /** ` on openai and azure`, ` on bedrock (eu)`; empty: no platform is known. */
  location: string
}

const platformsMax = 3
const regionsMax = 3
const namesMax = 3

/** Live prices of the change's product, on its platforms, that the change is not about. */
export function findSiblings({ product, rows }: ChangeDraft, { prices }: WordingContext): PriceRecord[] {
  const ids = new Set(rows.map((row) => row.resource_id))
  const platforms = new Set(rows.flatMap(latestRecord).map(({ platform }) => platform))
  return buildPriceIndex(prices)
    .ofProduct(product)
    .filter((price) => platforms.has(price.platform) && !ids.has(price.resource_id))
}

/**
 * Names the product only if the change is about all its rows on these platforms; else the rows, or how many of them.
 * @param charsMax the longest name
 * @param preposition before the platforms
 */
export function nameSubject(
  draft: ChangeDraft,
  context: WordingContext,
  { charsMax, preposition = 'on' }: { charsMax: number; preposition?: string },
): Subject {
  const records = rowRecords(draft)
  const siblings = findSiblings(draft, context)
  const isProduct = records.every(({ product_id }) => product_id === draft.product)
  const ofProduct = stripVendor(draft.product)
  if (isProduct && siblings.length === 0) {
    const regional = findRegional(records, [])
    return {
      name: clip(oneLine(ofProduct), charsMax),
      location: locationText(records, regional, preposition),
    }
  }
  const outside = findOutside(draft, context)
  const names = [...new Set(records.map((record) => rowName(record, outside)))].sort()
  const list = listText(names, names.length)
  // A row may be meant by its whole name as well as without its path.
  const alike = outside.filter((other) =>
    [rowName(other, records), wholeName(other)].some((name) => names.includes(name)),
  )
  const isShort = names.length <= namesMax && list.length <= charsMax
  // A region is no help on a platform that is only counted.
  const isTold = alike.length === 0 || new Set(records.map(({ platform }) => platform)).size <= platformsMax
  const isList = isShort && isTold && !alike.some((other) => isMeant(other, records))
  if (isList || !isProduct) {
    const location = locationText(records, findRegional(records, alike), preposition)
    return { name: clip(isList ? list : listText(names, namesMax), charsMax), location }
  }
  const all = records.length + siblings.length
  return {
    name: `${records.length} of ${all} rows of ${clip(oneLine(ofProduct), charsMax - 30)}`,
    location: locationText(records, new Set(), preposition),
  }
}

function rowRecords({ rows }: ChangeDraft): PriceRecord[] {
  return rows.flatMap((row) =>
    latestRecord(row).map((record) => ({ ...record, resource_id: row.resource_id })),
  )
}

/** Rows on the same platforms that the change is not about, and that a name of its rows may mean too. */
function findOutside(draft: ChangeDraft, { prices }: WordingContext): PriceRecord[] {
  const ids = new Set(draft.rows.map((row) => row.resource_id))
  const records = rowRecords(draft)
  const names = new Set(records.flatMap(listNames))
  const platforms = new Set(records.map(({ platform }) => platform))
  return [...platforms].flatMap((platform) =>
    buildPriceIndex(prices)
      .named(platform, names)
      .filter(({ resource_id }) => !ids.has(resource_id)),
  )
}

/**
 * Whether the places of the rows are those of another row as well: names and places are said apart from each other, so
 * `a and b on x and y` means all four.
 */
function isMeant(other: PriceRecord, records: readonly PriceRecord[]): boolean {
  return records.some(({ platform, region }) => platform === other.platform && region === other.region)
}

/** Platforms whose regions must be said: a row of that name in another region is not meant, or there is one row. */
function findRegional(records: readonly PriceRecord[], alike: readonly PriceRecord[]): Set<string | null> {
  const platforms = alike.map(({ platform }) => platform)
  const [only] = records.length === 1 ? records : []
  return new Set(only?.region != null ? [...platforms, only.platform] : platforms)
}

function locationText(
  records: readonly PriceRecord[],
  regional: ReadonlySet<string | null>,
  preposition: string,
): string {
  const platforms = [...new Set(records.flatMap(({ platform }) => platform ?? []))].sort()
  if (platforms.length === 0) return ''
  const texts = platforms.map((platform) => {
    if (!regional.has(platform)) return platform
    const here = records.filter((record) => record.platform === platform)
    const regions = [...new Set(here.map(({ region }) => region ?? 'default region'))].sort()
    return `${platform} (${listText(regions, regionsMax)})`
  })
  return ` ${preposition} ${listText(texts, platformsMax)}`
}
