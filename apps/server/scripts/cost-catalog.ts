import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { doubtMeter } from '../../../packages/cost/src/unit.ts'
import { rulesOf, withRules } from './cost-rules.ts'
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import type { Rate } from '../src/catalog/rate-card.ts'
import { linkAll, toNaming } from '../src/ingest/match/linking.ts'
import { resourceKey } from '../src/ingest/match/names.ts'
import { noAmounts, type SourceRecord } from '../src/ingest/source-record.ts'
import { pickAmounts } from '../src/ingest/amounts.ts'
import { readGenaiPricesPackage } from '../src/ingest/sources/lists/genai-prices.ts'
import { checkedDays } from './cost-checked.ts'
import { soldBeside } from './cost-media.ts'
import { apart, moved as movedNames, soldNames, statedTwice, unsold } from './cost-names.ts'

// Writes the catalog that `@ratecard/cost` is shipped with: the list of prices that comes with the server, in the form of
// the snapshot. What is null is left out, and the package puts it back. The names that the list has beside its own go to the
// server as well, so that its snapshot knows them too.

const out = fileURLToPath(new URL('../../../packages/cost/src/generated/snapshot.ts', import.meta.url))
const namesOut = fileURLToPath(
  new URL('../src/ingest/sources/generated/genai-prices-names.ts', import.meta.url),
)
const source = 'genai-prices'

/** How the source tells a model: by names, or by parts of them. */
interface Clause {
  equals?: string
  starts_with?: string
  contains?: string
  or?: Clause[]
}

/**
 * Names that the source states. A part of a name is none, but where it ends with a snapshot's day: Bedrock's ids have
 * nothing behind it than the version of the deployment, and all have had the first.
 */
function namesIn({ equals, starts_with, contains, or }: Clause): string[] {
  const part = starts_with ?? contains
  const deployed = part !== undefined && /\.\S+-20\d{6}$/.test(part) ? [`${part}-v1:0`] : []
  return [...(equals === undefined ? [] : [equals]), ...deployed, ...(or ?? []).flatMap(namesIn)]
}

async function statedNames(): Promise<Map<string, string[]>> {
  const providers = (await waitForUpdate()) ?? []
  return new Map(
    providers.flatMap(({ id, models }) =>
      models.map((model) => [`${id}:${model.id}`, namesIn(model.match as Clause)] as const),
    ),
  )
}

/** The day on which the source says that the last price of a model ended. */
async function endedDays(): Promise<Map<string, string | null>> {
  const providers = (await waitForUpdate()) ?? []
  return new Map(
    providers.flatMap(({ id, models }) =>
      models.map(({ id: model, price_comments = '' }) => {
        const isEnded = /^(?:no longer listed|retired|seems to be no longer)|for historical usage/i.test(
          price_comments,
        )
        const [stated = day] = /20\d\d-\d\d-\d\d/.exec(price_comments) ?? []
        return [`${id}:${model}`, isEnded ? stated : null] as const
      }),
    ),
  )
}

/** The prices of before, with what vendors publish and the list lacks. */
function pastOf({ past = [], ...record }: SourceRecord): object[] {
  return past.map(({ ended_on, rates, ...amounts }) => ({
    ended_on,
    ...withoutNulls(amounts),
    rates: withListRules({ ...record, ...amounts, rates }).map(withoutNulls),
  }))
}

/** Days that depend on when this runs would make another file each day: it is that of the data, until that moves. */
function dayOfData(version: string | null): string {
  const before = existsSync(out) ? readFileSync(out, 'utf8') : ''
  const [, day, made] =
    /"generated_at":"(\d{4}-\d{2}-\d{2})[^"]*".*?"catalog_version":"([^"]+)"/.exec(before) ?? []
  return made === version && day !== undefined ? day : new Date().toISOString().slice(0, 10)
}

const first = await readGenaiPricesPackage(new Date())
const day = dayOfData(first.version)
const dated = await readGenaiPricesPackage(new Date(`${day}T12:00:00Z`))
// What is sold apart has its rules here.
const reading = { ...dated, records: dated.records.filter(({ source_key }) => !apart.includes(source_key)) }
const links = linkAll(reading.records.map((record) => toNaming(source, record)))
const names = await statedNames()
const ended = await endedDays()
const checked = new Map(checkedDays.flatMap(([day, keys]) => keys.map((key) => [key, day] as const)))
const moved = `${reading.data_at ?? day}T00:00:00.000000Z`

function recordOf(listed: SourceRecord, rules = rulesOf(listed)): Record<string, unknown> {
  const later = rules.flatMap(({ later = [] }) => later)
  const { from: effective_at, ...last } = later.at(-1) ?? {}
  const corrected = Object.assign({}, ...rules.map(({ amounts }) => amounts), last) as object
  const isCorrected = Object.keys(corrected).length > 0
  // Hours of the list are of its own prices.
  const record: SourceRecord = { ...listed, ...corrected, ...(effective_at && { effective_at, rates: [] }) }
  const { source_key, model_name, is_named: _isNamed, scheduled, product_id, rates, ...price } = record
  const link = links.get(resourceKey(record.resource_id))
  const head = record.resource_id.slice(0, -idOf(record).length)
  const said = [...(names.get(source_key) ?? []), ...(more.get(source_key) ?? [])].filter(
    (name) => !apart.some((one) => (head + name).startsWith(one)),
  )
  const arrived = [...movedNames].flatMap(([name, id]) =>
    id === record.resource_id && name.startsWith(head) ? name : [],
  )
  const keys = [source_key, ...said.map((name) => head + name), ...arrived].filter(
    (name) => (movedNames.get(name) ?? record.resource_id) === record.resource_id,
  )
  return {
    ...price,
    product_id: link?.product_id ?? product_id,
    vendor: link?.vendor ?? record.vendor,
    modality: madeBy(record.model_name) ?? link?.modality ?? record.modality,
    updated_at: moved,
    ended_on: ended.get(source_key) ?? rules.find(({ endedOn }) => endedOn)?.endedOn ?? null,
    checked_on: isCorrected ? null : (price.checked_on ?? checked.get(source_key) ?? null),
    past: [...pastOfEarlier(rules), ...pastOf(listed), ...pastOfLater(listed, later)],
    rates: withRules({ ...record, rates }, rules).map(withoutNulls),
    announced: scheduled.map(({ starts_on, amounts }) => withoutNulls({ starts_on, ...amounts })),
    aliases: [...new Set(keys)].map((key) => ({ key, model_name })),
  }
}

function pastOfEarlier(rules: ReturnType<typeof rulesOf>): object[] {
  return rules
    .flatMap(({ earlier = [] }) => earlier)
    .map(({ until, rates = [], ...amounts }) => ({
      ended_on: until,
      ...amounts,
      rates: rates.map(withoutNulls),
    }))
}

/** What the list states, and each later price but the last: until the day on which the next one began. */
function pastOfLater(listed: SourceRecord, later: readonly { from: string }[]): object[] {
  return later.map(({ from }, at) => {
    const amounts = pickAmounts(at === 0 ? listed : { ...listed, ...later[at - 1] })
    const rates = at === 0 ? listed.rates.map(withoutNulls) : []
    return { ended_on: from, ...withoutNulls(amounts), rates }
  })
}

/** The rates of the list, and those that vendors publish and this list lacks. */
function withListRules(record: Omit<SourceRecord, 'rates'> & { rates: readonly Rate[] }) {
  return withRules(record, rulesOf(record))
}

/** What a model makes, where OpenAI's and Google's names say that it makes nothing else: one list calls all of them `llm`. */
function madeBy(name: string): 'image' | 'audio' | null {
  if (/^gpt-image-\d/.test(name)) return 'image'
  return /-tts$/.test(name) ? 'audio' : null
}

/** Names besides, by the key of the record; and models that a platform sells at the price of their maker. */
const more = new Map<string, string[]>()
const copies = new Map<string, { from: SourceRecord; platform: string; names: string[] }>()
const byKey = new Map(reading.records.map((record) => [record.source_key, record]))
const makers = ['openai', 'anthropic', 'google']

function nameAll(): void {
  for (const { platform, seller, names } of soldNames)
    for (const name of names) {
      const model = calcPrice({ input_tokens: 1 }, name, { providerId: seller })?.model.id
      const from = [seller, ...makers]
        .map((one) => byKey.get(`${one}:${model}`))
        .find((one) => one !== undefined)
      if (from === undefined)
        throw new Error(`The list has no model for ${platform}:${name}: take the name out.`)
      if (from.platform === platform) push(more, from.source_key, name)
      else addCopy(platform, from, model!, name)
    }
  for (const name of apart) {
    const [platform = '', id = ''] = name.split(':')
    const from = byKey.get(
      `${platform}:${calcPrice({ input_tokens: 1 }, id, { providerId: platform })?.model.id}`,
    )
    if (from !== undefined && from.source_key !== name) addCopy(platform, from, id, id)
  }
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  lists.set(key, [...(lists.get(key) ?? []), value])
}

function addCopy(platform: string, from: SourceRecord, id: string, name: string): void {
  const key = `${platform}:${id}`
  const known = copies.get(key) ?? { from, platform, names: [] }
  copies.set(key, { ...known, names: [...known.names, name] })
}

/** At the maker's prices of tokens; what tools cost there, the list does not say. */
function copyOf(resource_id: string): Record<string, unknown> {
  const { from, platform, names } = copies.get(resource_id)!
  const isTokens = ({ unit }: Pick<Rate, 'unit'>) => unit === '1m_tokens'
  const rates = from.rates.filter(isTokens)
  const { past, ...record } = recordOf({ ...from, rates }, rulesOf({ ...from, resource_id }))
  const then = (past as { rates: Rate[] }[]).map((one) => ({
    ...one,
    rates: one.rates.filter((rate) => isTokens(rate) || rate.meter === doubtMeter),
  }))
  const aliases = [...new Set(names)].map((name) => ({
    key: `${platform}:${name}`,
    model_name: from.model_name,
  }))
  return {
    ...record,
    // Who looked at the maker's page did not look here.
    checked_on: null,
    resource_id,
    platform,
    past: then,
    aliases,
  }
}

function idOf({ resource_id, platform, region }: SourceRecord): string {
  return resource_id.slice(`${platform}:${region === null ? '' : `${region}:`}`.length)
}

function withoutNulls(object: object): Record<string, unknown> {
  const kept = Object.entries(object).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(kept)
}

/** The package knows the unit of tokens. */
function short(rate: object): object {
  return Object.fromEntries(Object.entries(rate).filter(([, value]) => value !== '1m_tokens'))
}

/** Names of one model say it once, and the id is one of them. */
function shortNames(id: string, aliases: readonly { key: string; model_name: string }[]): object {
  const [first] = aliases
  const isOne = aliases.every(({ model_name }) => model_name === first?.model_name)
  return isOne
    ? {
        model_name: first?.model_name ?? null,
        aliases: aliases.flatMap(({ key }) => (key === id ? [] : key)),
      }
    : { aliases }
}

nameAll()
const written: Record<string, unknown>[] = []
const beside: [id: string, names: string[]][] = []
for (const listed of reading.records) {
  const { resource_id, source_key } = listed
  if (unsold.has(resource_id)) continue
  const record = recordOf(listed)
  written.push(record)
  const keys = (record['aliases'] as { key: string }[]).map(({ key }) => key)
  const names = keys.filter((key) => key !== source_key && key !== resource_id)
  if (names.length > 0) beside.push([resource_id, names])
}
for (const id of copies.keys()) if (!byKey.has(id)) written.push(copyOf(id))
for (const [id, vendor, input_per_mtok, output_per_mtok] of statedTwice) {
  const name = id.slice(id.indexOf('.') + 1)
  written.push({
    resource_id: `bedrock:${id}`,
    product_id: `${vendor}/${name.replace(/-v\d+:\d+$/, '')}`,
    vendor,
    platform: 'bedrock',
    modality: 'llm',
    currency: 'USD',
    input_per_mtok,
    output_per_mtok,
    updated_at: '2026-08-01T00:00:00.000000Z',
  })
}
for (const { names = [], ...sold } of soldBeside) {
  const aliases = names.map((name) => ({ key: `${sold.platform}:${name}`, model_name: name }))
  const price = { ...noAmounts, ...sold, rates: sold.rates ?? [] }
  written.push({
    ...sold,
    currency: 'USD',
    updated_at: '2026-08-01T00:00:00.000000Z',
    rates: withRules(price, rulesOf(price)).map(withoutNulls),
    aliases,
  })
}
const resources = written
  .toSorted((a, b) => (String(a['resource_id']) < String(b['resource_id']) ? -1 : 1))
  .map(({ rates, past, aliases, updated_at, ...record }) =>
    withoutNulls({
      ...record,
      updated_at: updated_at === moved ? null : updated_at,
      past: ((past ?? []) as { rates: object[] }[]).map((one) => ({ ...one, rates: one.rates.map(short) })),
      rates: ((rates ?? []) as object[]).map(short),
      ...shortNames(String(record['resource_id']), (aliases ?? []) as { key: string; model_name: string }[]),
    }),
  )
const header = {
  format: 'ratecard-snapshot',
  format_version: 1,
  generated_at: `${day}T00:00:00.000000Z`,
  // The newest day that the list itself states: its prices are no younger than that.
  as_of: moved,
  catalog_version: reading.version ?? day,
  resource_count: resources.length,
}
const text = JSON.stringify({ ...header, resources })
// A template literal: bundlers keep it as it is, and would escape every quote of another text.
const quoted = text.replaceAll(/[\\`$]/g, '\\$&')
await mkdir(dirname(out), { recursive: true })
writeFileSync(
  out,
  `// Written by apps/server/scripts/cost-catalog.ts, of @pydantic/genai-prices ${reading.version} (MIT). Do not edit.\nexport const text = \`${quoted}\`\n`,
)
await mkdir(dirname(namesOut), { recursive: true })
writeFileSync(
  namesOut,
  `// Written by apps/server/scripts/cost-catalog.ts, of @pydantic/genai-prices ${reading.version} (MIT). Do not edit.\nexport const namesBeside: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(beside), null, 1)}\n`,
)
