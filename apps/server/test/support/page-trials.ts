import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { judgeAll } from '../../src/ingest/judge/judge-all.ts'
import { takeReading } from '../../src/ingest/claims/take-reading.ts'
import type { Claim } from '../../src/ingest/claims/claim.ts'
import { buildKey } from '../../src/ingest/match/names.ts'
import { feedPolicy } from '../../src/ingest/policy.ts'
import { rateKey, type Rate } from '../../src/catalog/rate-card.ts'
import { UserError } from '../../src/platform/user-error.ts'
import type { Amounts, SourceReading } from '../../src/ingest/source-record.ts'
import { sources, type SourceName } from '../../src/ingest/sources/index.ts'
import {
  acrossForm,
  arrayForm,
  docTableForm,
  htmlForm,
  htmlRowsForm,
  islandForm,
  markdownForm,
  mutatePage,
  scriptForm,
  seedRandom,
  type Mutation,
  type PageForm,
} from './page-mutations.ts'

import { googlePage, moonshotPage, moonshotPageCn, voyagePage, xaiPage, zaiPage } from './more-price-pages.ts'
import { priceDataDir, priceFile } from './price-files.ts'
import {
  anthropicPage,
  deepseekHtmlPage,
  deepseekHtmlPageCn,
  deepseekPage,
  deepseekPageCn,
  openaiIslands,
  openaiPage,
} from './price-pages.ts'

/** A page as it is right, and when it was read. */
export interface PageDocument {
  source: SourceName
  text: string
  at: string
}

export interface Trials {
  tried: number
  /** Refused as a whole, read with rows refused, and read as before. */
  refused: number
  inPart: number
  asBefore: number
  /** Amounts that are not the true one: those that the reader gave, and those that are served after the true page. */
  wrongRead: string[]
  /**
   * As `wrongRead`, of names that shifted in all tables alike, which contradicts nothing on a page, and of a page whose
   * rows only bear witness, for it states nothing twice.
   */
  wrongBlind: string[]
  wrongServed: string[]
  /** Refusals that do not say where. */
  placeless: string[]
}

const columns = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'] as const

const summer = '2026-08-10T12:00:00Z'

export const fixturePages: readonly PageDocument[] = [
  { source: 'anthropic-page', text: anthropicPage, at: summer },
  { source: 'openai-page', text: openaiPage, at: summer },
  { source: 'openai-page', text: openaiIslands, at: summer },
  { source: 'deepseek-page', text: deepseekPage, at: summer },
  { source: 'deepseek-page', text: deepseekHtmlPage, at: summer },
  { source: 'deepseek-page-cn', text: deepseekPageCn, at: summer },
  { source: 'deepseek-page-cn', text: deepseekHtmlPageCn, at: summer },
  { source: 'google-page', text: googlePage, at: summer },
  { source: 'moonshot-page', text: moonshotPage, at: summer },
  { source: 'moonshot-page-cn', text: moonshotPageCn, at: summer },
  { source: 'voyage-page', text: voyagePage, at: summer },
  { source: 'xai-page', text: xaiPage, at: summer },
  { source: 'zai-page', text: zaiPage, at: summer },
]

const recorded: readonly [path: RegExp, SourceName][] = [
  [/^anthropic\/.*-pricing\./, 'anthropic-page'],
  [/^deepseek\/.*-pricing\.zh-cn\./, 'deepseek-page-cn'],
  [/^deepseek\/.*-pricing\.en\./, 'deepseek-page'],
  [/^google\/.*-gemini-api-pricing\./, 'google-page'],
  [/^moonshot\/.*-platform\.kimi\.com-/, 'moonshot-page-cn'],
  [/^moonshot\/.*-pricing\.md$/, 'moonshot-page'],
  [/^openai\/.*-pricing\./, 'openai-page'],
  [/^voyage\//, 'voyage-page'],
  [/^xai\//, 'xai-page'],
  [/^zai\/.*-pricing\.html$/, 'zai-page'],
]

/** Every recorded page that its reader takes; none where the files are absent. */
export function recordedPages(): PageDocument[] {
  if (priceDataDir === undefined) return []
  const folder = join(priceDataDir, 'official')
  return (readdirSync(folder, { recursive: true }) as string[]).flatMap((path): PageDocument[] => {
    const source = recorded.find(([pattern]) => pattern.test(path))?.[1]
    if (source === undefined) return []
    const at = `${/\d{4}-\d\d-\d\d/.exec(path)?.[0] ?? ''}T12:00:00Z`
    const page = { source, text: priceFile(`official/${path}`), at }
    return readOrRefuse(page, page.text) instanceof UserError ? [] : [page]
  })
}

/** Reads pages with one fault each, drawn from the true ones, and counts what comes out wrong. */
export function tryPages(documents: readonly PageDocument[], count: number, seed: number): Trials {
  const random = seedRandom(seed)
  const trials: Trials = {
    ...{ tried: count, refused: 0, inPart: 0, asBefore: 0 },
    ...{ wrongRead: [], wrongBlind: [], wrongServed: [], placeless: [] },
  }
  const known = documents.map((document) => {
    const reading = readPage(document, document.text)
    const quoted = [...(reading.quotes?.values() ?? [])].flat().map(({ text }) => text.trim())
    return {
      document,
      reading,
      form: chooseForm(document),
      isRead: (row: string) => quoted.some((text) => row.includes(text)),
    }
  })
  for (let index = 0; index < count; index += 1) {
    const { document, reading, form, isRead } = known[index % known.length]!
    let mutation = mutatePage(document.text, form, isRead, random)
    while (mutation.text === document.text) mutation = mutatePage(document.text, form, isRead, random)
    tryPage(document, reading, mutation, trials)
  }
  return trials
}

function chooseForm({ source, text }: PageDocument): PageForm {
  const isHtml = /^\s*<!doctype/i.test(text)
  if (source.startsWith('deepseek')) return isHtml ? htmlForm : acrossForm
  if (source === 'openai-page') return isHtml ? islandForm : arrayForm
  if (source === 'moonshot-page') return docTableForm
  if (source === 'xai-page') return scriptForm
  return isHtml ? htmlRowsForm : markdownForm
}

function readPage({ source, at }: PageDocument, text: string): SourceReading {
  const reading = sources[source].read({ text, now: new Date(at) })
  if (reading instanceof Promise) throw new Error('a page is read at once')
  return reading
}

function tryPage(
  document: PageDocument,
  before: SourceReading,
  { name, text }: Mutation,
  trials: Trials,
): void {
  const after = readOrRefuse(document, text)
  if (after instanceof UserError) {
    trials.refused += 1
    if (!/"|\d/.test(after.message)) trials.placeless.push(`${name}: ${after.message}`)
    return
  }
  const known = new Set(before.rejected.map(({ reason }) => reason))
  const refused = after.rejected.filter(({ reason }) => !known.has(reason))
  for (const { id, reason } of refused)
    if (!/bytes \d+ to \d+|Found: /.test(reason)) trials.placeless.push(`${name}: ${id} ${reason}`)
  if (refused.length > 0 || after.records.length < before.records.length) trials.inPart += 1
  else trials.asBefore += 1

  const truth = listStated(before)
  const wrong = [...listStated(after)].filter(([key, amount]) => truth.get(key) !== amount)
  // Another currency or unit is another price, though its number is the same. Where models stand side by side, a row is
  // still that of the other model.
  const isRenamed =
    /the (?:currency|unit) of all/.test(name) ||
    (/the (?:currency|unit) of/.test(name) && !document.source.startsWith('deepseek'))
  const foreign = isRenamed
    ? [...(after.quotes?.values() ?? [])].flat().filter((quote) => !document.text.includes(quote.text))
    : []
  const isBlind = name === 'a sentence changed'
  const told = wrong.map(([key, amount]) => `${name}: ${key} ${amount}, and not ${truth.get(key)}`)
  const isHeard = after.records.some(({ is_witness }) => !is_witness)
  trials[name === blindFault || !isHeard ? 'wrongBlind' : 'wrongRead'].push(...told)
  for (const quote of foreign) trials.wrongRead.push(`${name}: ${quote.text}`)
  if (isBlind) trials.wrongRead.push(`${name}: the page is read`)
  if (wrong.length > 0)
    trials.wrongServed.push(...listServed(document, before, after).map((served) => `${name}: ${served}`))
}

function readOrRefuse(document: PageDocument, text: string): SourceReading | UserError {
  try {
    return readPage(document, text)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

/** All amounts of a reading, by row and column. */
function listStated({ records }: SourceReading): Map<string, string> {
  return new Map(
    records.flatMap((record) => [
      ...listAmounts(record.resource_id, record, record.rates),
      ...record.scheduled.flatMap(({ starts_on, amounts }) =>
        listAmounts(`${record.resource_id} from ${starts_on}`, amounts, []),
      ),
    ]),
  )
}

function listAmounts(id: string, amounts: Amounts, rates: readonly Rate[]): [string, string][] {
  return [
    ...columns.flatMap((column): [string, string][] => {
      const amount = amounts[column]
      return amount === null ? [] : [[`${id} ${column}`, amount]]
    }),
    ...rates.map((rate): [string, string] => [`${id} ${rateKey(rate)}`, rate.amount]),
  ]
}

const blindFault = 'names shifted by a row'
const dayMs = 86_400_000

/** What is served wrong when the faulty page is read after the true one, six hours later and for a fortnight. */
function listServed({ source, at }: PageDocument, before: SourceReading, after: SourceReading): string[] {
  const truth = listStated(before)
  const records = new Map(before.records.map((record) => [buildKey(record), record]))
  let claims = new Map<string, Claim>()
  const take = (reading: SourceReading, ms: number, lastMs: number | null) => {
    const time = (offset: number) => new Date(Date.parse(at) + offset).toISOString()
    claims = takeReading(reading, claims, {
      ...{ source, at: time(ms), lastObservedAt: lastMs === null ? null : time(lastMs) },
      findServed: (key) => records.get(key) ?? null,
      ...{ acceptGone: false, acceptAll: false, policy: feedPolicy },
    })
    return [...judgeAll([...claims.values()], time(ms), feedPolicy).values()].flatMap(({ record, rates }) =>
      listAmounts(record.resource_id, record, rates),
    )
  }
  const served = [take(before, 0, null)]
  for (let ms = dayMs / 4, last = 0; ms < 14 * dayMs; last = ms, ms += dayMs)
    served.push(take(after, ms, last))
  const wrong = served.flat().filter(([key, amount]) => truth.get(key) !== amount)
  return [...new Set(wrong.map(([key, amount]) => `${key} ${amount}, and not ${truth.get(key)}`))]
}
