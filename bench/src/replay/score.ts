import { clouds } from '../../../apps/server/src/ingest/match/clouds.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import { ownModels } from '../../../apps/server/src/ingest/match/taxonomy.ts'
import { agrees, type Lists, saidSince, type VendorMove } from './lists.ts'
import type { Replayed, Told } from './play.ts'
import { returnsOf, type ServedPair } from './served.ts'
import {
  addDays,
  daysBetween,
  isOf,
  isVendors,
  judgeRows,
  repeatsIn,
  tellsMove,
  type Evidence,
  type Verdict,
} from './truth.ts'

// What a replay has shown, in counts.

export interface JudgedAlert extends Verdict {
  told: Told
  seller: 'maker' | 'cloud'
  isRepeated: boolean
}

export interface MoveResult {
  move: VendorMove
  told: 'alert' | 'below alert' | 'as a new row' | 'not told'
  /** RFC 3339; null: never. */
  toldAt: string | null
  times: number
  servedAt: string | null
  firstList: { name: string; at: string } | null
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

export function judgeMove(move: VendorMove, { told, served }: Replayed, evidence: Evidence): MoveResult {
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
  const untold = place === 0 ? 'as a new row' : 'not told'
  return {
    move,
    told: alert ? 'alert' : telling.length > 0 ? 'below alert' : untold,
    toldAt: (alert ?? telling[0])?.at ?? null,
    times: telling.length,
    servedAt: pairs[place]?.at ?? null,
    firstList: firstListOf(move, evidence),
  }
}

function firstListOf({ resource_id, on, after }: VendorMove, { lists }: Evidence): MoveResult['firstList'] {
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

interface ReturningRow {
  id: string
  returns: number
  /** Those of them that no list brought about which has the row for the first time: it is new evidence. */
  returnsOfKnown: number
  text: string
}

/** Rows that came back to a price that they had left, and how often. */
export function returningRows({ served }: Replayed, { lists }: Evidence): ReturningRow[] {
  return [...served.pairs]
    .map(([id, pairs]) => {
      const states = pairs.map(({ at, input, output }) => {
        return `${at.slice(0, 10)} ${Number(input)}/${Number(output)}`
      })
      const returns = returnsOf(pairs)
      const returnsOfKnown = returns.filter((pair) => !isBroughtByNew(lists, id, pair)).length
      return { id, returns: returns.length, returnsOfKnown, text: states.join(', ') }
    })
    .filter(({ returns }) => returns > 0)
    .sort((a, b) => b.returns - a.returns)
}

/** What a list has for the first time is heard within two weeks. */
const newDays = 14

function isBroughtByNew(lists: Lists, id: string, { at, input, output }: ServedPair): boolean {
  return [...lists.values()].some(({ states }) => {
    const first = states.get(resourceKey(id))?.find(({ rows }) => rows.length > 0)
    if (!first || first.at > at || daysBetween(first.at, at) > newDays) return false
    return agrees(first.rows, { input_per_mtok: input, output_per_mtok: output }) === true
  })
}
