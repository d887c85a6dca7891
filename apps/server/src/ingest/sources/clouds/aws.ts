import { z } from 'zod'
import { asStated, perThousandToPerMillion, type Scale } from '../../../catalog/decimal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { findSeller, identify, lookUp, type Identity } from '../../match/identify.ts'
import { quoteLengthMax, type SourceReading } from '../../source-record.ts'
import { countBytes } from '../reading/count-bytes.ts'
import { complaints, Entries } from '../reading/reading.ts'
import { bedrockNames, regions, type BedrockName } from './aws-names.ts'
import { readAmount, readLines, tokenRate, type Line, type LineReading } from './lines.ts'
import { parseJsonFile } from '../reading/parse-json.ts'

/** Bedrock's three offers in the AWS Price List, each with one unit of tokens. */
const offers = {
  AmazonBedrock: { unit: '1K tokens', scale: perThousandToPerMillion },
  AmazonBedrockFoundationModels: { unit: '1M tokens', scale: asStated },
  AmazonBedrockService: { unit: '1K tokens', scale: perThousandToPerMillion },
} satisfies Record<string, { unit: string; scale: Scale }>
export type OfferCode = keyof typeof offers

const Offer = z.looseObject({
  offerCode: z.string(),
  version: z.string(),
  publicationDate: z.iso.datetime(),
  products: Entries,
  terms: z.looseObject({ OnDemand: Entries }),
})

const Product = z.looseObject({
  attributes: z.looseObject({
    usagetype: z.string().max(300),
    regionCode: z.string(),
    servicename: z.string(),
    model: z.string().optional(),
    feature: z.string().optional(),
    inferenceType: z.string().optional(),
    service_tier: z.string().optional(),
  }),
})
type Attributes = z.infer<typeof Product>['attributes']

const Dimension = z.looseObject({
  rateCode: z.string(),
  description: z.string().max(1_000),
  beginRange: z.literal('0'),
  endRange: z.literal('Inf'),
  unit: z.string(),
  pricePerUnit: z.record(z.string(), z.string()),
})
const Term = z.looseObject({ effectiveDate: z.iso.datetime(), priceDimensions: Entries })

/**
 * One offer of the AWS Price List, of one region or of all. It names models by words, except where `usagetype` holds the
 * id. `usagetype` has two grammars; what the other attributes and the description say of the same line must agree.
 */
export function readAwsPriceList(text: string, code: OfferCode, now: Date): SourceReading {
  const offer = Offer.safeParse(parseJsonFile(text))
  if (!offer.success)
    throw new UserError(`This is not an offer of the AWS Price List: ${complaints(offer.error)}.`)
  const { offerCode, version, publicationDate, products, terms } = offer.data
  if (offerCode !== code)
    throw new UserError(
      `This is the offer ${offerCode} of the AWS Price List, and this source reads ${code}.`,
    )
  const quotes = findQuotes(text)
  const scoped = findScopedIds(Object.values(products))
  const entries = Object.entries(products).map(([sku, product]): [string, LineReading] => [
    sku,
    readProduct(sku, product, terms.OnDemand[sku], { code, quotes, scoped }),
  ])
  return readLines(entries, {
    ...{ now, version, publishedOn: publicationDate, what: `the offer ${code} of the AWS Price List` },
    url: 'https://aws.amazon.com/bedrock/pricing/',
  })
}

interface Beside {
  code: OfferCode
  quotes: ReadonlyMap<string, Line['quote']>
  /** Ids that are sold by scope too: what their plain price is for, the offer does not say. */
  scoped: ReadonlySet<string>
}

function readProduct(
  sku: string,
  product: unknown,
  term: unknown,
  { code, quotes, scoped }: Beside,
): LineReading {
  const parsed = Product.safeParse(product)
  if (!parsed.success) return { reason: `cannot be read: ${complaints(parsed.error)}` }
  const { attributes } = parsed.data
  const price = readTerm(term)
  if ('reason' in price) return price

  const words = [attributes.usagetype, attributes.inferenceType, price.description].join('\n')
  const rule = leftOut.find(([kind]) => kind.test(words))
  if (rule) return { reason: rule[1] }
  const meter = readMeter(attributes)
  if ('reason' in meter) return meter
  const { unit, scale } = offers[code]
  if (price.unit !== unit) return { reason: `is per ${price.unit}, and not per ${unit}` }
  const contradiction = findContradiction(meter, attributes, price, code)
  if (contradiction !== null) return { reason: contradiction }

  const model = findModel(meter, attributes, scoped)
  if ('reason' in model) return model
  const reading = readAmount(price.usd, scale)
  if ('reason' in reading) return reading
  const { side, tier, ttl } = meter.features
  return {
    ...{ sku, ...model, place: attributes.regionCode, startsOn: price.startsOn },
    rate: tokenRate(side, reading.amount, { service_tier: tier, variant: ttl }),
    quote: quotes.get(price.rateCode) ?? null,
  }
}

interface Price {
  rateCode: string
  description: string
  unit: string
  usd: string
  startsOn: string
}

/** The one price of a line, on demand. */
function readTerm(source: unknown): Price | { reason: string } {
  const [term, ...others] = Object.values(Entries.safeParse(source).data ?? {})
  const parsed = Term.safeParse(term)
  if (!parsed.success || others.length > 0) return { reason: 'has not one price on demand' }
  const [stated, ...more] = Object.values(parsed.data.priceDimensions)
  const dimension = Dimension.safeParse(stated)
  if (!dimension.success || more.length > 0) return { reason: 'has no one price for every amount of use' }
  const { rateCode, description, unit, pricePerUnit } = dimension.data
  const { USD: usd, ...currencies } = pricePerUnit
  if (usd === undefined || Object.keys(currencies).length > 0)
    return { reason: `is not in USD: ${Object.keys(pricePerUnit).join(', ')}` }
  return { rateCode, description, unit, usd, startsOn: parsed.data.effectiveDate.slice(0, 10) }
}

/** What words say that a line charges for. */
interface Features {
  side: 'input' | 'output' | 'cached' | 'write'
  tier: string | null
  isGlobal: boolean
  /** How long a write to the cache stays; null: as usual. */
  ttl: string | null
}

interface Meter {
  /** What is named before the meter; null: the service's name says it. */
  subject: string | null
  features: Features
}

/** Kinds of use that are no price of tokens as others state it, or whose limit the offer does not state. */
const leftOut: readonly [words: RegExp, reason: string][] = [
  [/reserved|tpm/i, 'is reserved capacity, not a price of use'],
  [/long[-_ ]?(?:context|ctx)/i, 'is of long context, and the offer does not say from how many tokens'],
  [/latency/i, 'is optimised for latency, which no other list has as a tier'],
  [/custom-?model/i, 'is of a customer’s own model'],
]

const marketplace = [
  /^(?:(?:CacheRead|CacheWrite|CacheWrite1h)?InputTokenCount|OutputTokenCount)(?:_Global)?(?:_Batch)?$/,
  /^(?:input_tokens|output_tokens|cache_read_tokens|cache_write_tokens(?:_1h|_30m)?)(?:_global)?_(?:standard|batch|flex|priority)$/,
]
const plain =
  /^(?<subject>.+?)-(?<words>(?:input-tokens|output-tokens|cache-(?:read|write)-input-token-count|cache-(?:read|write)-tokens)(?:-(?:1h|30m|standard|batch|flex|priority|global|cross-region-global))*)$/

function readMeter({ usagetype, regionCode }: Attributes): Meter | { reason: string } {
  const region = lookUp(regions, regionCode)
  if (region === undefined) return { reason: `is of a region that is not in the table: ${regionCode}` }
  const prefix = `${region.code}-`
  if (!usagetype.startsWith(prefix)) return { reason: `has a usagetype of another region than ${regionCode}` }
  const rest = usagetype.slice(prefix.length)
  const unread = { reason: `has a usagetype that is not read: ${usagetype}` }
  const sold = `MP:${region.code}_`
  if (rest.startsWith(sold)) {
    const words = rest.slice(sold.length).replace(/-Units$/, '')
    return rest.endsWith('-Units') && marketplace.some((form) => form.test(words))
      ? { subject: null, features: findFeatures(words)! }
      : unread
  }
  const { subject, words } = plain.exec(rest)?.groups ?? {}
  return subject === undefined || words === undefined ? unread : { subject, features: findFeatures(words)! }
}

function findFeatures(words: string): Features | null {
  const side = /cache[-_ ]?write/i.test(words)
    ? 'write'
    : /cache[-_ ]?read/i.test(words)
      ? 'cached'
      : /output|response/i.test(words)
        ? 'output'
        : /input/i.test(words)
          ? 'input'
          : null
  if (side === null) return null
  const ttl = /(?:^|[-_( ]|write)1 ?h/i.test(words) ? '1h' : /(?:^|[-_( ])30 ?m/i.test(words) ? '30m' : null
  const tier = /batch|flex|priority/i.exec(words)?.[0].toLowerCase() ?? null
  return { side, tier, isGlobal: /global/i.test(words), ttl }
}

/** What else the line says of itself must be the same: a slip of the document is then no price of ours. */
function findContradiction(
  { features, subject }: Meter,
  { feature, inferenceType, service_tier, servicename }: Attributes,
  { description, usd }: Price,
  code: OfferCode,
): string | null {
  const { side, tier, isGlobal, ttl } = features
  const told = findFeatures(description.slice(description.lastIndexOf('|') + 1))
  const isSame = told?.side === side && told.tier === tier && told.isGlobal === isGlobal && told.ttl === ttl
  if (!isSame) return `is described otherwise than its usagetype says: ${description}`
  if (code === 'AmazonBedrockFoundationModels')
    return servicename.endsWith(edition) && subject === null
      ? null
      : 'is not named as that offer names models'
  // `$0.00015 per 1K input tokens for …`
  const amount = /^\$(\d+(?:\.\d+)?) per 1K /.exec(description)?.[1]
  if (amount === undefined || Number(amount) !== Number(usd))
    return `is described with another amount: ${description}`
  if (subject === null) return 'is named as another offer names models'
  const tiers = [
    feature === 'Batch Inference'
      ? 'batch'
      : feature === 'On-demand Inference' && tier !== 'batch'
        ? tier
        : feature,
    service_tier === 'standard' ? null : service_tier,
  ]
  const kind = inferenceType === undefined ? null : findFeatures(inferenceType)
  const isKind =
    kind === null ||
    // It may call what is read from and written to a cache input.
    ((kind.tier ?? tier) === tier && (kind.side === side || (kind.side === 'input' && side !== 'output')))
  return isKind && tiers.every((one) => one === undefined || one === tier)
    ? null
    : 'has attributes that contradict its usagetype'
}

const edition = ' (Amazon Bedrock Edition)'
const mantle = '-mantle'

function findModel(
  { subject, features: { isGlobal } }: Meter,
  { model, servicename, regionCode }: Attributes,
  scoped: ReadonlySet<string>,
): { identity: Identity; isWitness: boolean } | { reason: string } {
  if (subject?.endsWith(mantle)) {
    const id = subject.slice(0, -mantle.length)
    if (!/^[a-z0-9]+\.[a-z0-9]/.test(id)) return { reason: `holds no id: ${id}` }
    if (scoped.has(subject)) return { reason: 'is of an id that is sold by scope, which the id does not say' }
    return { identity: identityIn(regionCode, id), isWitness: false }
  }
  const name = subject === null ? servicename.slice(0, -edition.length) : model
  const known = name === undefined ? undefined : lookUp(bedrockNames, name)
  if (known === undefined)
    return { reason: `names a model that is not in the table: ${name ?? subject ?? ''}` }
  if (subject !== null && known.code !== subject)
    return { reason: `names a model that is not in the table: ${name ?? ''}, ${subject}` }
  return { identity: identifyName(known, regionCode, isGlobal), isWitness: true }
}

function identifyName({ id, isGeographic }: BedrockName, region: string, isGlobal: boolean): Identity {
  if (isGlobal) return identify(bedrock, `global.${id}`)
  return isGeographic ? identify(bedrock, `${regions[region]!.geography}.${id}`) : identityIn(region, id)
}

/** Other lists state the price of us-east-1 without a region. */
function identityIn(region: string, id: string): Identity {
  return identify(bedrock, region === 'us-east-1' ? id : `${region}/${id}`)
}

const bedrock = findSeller('bedrock')

/** Names with `-mantle` of which a line names a scope. */
function findScopedIds(products: readonly unknown[]): Set<string> {
  return new Set(
    products.flatMap((product) => {
      const usagetype = Product.safeParse(product).data?.attributes.usagetype
      return /^[A-Z0-9]+-(.+-mantle)-.*global/.exec(usagetype ?? '')?.[1] ?? []
    }),
  )
}

const dimension =
  /"rateCode"\s*:\s*"(?<rateCode>[^"\\]+)"\s*,\s*(?<text>"description"\s*:\s*"[^"\\]*"[^{}"\\]{0,99}(?:"[^"\\]{0,99}"[^{}"\\]{0,99}){0,9}\{[^{}]*\})/dg

/** The words of each price, with their bytes: from the description to the amount. */
function findQuotes(text: string): Map<string, Line['quote']> {
  const toByte = countBytes(text)
  const quotes = new Map<string, Line['quote']>()
  for (const { indices, groups } of text.matchAll(dimension)) {
    const [from, to] = indices!.groups!.text!
    if (to - from <= quoteLengthMax)
      quotes.set(groups!.rateCode!, { text: groups!.text!, from: toByte(from), to: toByte(to) })
  }
  return quotes
}
