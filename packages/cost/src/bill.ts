import { formatAmount, magnitude, sum } from './bill/amount.ts'
import type { LogOptions } from './bill/calls.ts'
import { Cells, type Cell } from './bill/cells.ts'
import type { BillComparison, BillRow, Cause } from './bill/comparison.ts'
import { Explainer, type Explanation } from './bill/explain.ts'
import type { Bill } from './bill/lines.ts'

export type { LogOptions } from './bill/calls.ts'
export type { BillComparison, BillRow, Cause, CauseKind } from './bill/comparison.ts'
export type { Bill, BillLine } from './bill/lines.ts'
export { readBill } from './bill/read-bill.ts'

/** What a bill is compared with. */
export interface CompareOptions extends LogOptions {
  /**
   * The log from its beginning: it is read once, and again where it is not what is billed. Each is an answer of the vendor, a
   * usage, or `{ at, platform, answer }` around one.
   */
  readonly log: () => Iterable<unknown> | AsyncIterable<unknown>
}

/**
 * A bill beside a log of calls: what was billed for each model and day, what the calls come to, and by which causes they
 * differ. A cause is named only where it explains the difference to the bill's last digit, and nothing else does. Memory
 * depends on the days and models, not on the length of the log.
 * @throws UsageError where the log cannot be read, or says no time
 */
export async function compareBill(bill: Bill, { log, ...options }: CompareOptions): Promise<BillComparison> {
  const cells = new Cells(bill)
  await cells.price(log(), options)
  const explainer = new Explainer(bill, options)
  const open = cells.all().filter((cell) => !isSettled(explainer.explain(cell)))
  const wanted = new Set(open.filter(({ item, calls }) => item === null && calls > 0))
  if (wanted.size > 0) await cells.priceChanges(log(), options, wanted)
  const explained = cells.all().map((cell) => ({ cell, found: explainer.explain(cell) }))
  const rows = settleNeighbours(explained).map(({ cell, found }) => buildRow(cell, found))
  const { vendor, form, unit, firstDay, lastDay, unread } = bill
  const billed = sum(bill.lines.map(({ amount }) => amount))
  const computed = sum(explained.map(({ found }) => found.computed))
  const unexplained = explained.filter((_, index) => rows[index]!.state === 'unexplained')
  return {
    ...{ vendor, form, unit, firstDay, lastDay },
    isEqual: rows.every(({ state }) => state === 'equal'),
    billed: formatAmount(billed),
    computed: formatAmount(computed),
    difference: formatAmount(billed - computed),
    unexplained: formatAmount(sum(unexplained.map(({ found }) => found.difference))),
    ...{ rows, calls: cells.calls, left: cells.left, unread },
  }
}

function isSettled({ isWhole, difference, causes }: Explanation): boolean {
  return isWhole && (difference === 0n || causes.some(({ kind }) => kind === 'rounding'))
}

interface Explained {
  readonly cell: Cell
  readonly found: Explanation
}

/** What one cell has too much and another too little is no missing request. */
function settleNeighbours(all: readonly Explained[]): Explained[] {
  const open = all.filter(({ cell, found }) => found.difference !== 0n && cell.item === null && found.isWhole)
  return all.map((one) => {
    if (!open.includes(one) || one.found.causes.some(({ kind }) => !/^missing/.test(kind))) return one
    const others = open.filter((other) => other !== one && isOpposite(one, other))
    const day = others.find(({ cell }) => cell.model === one.cell.model && isNextTo(cell.day, one.cell.day))
    const amount = formatAmount(one.found.difference)
    if (day !== undefined && others.length === 1) {
      const cause: Cause = {
        kind: 'other_day',
        says: `calls that are billed on ${one.found.difference < 0n ? day.cell.day : one.cell.day}`,
        amount,
      }
      return { ...one, found: { ...one.found, causes: [cause], wouldFit: [] } }
    }
    const names = others.filter(({ cell }) => cell.day === one.cell.day).map(({ cell }) => cell.model ?? '')
    if (names.length === 0) return one
    const wouldFit = [
      ...one.found.wouldFit,
      ...one.found.causes.map(({ says }) => says),
      `the same calls under another name: ${names.join(', ')}`,
    ]
    return { ...one, found: { ...one.found, causes: [], wouldFit } }
  })
}

/** Whether the differences of both are the same, the other way round, component by component. */
function isOpposite(a: Explained, b: Explained): boolean {
  const [x, y] = [computeDifferences(a.cell), computeDifferences(b.cell)]
  return x.size === y.size && [...x].every(([component, amount]) => isNear(amount, -(y.get(component) ?? 0n)))
}

function isNear(a: bigint, b: bigint): boolean {
  return magnitude(a - b) * 1_000_000_000n <= magnitude(a)
}

function computeDifferences({ billed, lots }: Cell): Map<string, bigint> {
  const off = new Map(billed)
  for (const { base } of lots.values())
    for (const [component, amount] of base) off.set(component, (off.get(component) ?? 0n) - amount)
  for (const [component, amount] of off) if (amount === 0n) off.delete(component)
  return off
}

function isNextTo(a: string, b: string): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) === 86_400_000
}

function buildRow(cell: Cell, { difference, computed, isWhole, causes, wouldFit }: Explanation): BillRow {
  const isEqual =
    isWhole &&
    causes.every(({ kind }) => kind === 'rounding') &&
    (difference === 0n || causes.length > 0) &&
    wouldFit.length === 0
  return {
    ...{ day: cell.day, model: cell.model, item: cell.item, calls: cell.calls, isWhole, causes, wouldFit },
    billed: formatAmount(sum(cell.billed.values())),
    computed: formatAmount(computed),
    difference: formatAmount(difference),
    state: isEqual ? 'equal' : causes.length > 0 ? 'explained' : 'unexplained',
    unpriced: [...cell.unpriced],
  }
}
