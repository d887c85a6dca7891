import type { DecimalText } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify, lookUp } from '../../match/identify.ts'
import type { Quote, SourceReading } from '../../source-record.ts'
import { toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readAmount, type Amount } from './google-cells.ts'
import { readLines, readMarkdownTables, type Line } from './markdown-tables.ts'
import { googleIds } from './names/google.ts'
import { isTimes, pagePrice, quoteRow, tokenRates, type Row, type Table } from './page.ts'

const page = "Google's price page"
const address = 'https://ai.google.dev/gemini-api/docs/pricing'
const header = '| Free Tier | Paid Tier, per 1M tokens in USD'

/**
 * The paid prices of the Gemini API, from the page as markdown: a section for each model, with its ids under the heading
 * and a table for each tier of service. A section is read when its tiers agree with each other.
 */
export function readGooglePage(text: string): SourceReading {
  const tables = readMarkdownTables(text).filter((table) => table.header.join(' | ') === ` ${header}`)
  if (tables.length === 0)
    throw new UserError(`${page}: it has no table with the header "${header}". Compare the page by eye.`)
  const lines = Map.groupBy(readLines(text), ({ heading }) => heading)
  // What follows the last heading may be cut, and with it a sentence that says more of a price.
  const last = [...lines.keys()].at(-1)
  const rows = [...Map.groupBy(tables, ({ heading }) => heading)].flatMap(([heading, tables]): ReadRow[] => {
    const own = lines.get(heading) ?? []
    const ids = lookUp(googleIds, heading) ?? [heading.toLowerCase().replaceAll(' ', '-')]
    const section =
      heading === last
        ? { reason: 'is the last of the page, which may be cut' }
        : readSection(tables, own, ids)
    if ('tiers' in section) return toCandidates(ids, section.tiers)
    const where = `"${heading}", bytes ${own[0]?.from ?? 0} to ${own.at(-1)?.to ?? 0}`
    return ids.map((id) => ({ id, reason: `${section.reason} (${where})` }))
  })
  return toReading(rows)
}

/** What each tier costs beside the standard one, in every state of the page so far. */
const factors = { Standard: '1', Batch: '0.5', Flex: '0.5', Priority: '1.8' } as const
type TierName = keyof typeof factors
const tabs = /^(?:\[(?:Standard|Batch|Flex|Priority)\]\([^()]*\)){2,4}More$/

interface Price extends Amount {
  row: Row
}
interface Tier {
  name: TierName
  input: Price
  output?: Price
  cached?: Price
}

function readSection(
  tables: readonly Table[],
  lines: readonly Line[],
  ids: readonly string[],
): { tiers: Tier[] } | { reason: string } {
  const italics = lines.flatMap(({ text }) => (/^_`.+`_$/.test(text) ? [text.slice(1, -1)] : []))
  if (italics.length !== 1 || italics[0]?.split(/, | and /).join() !== ids.map((id) => `\`${id}\``).join())
    return {
      reason: `the ids under it are not those of its name, ${ids.join(' and ')}: ${italics.join('; ') || 'none'}`,
    }
  const told = lines.find(({ text }) => text.includes('$') && !text.startsWith('|'))
  if (told) return { reason: `a sentence states a price, which is not read: ${told.text.slice(0, 160)}` }
  const [tabLine, second] = lines.filter(({ text }) => tabs.test(text))
  const names = [...(tabLine?.text.matchAll(/\[(\w+)\]/g) ?? [])].map(([, name]) => name as TierName)
  if (
    second ||
    names.length !== tables.length ||
    names[0] !== 'Standard' ||
    new Set(names).size < names.length
  )
    return {
      reason: `has ${tables.length} tables, not one for each of several tiers, so nothing on the page confirms its prices`,
    }
  const tiers: Tier[] = []
  for (const [index, name] of names.entries()) {
    const tier = readTier(name, tables[index]!)
    if ('reason' in tier) return tier
    tiers.push(tier)
  }
  const [standard] = tiers as [Tier]
  for (const tier of tiers.slice(1)) {
    const contradiction = contradict(standard, tier)
    if (contradiction !== undefined) return { reason: contradiction }
  }
  return { tiers }
}

const labels: Readonly<Record<string, keyof Omit<Tier, 'name'>>> = {
  'Input price': 'input',
  'Input price (text, image, video)': 'input',
  'Output price': 'output',
  'Output price (including thinking tokens)': 'output',
  'Context caching price': 'cached',
}
/** What is told of in other words: searches, and what is stored by the hour. */
const others =
  /^(?:Grounding with Google (?:Search|Maps)\*?|Used to improve our products|Context caching \(storage\)|Image generation pricing|Tuning price)$/

function readTier(name: TierName, table: Table): Tier | { reason: string } {
  const tier: Partial<Tier> = {}
  for (const row of table.rows) {
    const [label = '', , paid = '', ...more] = row.cells
    const where = `${name}, bytes ${row.from} to ${row.to}`
    const column = lookUp(labels, label)
    if (row.cells.length < 3 || more.length > 0)
      return { reason: `has ${row.cells.length} cells under 3 headings (${where})` }
    if (column === undefined) {
      if (others.test(label)) continue
      return { reason: `has a row that is not known: ${label} (${where})` }
    }
    if (tier[column]) return { reason: `has two rows of one kind: ${label} (${where})` }
    if (column === 'cached' && paid === 'Not available') continue
    const amount = readAmount(paid, column)
    if (amount === null) return { reason: `${label} is in no known form: ${paid} (${where})` }
    tier[column] = { ...amount, row }
  }
  const { input } = tier
  return input ? { name, ...tier, input } : { reason: `has no input price (${name})` }
}

const columns = ['input', 'output', 'cached'] as const

/** Why a tier is not the standard one times its factor; undefined: it is. Its cached input may cost as much as there. */
function contradict(standard: Tier, tier: Tier): string | undefined {
  for (const column of columns) {
    const [is, base] = [tier[column], standard[column]]
    if (column === 'cached' && !is) continue
    const same = (times: string) =>
      (['base', 'audio', 'long'] as const).every((part) =>
        is?.[part] === undefined || base?.[part] === undefined
          ? is?.[part] === base?.[part]
          : isTimes(is[part], base[part], times),
      ) && is?.threshold === base?.threshold
    if (same(factors[tier.name]) || (column === 'cached' && factors[tier.name] === '0.5' && same('1')))
      continue
    return `${tier.name}: its ${column} is not ${factors[tier.name]} times the standard one (bytes ${is?.row.from ?? 0} to ${is?.row.to ?? 0})`
  }
  return undefined
}

const meters = { input: 'input', output: 'output', cached: 'cached_input' } as const
const priceColumns = {
  ...{ input: 'input_per_mtok', output: 'output_per_mtok', cached: 'cached_input_per_mtok' },
} as const

function toCandidates(ids: readonly string[], tiers: readonly Tier[]): Candidate[] {
  const [standard] = tiers as [Tier]
  const stated = tiers.flatMap((tier) =>
    columns.flatMap((column) => {
      const price = tier[column]
      return price ? [{ tier, column, price, rates: toRates(tier.name, column, price) }] : []
    }),
  )
  const quotes: Quote[] = stated.map(({ tier, column, price, rates }) =>
    quoteRow(price.row, [
      ...(tier === standard && price.base !== undefined ? [priceColumns[column]] : []),
      ...rates.map(rateKey),
    ]),
  )
  const { input, output, cached } = standard
  return ids.map((id) => ({
    id,
    identity: identify({ platform: 'google' }, id),
    price: pagePrice(address, {
      modality: output?.base !== undefined ? 'llm' : id.includes('-embedding-') ? 'embedding' : null,
      input_per_mtok: input.base ?? null,
      output_per_mtok: output?.base ?? null,
      cached_input_per_mtok: cached?.base ?? null,
    }),
    rates: stated.flatMap(({ rates }) => rates),
    quotes: quotes.filter(({ of }) => of.length > 0),
  }))
}

function toRates(name: TierName, column: (typeof columns)[number], price: Price): Rate[] {
  const service_tier = name === 'Standard' ? null : name.toLowerCase()
  const meter = meters[column]
  const { base, audio, long, threshold } = price
  const rate = (meter: string, amount: DecimalText | undefined, only = {}) =>
    tokenRates({ [meter]: amount }, { service_tier, ...only })
  return [
    ...(service_tier === null ? [] : rate(`${meter}_tokens`, base)),
    ...rate(`${meter}_audio_tokens`, audio),
    ...(threshold === undefined ? [] : rate(`${meter}_tokens`, long, { threshold })),
  ]
}
