import { companyName, modelName } from '@ratecard/contract/model-name'
import type { PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { buildPriceIndex } from './price-index.ts'
import { dropPath, listNames, oneLine, rowName, wholeName } from './row-names.ts'
import { latestRecord } from './subject.ts'
import { clip, listText } from './text.ts'

/** What a change is about: a name that covers all its rows and only them, and where they are sold. */
export interface Subject {
  /** `GPT-4`, or `GPT-4 0613 and GPT-4 0314`, or `5 of 7 listings of GPT-4`. */
  name: string
  /** ` on OpenAI and Microsoft Azure`, ` on Amazon Bedrock (eu)`; empty: no platform is known. */
  location: string
  isPlural: boolean
}

interface SubjectOptions {
  /** The longest name. */
  charsMax: number
  /** Before the platforms. */
  preposition?: string
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
 * Names the product only if the change is about all its rows on these platforms; else the rows, or how many of them. Names
 * are as people write them, with what tells them from those of other rows.
 */
export function nameSubject(
  draft: ChangeDraft,
  context: WordingContext,
  { charsMax, preposition = 'on' }: SubjectOptions,
): Subject {
  const records = rowRecords(draft)
  const siblings = findSiblings(draft, context)
  const isProduct = records.every(({ product_id }) => product_id === draft.product)
  const ofProduct = oneLine(modelName(draft.product))
  const locate = (regional: ReadonlySet<string | null>) => locationText(records, regional, preposition)
  if (isProduct && siblings.length === 0) {
    return { name: clip(ofProduct, charsMax), location: locate(findRegional(records, [])), isPlural: false }
  }
  const outside = findOutside(draft, context)
  const names = [...new Set(records.map((record) => rowName(record, outside)))].sort()
  const namesakes = findNamesakes(names, records, [...outside, ...siblings])
  const besides = namesakes.filter((other) => isMeant(other, records)).map((other) => rowName(other, records))
  const shown = [...new Set(names.map((name) => tellApart(name, besides)))]
  const list = listText(shown, shown.length)
  const isPlural = shown.length > 1
  // A row may be meant by its whole name as well as without its path.
  const alike = [
    ...outside.filter((other) =>
      [rowName(other, records), wholeName(other)].some((name) => names.includes(name)),
    ),
    ...namesakes.filter((other) => !isMeant(other, records)),
  ]
  const isShort = shown.length <= namesMax && list.length <= charsMax
  // A region is no help on a platform that is only counted.
  const isTold = alike.length === 0 || new Set(records.map(({ platform }) => platform)).size <= platformsMax
  const isList = isShort && isTold && !alike.some((other) => isMeant(other, records))
  if (isList || !isProduct) {
    const location = locate(findRegional(records, alike))
    return { name: clip(isList ? list : listText(shown, namesMax), charsMax), location, isPlural }
  }
  const all = records.length + siblings.length
  return {
    name: `${records.length} of ${all} listings of ${clip(ofProduct, charsMax - 30)}`,
    location: locate(new Set()),
    isPlural: records.length > 1,
  }
}

/** What platforms put around a name: the maker before it, a version of theirs behind it. */
const around = /^[a-z0-9-]+\.(?=[a-z])|:0$/g

const readableName = (name: string): string =>
  oneLine(modelName(name.replaceAll('%2F', '/').replaceAll(around, '')))

/** Rows whose names are others, and read alike. */
function findNamesakes(
  names: readonly string[],
  records: readonly PriceRecord[],
  others: readonly PriceRecord[],
): PriceRecord[] {
  const shown = new Set(names.map(readableName))
  return others.filter((other) => {
    const name = rowName(other, records)
    return !names.includes(name) && shown.has(readableName(name))
  })
}

/** No short number: `(0)` says nothing of `…-v1:0` beside `…-v1`. */
const isTelling = (word: string): boolean => /\p{L}|\d{3}/u.test(word)

/** With the words that no other row of that place has, `Claude Sonnet 4.5 (eu)`; as it is, where none tells. */
function tellApart(name: string, others: readonly string[]): string {
  const shown = readableName(name)
  const same = others.filter((other) => readableName(other) === shown)
  if (same.length === 0) return shown
  const theirs = new Set(same.flatMap(splitWords))
  const own = splitWords(dropPath(name)).filter((word) => isTelling(word) && !theirs.has(word))
  return own.length > 0 ? `${shown} (${own.join(' ')})` : name
}

const splitWords = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

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
    if (!regional.has(platform)) return companyName(platform)
    const here = records.filter((record) => record.platform === platform)
    const regions = [...new Set(here.map(({ region }) => region ?? 'default region'))].sort()
    return `${companyName(platform)} (${listText(regions, regionsMax)})`
  })
  return ` ${preposition} ${listText(texts, platformsMax)}`
}
