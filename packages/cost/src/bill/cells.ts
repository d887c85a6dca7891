import { UsageError } from '../index.ts'
import { addTo, type Vector } from './amount.ts'
import {
  nameComponent,
  isTool,
  priceCall,
  readCall,
  total,
  type Call,
  type LogOptions,
  type Priced,
} from './calls.ts'
import { applyChange, listChanges, type Change } from './changes.ts'
import { searchedMax } from './few.ts'
import type { Bill, BillLine } from './lines.ts'
import { findBilledName } from './names.ts'

/** Calls of one model, tier and region: what may have been billed in another way together. */
export interface Lot {
  readonly model: string
  readonly tier: string | null
  readonly region: string | null
  readonly base: Map<string, bigint>
  /** How many calls have no price. */
  open: number
}

/** By how much changes move what lots come to. */
export interface Alternative {
  readonly changes: readonly Change[]
  readonly lots: Map<string, Moved>
}

interface Moved {
  readonly by: Map<string, bigint>
  /** How many calls have a price by it that had none. */
  closed: number
  /** Some call has none by it. */
  isLost: boolean
}

/** A model, a tool or a line item on a day. */
export interface Cell {
  readonly day: string
  readonly model: string | null
  readonly item: string | null
  readonly billed: Map<string, bigint>
  /** How many amounts were rounded, by component. */
  readonly amounts: Map<string, number>
  /** Null: some line does not say how many. */
  readonly quantities: Map<string, bigint | null>
  readonly lots: Map<string, Lot>
  readonly counts: Map<string, bigint>
  readonly rates: Map<string, bigint | null>
  readonly alternatives: Map<string, Alternative>
  readonly unpriced: Set<string>
  /** The tokens of each call, where they are few enough to be looked through. */
  readonly tokens: Vector[]
  calls: number
}

/** A line of a log is never kept: what is, is bounded by this. */
const cellsMax = 100_000
const reasonsMax = 5
const keptMax = 100_000

export class Cells {
  readonly #cells = new Map<string, Cell>()
  readonly #bill: Bill
  readonly #names: ReadonlySet<string>
  #kept = 0
  readonly left = { elsewhere: 0, otherDays: 0, notReported: 0 }
  calls = 0

  constructor(bill: Bill) {
    this.#bill = bill
    this.#names = new Set(bill.lines.flatMap(({ model }) => model ?? []))
    for (const line of bill.lines) this.#addLine(line)
  }

  all(): Cell[] {
    return [...this.#cells.values()].sort((a, b) => order(a) - order(b) || compare(a, b))
  }

  #addLine(line: BillLine): void {
    const item = line.isUnknown ? line.label : line.model === null ? (line.meter ?? null) : null
    const cell = this.#cell(line.day, line.isUnknown ? null : line.model, item)
    const component = line.isUnknown ? total : nameComponent(this.#bill, line)
    addTo(cell.billed, component, line.amount)
    cell.amounts.set(component, (cell.amounts.get(component) ?? 0) + 1)
    const before = cell.quantities.get(component) ?? (cell.quantities.has(component) ? null : 0n)
    cell.quantities.set(component, before === null || line.quantity === null ? null : before + line.quantity)
  }

  #cell(day: string, model: string | null, item: string | null): Cell {
    const key = JSON.stringify([day, model, item])
    let cell = this.#cells.get(key)
    if (cell === undefined) {
      if (this.#cells.size >= cellsMax)
        throw new UsageError(`Bill and log have more than ${cellsMax} models and days: split them.`)
      cell = {
        ...{
          day,
          model,
          item,
          billed: new Map(),
          amounts: new Map(),
          quantities: new Map(),
          lots: new Map(),
        },
        ...{
          counts: new Map(),
          rates: new Map(),
          alternatives: new Map(),
          unpriced: new Set(),
          tokens: [],
          calls: 0,
        },
      }
      this.#cells.set(key, cell)
    }
    return cell
  }

  /** Adds the calls of a log as they were. */
  async price(log: AsyncIterable<unknown> | Iterable<unknown>, options: LogOptions): Promise<void> {
    for await (const call of this.#callsIn(log, options, this.left)) {
      this.calls += 1
      const priced = priceCall(this.#bill, call)
      const { currency } = priced.cost
      if (this.#bill.form === 'costs' && currency !== null && currency !== this.#bill.unit)
        throw new UsageError(
          `The bill is in ${this.#bill.unit}, and the catalog's price of ${call.model} in ${currency}: they are not mixed. Load a catalog with prices in ${this.#bill.unit}.`,
        )
      const cell = this.#cellOf(call)
      cell.calls += 1
      addAll(lotIn(cell, call), priced.own)
      for (const [component, count] of priced.counts) addTo(cell.counts, component, count)
      for (const [component, rate] of priced.rates) {
        const known = cell.rates.get(component)
        cell.rates.set(component, known === undefined || known === rate ? rate : null)
      }
      const openIn = new Set<Lot>()
      for (const { meter, message } of this.#bill.form === 'usage' ? [] : priced.cost.unpriced) {
        const isApart = this.#bill.states.lines && isTool(meter)
        const open = isApart ? this.#cell(call.day, null, meter) : cell
        openIn.add(lotIn(open, call))
        if (open.unpriced.size < reasonsMax) open.unpriced.add(message)
      }
      for (const lot of openIn) lot.open += 1
      for (const [tool, amount] of priced.tools) {
        const apart = this.#cell(call.day, null, tool)
        apart.calls += 1
        addTo(lotIn(apart, call).base, tool, amount)
        apart.rates.set(tool, priced.rates.get(tool) ?? null)
      }
    }
  }

  /** Adds what the calls of some cells would come to by each change. */
  async priceChanges(
    log: AsyncIterable<unknown> | Iterable<unknown>,
    options: LogOptions,
    wanted: ReadonlySet<Cell>,
  ): Promise<void> {
    for await (const call of this.#callsIn(log, options)) {
      const cell = this.#cellOf(call)
      if (!wanted.has(cell)) continue
      const base = priceCall(this.#bill, call)
      const key = lotKey(call)
      if (cell.calls <= searchedMax && this.#kept++ < keptMax) cell.tokens.push(base.counts)
      const made = [...this.#changesOf(call)].flatMap((change) => {
        const other = applyChange(call, change)
        const priced = other && this.#priceChanged(call, other, change)
        return other !== null && priced === null ? [] : [{ change, other, priced }]
      })
      for (const [index, first] of made.entries()) {
        if (first.priced !== null) this.#addMoved(cell, key, [first.change], base, first.priced)
        for (const second of made.slice(index + 1)) {
          if (first.change.kind === second.change.kind) continue
          // Where one of the two changes nothing, it is the other alone.
          const both = first.priced && second.priced && applyChange(first.other!, second.change)
          const priced = both ? priceCall(this.#bill, both) : (first.priced ?? second.priced)
          if (priced !== null) this.#addMoved(cell, key, [first.change, second.change], base, priced)
        }
      }
    }
  }

  readonly #changes = new Map<string, Change[]>()

  #changesOf(call: Call): Change[] {
    const key = `${call.model} ${call.day}`
    let changes = this.#changes.get(key)
    if (changes === undefined) this.#changes.set(key, (changes = [...listChanges(call)]))
    return changes
  }

  /** Null: a tier or a region that the catalog does not have. */
  #priceChanged(call: Call, other: Call, change: Change): Priced | null {
    const priced = priceCall(this.#bill, other)
    if (this.#bill.form === 'usage' || priced.cost.lines.length > 0) return priced
    const changes = this.#changesOf(call)
    changes.splice(changes.indexOf(change), 1)
    return null
  }

  #addMoved(cell: Cell, key: string, changes: readonly Change[], base: Priced, priced: Priced): void {
    const name = changes.map(({ says }) => says).join(', and ')
    let alternative = cell.alternatives.get(name)
    if (alternative === undefined) cell.alternatives.set(name, (alternative = { changes, lots: new Map() }))
    let moved = alternative.lots.get(key)
    if (moved === undefined) alternative.lots.set(key, (moved = { by: new Map(), closed: 0, isLost: false }))
    if (!priced.isWhole) moved.isLost = true
    else if (!base.isWhole) moved.closed += 1
    for (const [component, amount] of priced.own) addTo(moved.by, component, amount)
    for (const [component, amount] of base.own) addTo(moved.by, component, -amount)
  }

  #cellOf({ day, model }: Call): Cell {
    return this.#cell(day, this.#bill.states.lines ? findBilledName(this.#names, model) : null, null)
  }

  async *#callsIn(
    log: AsyncIterable<unknown> | Iterable<unknown>,
    options: LogOptions,
    left = { elsewhere: 0, otherDays: 0, notReported: 0 },
  ): AsyncGenerator<Call> {
    const { vendor, form, firstDay, lastDay } = this.#bill
    let number = 0
    for await (const line of log) {
      number += 1
      let call: Call | null
      try {
        call = readCall(line, vendor, options)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        throw new UsageError(`Call ${number} of the log: ${error.message}`, { cause: error })
      }
      if (call === null) left.elsewhere += 1
      else if (call.day < firstDay || call.day > lastDay) left.otherDays += 1
      // Anthropic's costs leave out the priority tier, which is paid in another way.
      else if (vendor === 'anthropic' && form === 'costs' && call.tier === 'priority') left.notReported += 1
      else yield call
    }
  }
}

function lotKey({ model, tier, region }: Call): string {
  return JSON.stringify([model, tier, region])
}

function lotIn(cell: Cell, call: Call): Lot {
  const key = lotKey(call)
  let lot = cell.lots.get(key)
  if (lot === undefined) {
    const { model, tier, region } = call
    cell.lots.set(key, (lot = { model, tier, region, base: new Map(), open: 0 }))
  }
  return lot
}

function addAll({ base }: Lot, vector: Vector): void {
  for (const [component, amount] of vector) addTo(base, component, amount)
}

/** Models first, then tools and line items, day by day. */
function order({ item }: Cell): number {
  return item === null ? 0 : 1
}

function compare(a: Cell, b: Cell): number {
  const [x, y] = [a, b].map(({ day, model, item }) => `${day} ${model ?? ''} ${item ?? ''}`) as [
    string,
    string,
  ]
  return x < y ? -1 : x > y ? 1 : 0
}
