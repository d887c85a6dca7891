import { clouds } from '../../../apps/server/src/feed/clouds.ts'
import { resourceKey } from '../../../apps/server/src/feed/names.ts'
import { ownModels } from '../../../apps/server/src/feed/taxonomy.ts'
import type { VendorMove } from './history.ts'
import { statedSince } from './lists.ts'
import type { Replayed, Told } from './play.ts'
import { returnsOf } from './served.ts'
import {
  addDays,
  amountsOf,
  daysBetween,
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
  told: 'alert' | 'below alert' | 'not told'
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
  const telling = told
    .filter(({ category }) => prices.includes(category) || category === 'correction')
    .filter(({ rows, at }) => rows.some((row) => tellsMove(move, row, at, evidence)))
  const alert = telling.find(
    ({ category, severity }) => prices.includes(category) && severity >= alertSeverity,
  )
  const key = resourceKey(move.resource_id)
  const [first] = [...evidence.lists]
    .flatMap(([name, list]) => {
      const at = list.readings
        .filter((reading) => reading >= addDays(move.on, -aheadDays))
        .map((reading) => statedSince(list, key, amountsOf(move.after), reading))
        .find((since) => since !== null)
      return at ? [{ name, at }] : []
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  const id = [...served.pairs.keys()].find((one) => resourceKey(one) === key)
  const pair = served.pairs
    .get(id ?? '')
    ?.find(
      ({ input, output, at }) =>
        daysBetween(move.on, at) >= -aheadDays &&
        Number(input) === move.after[0] &&
        Number(output) === move.after[1],
    )
  return {
    move,
    told: alert ? 'alert' : telling.length > 0 ? 'below alert' : 'not told',
    toldAt: (alert ?? telling[0])?.at ?? null,
    times: telling.length,
    servedAt: pair?.at ?? null,
    firstList: first ?? null,
  }
}

/** Rows that came back to a price that they had left, and how often. */
export function returningRows({ served }: Replayed): { id: string; returns: number; text: string }[] {
  return [...served.pairs]
    .map(([id, pairs]) => {
      const states = pairs.map(({ at, input, output }) => {
        return `${at.slice(0, 10)} ${Number(input)}/${Number(output)}`
      })
      return { id, returns: returnsOf(pairs), text: states.join(', ') }
    })
    .filter(({ returns }) => returns > 0)
    .sort((a, b) => b.returns - a.returns)
}
