import { z } from 'zod'
import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import { readDecimal } from '../../../catalog/decimal.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify } from '../../match/identify.ts'
import type { Quote, SourceReading } from '../../source-record.ts'
import { parseForeignJson } from '../reading/parse-json.ts'
import { complaints, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readHtmlTables } from './html-tables.ts'
import { pagePrice, quoteRow, tokenRates } from './page.ts'

const page = "xAI's price page"
const address = 'https://docs.x.ai/docs/models'

/** The API's own integers: ten thousand to the dollar, per million tokens. 0 is what is not sold apart. */
const Price = z.union([z.literal(0), z.string().regex(/^[1-9]\d{0,7}$/)])
const Id = z.string().regex(/^grok-[a-z0-9.-]*[a-z0-9]$/)
const Model = z.object({
  name: Id,
  aliases: z.array(Id),
  promptTextTokenPrice: Price,
  completionTextTokenPrice: Price,
  cachedPromptTokenPrice: Price,
  longContextThreshold: z
    .string()
    .regex(/^[1-9]\d{4,6}$/)
    .optional(),
  promptTextTokenPriceLongContext: Price,
  completionTokenPriceLongContext: Price,
})
const Clusters = z.array(z.object({ clusterName: z.string(), languageModels: z.array(z.unknown()) }))
type Model = z.infer<typeof Model>

/**
 * The prices of language models, from the data that the page's HTML carries for its script: once for each cluster. A
 * model is read when its clusters agree with each other, and with the table where it stands in it.
 */
export function readXaiPage(text: string): SourceReading {
  const rejected: RejectedRow[] = []
  const clusters = readClusters(text)
  const models = clusters.flatMap(({ languageModels }) =>
    languageModels.flatMap((stated) => {
      const parsed = Model.safeParse(stated)
      if (parsed.success) return [parsed.data]
      const name = z.object({ name: z.string() }).safeParse(stated).data?.name ?? 'a model without a name'
      rejected.push({ id: name, reason: `${complaints(parsed.error)} (${whereIsModel(text, name)})` })
      return []
    }),
  )
  const table = readTable(
    text,
    clusters.map(({ clusterName }) => clusterName),
  )
  const rows = [...Map.groupBy(models, ({ name }) => name)].flatMap(([name, same]): ReadRow[] => {
    const [model] = same as [Model]
    const shown = table.flatMap((row) => (row.name === name ? [row.prices] : []))
    const isUnreadable = rejected.some(({ id }) => id === name)
    const problem = isUnreadable ? 'cannot be read in one cluster' : findProblem(same, models, shown)
    if (problem === undefined) return listIds(model).map((id) => toCandidate(id, model, text))
    const reason = `${problem} (${whereIsModel(text, name)})`
    return listIds(model).map((id) => ({ id, reason }))
  })
  return toReading([...rejected, ...rows])
}

/** Why a model cannot be believed, by all that the page states of it; undefined: it agrees with itself. */
function findProblem(
  same: readonly Model[],
  models: readonly Model[],
  shown: readonly string[],
): string | undefined {
  const [model] = same as [Model]
  const others = models.filter(({ name }) => name !== model.name).flatMap(listIds)
  const shared = listIds(model).find((id) => others.includes(id))
  if (shared !== undefined) return `has a name that another model has, ${shared}`
  if (same.length + shown.length < 2) return 'is stated once, so that nothing on the page confirms its prices'
  if (new Set(same.map(modelText)).size > 1) return 'is something else in another cluster'
  const other = shown.find((prices) => prices !== shownPrices(model))
  return other === undefined ? undefined : `is shown at ${other}, and not at ${shownPrices(model)}`
}

const listIds = ({ name, aliases }: Model) => [name, ...aliases]
const modelText = ({ aliases, ...model }: Model) =>
  JSON.stringify([aliases.toSorted(), Object.entries(model).sort()])

/** A part of the page's data in a script of its own, as text in text. */
const pushed = /<script>self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)<\/script>/g

function readClusters(text: string): z.infer<typeof Clusters> {
  try {
    const data = [...text.matchAll(pushed)].map(([, part = '""']) => String(JSON.parse(part))).join('')
    const [line = '', second] = data.split('\n').filter((row) => row.includes('"clusterConfigs":['))
    const parsed = Clusters.safeParse(findClusters(parseForeignJson(line.slice(line.indexOf(':') + 1))))
    if (second === undefined && parsed.success) return parsed.data
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new UserError(
    `${page}: the data of its script, "clusterConfigs", is not there or in another form. Compare the page by eye.`,
  )
}

const depthMax = 20

/** The value of `clusterConfigs`, wherever the data has it. */
function findClusters(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > depthMax) return undefined
  if ('clusterConfigs' in value) return value.clusterConfigs
  const found = Object.values(value).map((part) => findClusters(part, depth + 1))
  return found.find((part) => part !== undefined)
}

/** What the table shows of language models: `$3.00$15.00` beside a name, or a name and its cluster. */
function readTable(text: string, clusters: readonly string[]): { name: string; prices: string }[] {
  const header = 'Model|Modalities|Capabilities|Context|Rate limits|Pricing'
  const rows = readHtmlTables(text).find((table) => table.header.join('|') === header)?.rows ?? []
  return rows.flatMap(({ cells: [name = '', ...cells] }) => {
    const cluster = clusters.find((one) => name.endsWith(one)) ?? ''
    return [{ name: name.slice(0, name.length - cluster.length), prices: cells.at(-1) ?? '' }]
  })
}

function shownPrices({ promptTextTokenPrice, completionTextTokenPrice }: Model): string {
  return [promptTextTokenPrice, completionTextTokenPrice]
    .map((price) => `$${Number(toUsd(price) ?? 0).toFixed(2)}`)
    .join('')
}

function toUsd(price: z.infer<typeof Price> | undefined): DecimalText | null {
  const read = price === 0 ? null : readDecimal(price, { over: 10_000 })
  return read && 'amount' in read ? read.amount : null
}

function toCandidate(id: string, model: Model, text: string): Candidate {
  const { longContextThreshold } = model
  const long = {
    input_tokens: toUsd(model.promptTextTokenPriceLongContext),
    output_tokens: toUsd(model.completionTokenPriceLongContext),
  }
  const rates =
    longContextThreshold === undefined ? [] : tokenRates(long, { threshold: Number(longContextThreshold) })
  const amounts = {
    input_per_mtok: toUsd(model.promptTextTokenPrice),
    output_per_mtok: toUsd(model.completionTextTokenPrice),
    cached_input_per_mtok: toUsd(model.cachedPromptTokenPrice),
  }
  const stated = Object.entries(amounts).flatMap(([column, amount]) => (amount === null ? [] : [column]))
  return {
    id,
    identity: identify({ platform: 'xai' }, id),
    price: pagePrice(address, amounts),
    rates,
    quotes: quoteModel(text, model.name, stated, rates),
  }
}

/** The data of a model, from its name to its cached input, and its prices of long requests. */
function quoteModel(text: string, name: string, columns: readonly string[], rates: readonly Rate[]): Quote[] {
  const start = findModel(text, name)
  const end = text.indexOf('\\"features\\"', start)
  const long = text.indexOf('\\"completionTokenPriceLongContext\\"', start)
  const rest = text.indexOf('}', long)
  const part = (from: number, to: number, of: readonly string[]) =>
    quoteRow({ text: text.slice(from, to), from: Buffer.byteLength(text.slice(0, from)) }, of)
  return [part(start, end, columns), ...(rates.length > 0 ? [part(long, rest, rates.map(rateKey))] : [])]
}

const findModel = (text: string, name: string) => text.indexOf(`\\"name\\":\\"${name}\\"`)

function whereIsModel(text: string, name: string): string {
  const from = Buffer.byteLength(text.slice(0, findModel(text, name)))
  return `bytes ${from} to ${from + name.length}`
}
