import { type AmountField, amountFields } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'

type Version = Schemas['PriceVersion']

/** An amount over time, each value from its beginning on. */
export interface Line {
  field: AmountField
  points: { atMs: number; amount: number }[]
}

const tokenFields: readonly AmountField[] = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok']

/**
 * The lines of a history: amounts by the token, or else the first other one, because a chart has one unit. Empty where
 * nothing has moved.
 * @param versions the one that was learned last first
 */
export function historyLines(versions: readonly Version[]): Line[] {
  const lines = amountFields.map((field) => ({ field, points: listPoints(versions, field) }))
  const drawn = lines.filter(({ points }) => points.length > 0)
  const ofTokens = drawn.filter(({ field }) => tokenFields.includes(field))
  const shown = ofTokens.some(isMoving) ? ofTokens : drawn.filter(isMoving).slice(0, 1)
  return shown.filter(({ points }) => points.length > 0)
}

/** Of several states that claim a moment the one that was learned last counts. */
function listPoints(versions: readonly Version[], field: AmountField): Line['points'] {
  const [newest] = versions
  const points: Line['points'] = []
  for (const version of versions) {
    const amount = version[field]
    const atMs = Date.parse(version.valid_from)
    if (amount === null || version.currency !== newest?.currency) continue
    if (points[0] === undefined || atMs < points[0].atMs) points.unshift({ atMs, amount })
  }
  return points
}

function isMoving({ points }: Line): boolean {
  return points.some(({ amount }) => amount !== points[0]?.amount)
}

/** The next of 1, 1.5, 2, 3, … times a power of ten that holds the value. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8].find((one) => one * power >= value * 0.999)
  return power * (step ?? 10)
}

/** What held at a moment; null: nothing is known of it. */
export function amountAt({ points }: Line, atMs: number): number | null {
  return points.findLast((point) => point.atMs <= atMs)?.amount ?? null
}

/** Places of labels that stand at least so far apart, each as near to its own as that allows, downwards. */
export function spread(places: readonly number[], apart: number): number[] {
  const spreadOut = [...places]
  let above = -Infinity
  for (const index of [...places.keys()].sort((a, b) => places[a]! - places[b]!)) {
    above = Math.max(places[index]!, above + apart)
    spreadOut[index] = above
  }
  return spreadOut
}
