import { z } from 'zod'
import { asStated, perThousandToPerMillion } from '../../../catalog/decimal.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { findSeller, identify, lookUp, type Identity } from '../../match/identify.ts'
import { quoteLengthMax, type SourceReading } from '../../source-record.ts'
import { countBytes } from '../reading/count-bytes.ts'
import { parseForeignJson } from '../reading/parse-json.ts'
import { complaints } from '../reading/reading.ts'
import { azureEmbeddings, azureNames, dataZones } from './azure-names.ts'
import { readAmount, readLines, tokenRate, type Line, type LineReading } from './lines.ts'

const Item = z.looseObject({
  currencyCode: z.string(),
  tierMinimumUnits: z.number(),
  retailPrice: z.number(),
  unitPrice: z.number(),
  armRegionName: z.string(),
  location: z.string(),
  effectiveStartDate: z.iso.datetime(),
  effectiveEndDate: z.iso.datetime().optional(),
  meterId: z.string(),
  meterName: z.string().max(200),
  productName: z.string(),
  skuName: z.string(),
  serviceName: z.string(),
  unitOfMeasure: z.string(),
  type: z.string(),
})
type Item = z.infer<typeof Item>
type ParsedItem = ReturnType<typeof Item.safeParse>

/**
 * Azure's retail prices: an answer of the API, or its items or whole answers one per line. A meter's name is all that says
 * what it counts, and its grammar has changed three times: what does not fit it as a whole is not read.
 */
export function readAzureRetailPrices(text: string, now: Date): SourceReading {
  const items = listItems(text).map((item) => Item.safeParse(item))
  const locations = findLocations(items)
  const quotes = findQuotes(text, items.length)
  const entries = items.flatMap((item, index) =>
    readItem(item, { now, locations, quote: quotes?.[index] ?? null }).map((line): [string, LineReading] => [
      describeItem(item, index),
      line,
    ]),
  )
  return readLines(entries, {
    ...{ now, version: null, publishedOn: null, what: 'an answer of Azure’s retail prices' },
    url: 'https://azure.microsoft.com/pricing/details/azure-openai/',
  })
}

const Answer = z.looseObject({ Items: z.array(z.unknown()), NextPageLink: z.string().nullish() })

function listItems(text: string): unknown[] {
  const documents = parseDocuments(text)
  const answers = documents.flatMap((document) => Answer.safeParse(document).data ?? [])
  const pages = answers.filter(({ NextPageLink }) => NextPageLink)
  if (answers.length > 0 && pages.length >= answers.length)
    throw new UserError(
      'This is one page of Azure’s retail prices: put the answers of all pages into the file, one per line.',
    )
  return documents.flatMap((document) => Answer.safeParse(document).data?.Items ?? [document])
}

function parseDocuments(text: string): unknown[] {
  try {
    return [parseForeignJson(text)]
  } catch (cause) {
    if (cause instanceof UserError) throw cause
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [parseForeignJson(line)]
    } catch (cause) {
      if (cause instanceof UserError) throw cause
      throw new UserError(`Line ${index + 1} of the file is not JSON. Is the file whole?`, { cause })
    }
  })
}

function findLocations(items: readonly ParsedItem[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { data } of items) {
    if (data === undefined) continue
    const here = counts.get(data.armRegionName) ?? new Map<string, number>()
    counts.set(data.armRegionName, here.set(data.location, (here.get(data.location) ?? 0) + 1))
  }
  return new Map(
    [...counts].map(([region, here]) => [region, [...here].toSorted(([, a], [, b]) => b - a)[0]![0]]),
  )
}

function describeItem({ data }: Pick<ParsedItem, 'data'>, index: number): string {
  return data ? `${data.meterName} in ${data.armRegionName || 'no region'}` : `#${index}`
}

interface Beside {
  now: Date
  /** What most items of a region call it. */
  locations: ReadonlyMap<string, string>
  quote: Line['quote']
}

function readItem(parsed: ParsedItem, { now, locations, quote }: Beside): LineReading[] {
  if (!parsed.success) return [{ reason: `cannot be read: ${complaints(parsed.error)}` }]
  const item = parsed.data
  const reason = findFault(item, now, locations)
  if (reason !== null) return [{ reason }]
  const meter = readMeter(item)
  if ('reason' in meter) return [meter]
  const reading = readAmount(
    item.retailPrice,
    item.unitOfMeasure === '1M' ? asStated : perThousandToPerMillion,
  )
  if ('reason' in reading) return [reading]
  return meter.identities.map((identity) => ({
    ...{ sku: describeItem(parsed, 0), identity, isWitness: true, quote },
    // Later prices of a meter replace earlier ones; two meters of one thing must agree.
    place: `${item.armRegionName} ${item.meterId}`,
    startsOn: item.effectiveStartDate.slice(0, 10),
    rate: tokenRate(meter.side, reading.amount, meter),
  }))
}

/** Why an item is no price of use for everybody; null: it is one. */
function findFault(item: Item, now: Date, locations: Beside['locations']): string | null {
  const { currencyCode, type, armRegionName, effectiveEndDate: end, unitOfMeasure, meterName } = item
  if (currencyCode !== 'USD') return `is in ${currencyCode}: only what Azure states in USD is its own`
  if (type !== 'Consumption') return `is no price of use: ${type}`
  if (armRegionName === '' || /^(?:usgov|usdod|china)/.test(armRegionName))
    return 'is of another cloud, or of no region'
  if (locations.get(armRegionName) !== item.location)
    return `names two places: ${armRegionName} and ${item.location}`
  if (end !== undefined && Date.parse(end) < now.getTime()) return `ended on ${end.slice(0, 10)}`
  if (item.retailPrice !== item.unitPrice || item.tierMinimumUnits !== 0)
    return 'has a price for a part of the use'
  if (unitOfMeasure !== '1K' && unitOfMeasure !== '1M')
    return `is per ${unitOfMeasure}, and not per 1K or 1M tokens`
  const unit = / (1M )?Tokens$/.exec(meterName)
  if (unit === null) return `counts no tokens: ${meterName}`
  if ((unit[1] === undefined) === (unitOfMeasure === '1M'))
    return `is per ${unitOfMeasure}, and its name says otherwise: ${meterName}`
  return item.skuName === meterName.slice(0, unit.index)
    ? null
    : `has a meter of another SKU: ${item.skuName}`
}

interface Meter extends Pick<Rate, 'service_tier' | 'variant'> {
  identities: Identity[]
  side: keyof typeof sides
}

/** Spellings of one word, as they are in meters. */
const sides = {
  write: 'cd wr',
  cached: '(?:cached|cchd|cd) (?:inp|inpt|input)|(?:inp|inpt|input) (?:cached|cchd)',
  output: 'outp|outpt|output|opt|out',
  input: 'inp|inpt|input',
} as const
const scopes = {
  world: 'gl|glbl|global',
  zone: 'dz|dzn|dzone|datazone|data zone',
  region: 'rgnl|regn|regnl|regional',
} as const
const tiers: Readonly<Record<string, string | null>> = {
  std: null,
  batch: 'batch',
  flex: 'flex',
  pp: 'priority',
}

const named = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([name, spellings]) => `(?<${name}>${spellings})`)
    .join('|')
const tier = Object.keys(tiers).join('|')

/** `gpt 5 mini batch inpt cchd dzone`, `5.6 luna shortco cd inp std dz`, `text embedding 3 large glbl`, `phi 4 input`. */
const grammar = new RegExp(
  `^(?<model>.+?)(?: (?<context>shortco|longco))?(?: (?<before>${tier}))?(?: (?:${named(sides)}))?(?: (?<after>${tier}))?(?: (?:${named(scopes)}))?$`,
)

function readMeter({ meterName, productName, armRegionName }: Item): Meter | { reason: string } {
  const words = meterName
    .replace(/ (?:1M )?Tokens$/, '')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, ' ')
  const { model = '', context, before, after, ...found } = grammar.exec(words)?.groups ?? {}
  const side = (Object.keys(sides) as Meter['side'][]).find((one) => found[one] !== undefined)
  const scope = Object.keys(scopes).find((one) => found[one] !== undefined)
  const table = side === undefined ? { 'Azure OpenAI': azureEmbeddings } : azureNames
  const ids = lookUp(lookUp(table, productName) ?? {}, model)
  if (ids === undefined) return { reason: `names a model that is not in the table: ${productName}, ${model}` }
  if (before !== undefined && after !== undefined) return { reason: `names two tiers: ${meterName}` }
  // Only Phi is sold in one way.
  if (scope === undefined && productName !== 'Phi') return { reason: `names no deployment: ${meterName}` }
  if (context === 'longco')
    return { reason: 'is of long context, and the meter does not say from how many tokens' }
  const zone = dataZones.find(([regions]) => regions.test(armRegionName))?.[1]
  if (scope === 'zone' && zone === undefined)
    return { reason: `is of a data zone that is not in the table: ${armRegionName}` }
  return {
    identities: ids.map((id) =>
      identifyIn(id, scope === 'region' ? armRegionName : scope === 'zone' ? zone! : null),
    ),
    ...{ side: side ?? 'input', service_tier: tiers[before ?? after ?? 'std']!, variant: null },
  }
}

const azure = findSeller('azure')

/** Other lists state the price of a global deployment without a region. */
function identifyIn(id: string, region: string | null): Identity {
  const identity = identify(azure, id)
  return region === null ? identity : { ...identity, region, resource_id: `azure:${region}:${id}` }
}

/** The words of each item, with their bytes: from the price to the meter's name. Null: not every item has such words. */
function findQuotes(text: string, items: number): (Line['quote'] | null)[] | null {
  const found = [...text.matchAll(/"unitPrice"\s*:[^{}]{0,400}?"meterName"\s*:\s*"[^"\\]*"/g)]
  if (found.length !== items) return null
  const toByte = countBytes(text)
  return found.map(({ 0: quote, index }) =>
    quote.length > quoteLengthMax
      ? null
      : { text: quote, from: toByte(index), to: toByte(index + quote.length) },
  )
}
