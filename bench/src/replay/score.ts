import type { AmountColumn } from '../../../apps/server/src/catalog/price-record.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import { clouds } from '../../../apps/server/src/ingest/match/clouds.ts'
import { ownModels } from '../../../apps/server/src/ingest/match/taxonomy.ts'
import { agrees, rowsAt, saidSince, type Lists, type Moved, type VendorMove } from './lists.ts'
import type { Replayed, Told } from './play.ts'

// Whether what was told is true, by what the vendors announced, and by what the lists stated a month later.

/** A row of a change, with the amounts that moved. */
export interface ToldRow {
  resource_id: string
  platform: string
  before: Moved
  after: Moved
  /** Input and output were served so before. */
  isReturn: boolean
}

export interface ToldChange {
  at: string
  category: string
  severity: number
  status: string | null
  rows: readonly ToldRow[]
}

export interface Verdict {
  verdict: 'true' | 'false' | 'not judged'
  by: 'vendor' | 'catch-up' | 'two lists' | 'one other list' | 'nobody'
  reason: string
}

export interface Evidence {
  lists: Lists
  moves: readonly VendorMove[]
  /** The product of a resource; undefined: unknown. */
  productOf: (key: string) => string | undefined
}

const dayMs = 86_400_000
/** A vendor's day is known to a day or so, and lists are read in all time zones. */
const slackDays = 3
const monthDays = 30
/** A list that is read later than this may have followed another move by then: its other amount denies nothing. */
const denialDaysMax = 90

export function addDays(at: string, days: number): string {
  return new Date(Date.parse(at) + days * dayMs).toISOString()
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

/** What is compared: input and output where one of them moved, else whatever did. */
function comparedAmounts(after: Moved): Moved {
  const all = Object.entries(after) as [AmountColumn, string][]
  const base = all.filter(([column]) => column === 'input_per_mtok' || column === 'output_per_mtok')
  return Object.fromEntries(base.length > 0 ? base : all)
}

/** Whether it tells the vendor's move: of the row, or of another row of the product on the same platform. */
function tellsMove(
  move: VendorMove,
  row: ToldRow,
  { at, aheadDays = slackDays, productOf }: { at: string; aheadDays?: number } & Pick<Evidence, 'productOf'>,
): boolean {
  if (daysBetween(move.on, at) < -aheadDays || !isVendors(row.after, move.after)) return false
  if (isOf(move, row)) return true
  const product = productOf(resourceKey(row.resource_id))
  const isSibling = product !== undefined && product === productOf(resourceKey(move.resource_id))
  return isSibling && move.resource_id.startsWith(`${row.platform}:`)
}

function isOf(move: VendorMove, row: { resource_id: string }): boolean {
  return resourceKey(move.resource_id) === resourceKey(row.resource_id)
}

/** Lists round what a vendor announces, or convert it: 0.57 is DeepSeek's 0.56. */
const vendorShare = 0.02

/** Whether amounts, at least one of them input or output, are those of a side of a vendor's move. */
function isVendors(amounts: Moved, [input, output]: VendorMove['after']): boolean {
  const near = (stated: string | null | undefined, amount: number) =>
    stated == null || Math.abs(Number(stated) - amount) <= vendorShare * Math.max(Number(stated), amount)
  const { input_per_mtok, output_per_mtok } = amounts
  if (input_per_mtok == null && output_per_mtok == null) return false
  return near(input_per_mtok, input) && near(output_per_mtok, output)
}

/** The vendor's price is known for a month after a move, until the next one, and for ever where it never moved. */
function contradictingMove(row: ToldRow, at: string, moves: readonly VendorMove[]): VendorMove | undefined {
  const { input_per_mtok, output_per_mtok } = row.after
  if (input_per_mtok == null && output_per_mtok == null) return undefined
  const own = moves.filter((move) => isOf(move, row))
  return own.find((move, index) => {
    if (isVendors(row.after, move.after)) return false
    if (String(move.before) === String(move.after)) return true
    const next = own[index + 1]
    const isUntilNext = next !== undefined && String(next.before) === String(move.after)
    const until = isUntilNext ? daysBetween(move.on, next.on) - slackDays : monthDays
    const days = daysBetween(move.on, at)
    return days >= slackDays && days <= until
  })
}

export function judgeRow(row: ToldRow, at: string, evidence: Evidence): Verdict {
  const { lists, moves } = evidence
  const key = resourceKey(row.resource_id)
  const amounts = comparedAmounts(row.after)
  const stating = [...lists]
    .flatMap(([name, list]) => {
      const since = saidSince(list, key, at, (rows) => agrees(rows, amounts) === true)
      return since === null ? [] : [{ name, since }]
    })
    .sort((a, b) => (a.since < b.since ? -1 : 1))
  const [first, ...later] = stating
  if (first && later.length > 0 && daysBetween(first.since, at) > monthDays) {
    const reason = `${first.name} has stated it since ${first.since.slice(0, 10)}`
    return { verdict: 'false', by: 'catch-up', reason }
  }
  const move = moves.find((one) => tellsMove(one, row, { ...evidence, at }))
  if (move) return { verdict: 'true', by: 'vendor', reason: `${move.on}: ${move.why}` }
  const contradicting = contradictingMove(row, at, moves)
  if (contradicting) {
    const reason = `${contradicting.on}: ${contradicting.after.join('/')}, ${contradicting.why}`
    return { verdict: 'false', by: 'vendor', reason }
  }
  return judgeByLists(key, amounts, { at, lists, mover: first?.name })
}

/** The list that moved first is no witness of its own move. */
function judgeByLists(
  key: string,
  amounts: Moved,
  { at, lists, mover }: { at: string; lists: Lists; mover: string | undefined },
): Verdict {
  const [agreeing, denying]: [string[], string[]] = [[], []]
  for (const [name, list] of lists) {
    const then = list.readings.find((reading) => reading >= addDays(at, monthDays))
    if (name === mover || then === undefined) continue
    const answer = agrees(rowsAt(list, key, then), amounts)
    if (answer === true) agreeing.push(name)
    if (answer === false && daysBetween(at, then) <= denialDaysMax) denying.push(name)
  }
  const reason = `${mover ?? 'nobody'} first; a month later yes: ${agreeing.join(', ') || '-'}, no: ${denying.join(', ') || '-'}`
  const isTrue = agreeing.length > denying.length
  const verdict = isTrue ? 'true' : 'false'
  if (agreeing.length + denying.length === 1) return { verdict, by: 'one other list', reason }
  if (Math.max(agreeing.length, denying.length) < 2 || agreeing.length === denying.length)
    return { verdict: 'not judged', by: 'nobody', reason }
  return { verdict, by: 'two lists', reason }
}

/** Most of its rows decide; rows that one list alone judges do only where there are no others. */
export function judgeRows(rows: readonly ToldRow[], at: string, evidence: Evidence): Verdict {
  const verdicts = rows.map((row) => judgeRow(row, at, evidence))
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not judged')
  const sure = judged.filter(({ by }) => by !== 'one other list')
  const counted = sure.length > 0 ? sure : judged
  if (counted.length === 0) return verdicts[0]!
  const yes = counted.filter(({ verdict }) => verdict === 'true')
  return yes.length * 2 > counted.length ? yes[0]! : counted.find(({ verdict }) => verdict === 'false')!
}

/** The rows and amounts that were told, in order of time: what is told again is no news. */
export function repeatsIn(changes: readonly ToldChange[]): Set<ToldChange> {
  const told = new Set<string>()
  return new Set(
    changes.filter(({ category, rows }) => {
      const names = rows.map((row) => {
        const amounts = Object.entries(comparedAmounts(row.after)).map(([column, amount]) => {
          return `${column} ${Number(amount)}`
        })
        return [category, resourceKey(row.resource_id), ...amounts.sort()].join('\n')
      })
      const repeated = rows.filter((row, index) => row.isReturn || told.has(names[index]!))
      for (const name of names) told.add(name)
      return repeated.length * 2 > rows.length
    }),
  )
}

// What a replay has shown, in counts.

export interface JudgedAlert extends Verdict {
  told: Told
  seller: 'maker' | 'cloud'
  isRepeated: boolean
}

const prices = ['price_cut', 'price_rise']
const alertSeverity = 3

export function isPriceAlert({ category, severity, status }: Told): boolean {
  return prices.includes(category) && severity >= alertSeverity && status !== 'announced'
}

function sellerOf(platform: string): JudgedAlert['seller'] | null {
  if (clouds.has(platform)) return 'cloud'
  return platform in ownModels && platform !== 'openrouter' ? 'maker' : null
}

/** Price alerts about the platforms of makers and clouds: hosts and routers move their prices every day. */
export function judgeAlerts(told: readonly Told[], evidence: Evidence): JudgedAlert[] {
  const alerts = told.filter(isPriceAlert)
  const own = alerts.flatMap((alert): Told[] => {
    const rows = alert.rows.filter(({ platform }) => sellerOf(platform) !== null)
    return rows.length > 0 ? [{ ...alert, rows }] : []
  })
  const repeated = repeatsIn(own)
  return own.map((alert) => {
    const isMakers = alert.rows.some(({ platform }) => sellerOf(platform) === 'maker')
    const verdict = judgeRows(alert.rows, alert.at, evidence)
    return {
      ...verdict,
      told: alert,
      seller: isMakers ? 'maker' : 'cloud',
      isRepeated: repeated.has(alert),
    }
  })
}

/** A list may be ahead of the day on which a price begins. */
const aheadDays = 30

export function judgeMove(move: VendorMove, { told, served }: Replayed, evidence: Evidence) {
  const all = told
    .filter(({ category }) => prices.includes(category) || category === 'correction')
    .map((change) => {
      const { at } = change
      const rows = change.rows.filter((row) => tellsMove(move, row, { ...evidence, at, aheadDays }))
      return { ...change, rows }
    })
    .filter(({ rows }) => rows.length > 0)
  // Another row of the product tells it where the row itself is not told.
  const own = all.filter(({ rows }) => rows.some((row) => isOf(move, row)))
  const telling = own.length > 0 ? own : all
  const alert = telling.find(
    ({ category, severity }) => prices.includes(category) && severity >= alertSeverity,
  )
  const id = [...served.pairs.keys()].find((resource_id) => isOf(move, { resource_id }))
  const pairs = served.pairs.get(id ?? '') ?? []
  const place = pairs.findIndex(
    ({ input, output, at }) =>
      daysBetween(move.on, at) >= -aheadDays &&
      isVendors({ input_per_mtok: input, output_per_mtok: output }, move.after),
  )
  const below = telling.length > 0 ? 'below alert' : place === 0 ? 'as a new row' : 'not told'
  return {
    move,
    told: alert ? ('alert' as const) : below,
    /** RFC 3339; null: never. */
    toldAt: (alert ?? telling[0])?.at ?? null,
    times: telling.length,
    servedAt: pairs[place]?.at ?? null,
    firstList: firstListOf(move, evidence),
  }
}

function firstListOf({ resource_id, on, after }: VendorMove, { lists }: Evidence) {
  const key = resourceKey(resource_id)
  const stating = [...lists].flatMap(([name, list]) => {
    const at = list.readings
      .filter((reading) => reading >= addDays(on, -aheadDays))
      .map((reading) => saidSince(list, key, reading, (rows) => rows.some((row) => isVendors(row, after))))
      .find((since) => since !== null)
    return at ? [{ name, at }] : []
  })
  return stating.sort((a, b) => (a.at < b.at ? -1 : 1))[0] ?? null
}

export interface ServedPair {
  at: string
  input: string
  output: string
}

/** With which a row came back to what it had left. */
export function returnsOf(pairs: readonly ServedPair[]): ServedPair[] {
  return pairs.filter((_, index) => isLastReturn(pairs.slice(0, index + 1)))
}

export function isLastReturn(pairs: readonly ServedPair[]): boolean {
  const last = pairs.at(-1)
  return pairs.slice(0, -1).some(({ input, output }) => input === last?.input && output === last.output)
}

/** Rows that came back to a price that they had left, and how often. */
export function returningRows({ served }: Replayed) {
  return [...served.pairs]
    .map(([id, pairs]) => {
      const states = pairs.map(({ at, input, output }) => {
        return `${at.slice(0, 10)} ${Number(input)}/${Number(output)}`
      })
      return { id, returns: returnsOf(pairs).length, text: states.join(', ') }
    })
    .filter(({ returns }) => returns > 0)
    .sort((a, b) => b.returns - a.returns)
}
