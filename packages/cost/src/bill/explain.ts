import { costOf, type CostOptions } from '../index.ts'
import { addTo, formatAmount, magnitude, one, sum, type Vector } from './amount.ts'
import { lookUpRate } from './calls.ts'
import type { Alternative, Cell, Lot } from './cells.ts'
import type { Cause, CauseKind } from './comparison.ts'
import { isSumOfFew } from './few.ts'
import type { Bill } from './lines.ts'

// By which cause a cell differs. What is named explains every component to the last digit of the bill, and nothing else does.

export interface Explanation {
  readonly difference: bigint
  readonly computed: bigint
  readonly isWhole: boolean
  readonly causes: readonly Cause[]
  readonly wouldFit: readonly string[]
}

/** Something that explains all of a difference. */
interface Fit {
  readonly kinds: readonly CauseKind[]
  readonly causes: readonly Cause[]
}

export class Explainer {
  readonly #bill: Bill
  readonly #options: CostOptions

  constructor(bill: Bill, options: CostOptions) {
    this.#bill = bill
    this.#options = options
  }

  explain(cell: Cell): Explanation {
    const base = computeBase(cell)
    const difference = sum(cell.billed.values()) - sum(base.values())
    const isWhole = [...cell.lots.values()].every(({ open }) => open === 0)
    const found = { difference, computed: sum(base.values()), isWhole }
    if (isWhole && this.#fits(cell, base))
      return {
        ...found,
        causes: difference === 0n ? [] : [cause('rounding', 'rounded on the bill', difference)],
        wouldFit: [],
      }
    const fits = this.#allFits(cell, base, isWhole)
    const kinds = new Set(fits.map((fit) => fit.kinds.join(' ')))
    if (kinds.size === 1 && fits[0]!.kinds.length > 0 && this.#isFine(cell, base)) {
      const [{ causes }] = fits as [Fit]
      const alike = [...new Set(fits.map((fit) => describeFit(fit)))]
      const says = alike.length === 1 ? null : alike.join('; or ')
      return { ...found, causes: causes.map((one) => (says === null ? one : { ...one, says })), wouldFit: [] }
    }
    const wouldFit = [...fits.map(describeFit), ...this.#hints(cell, base, fits)]
    return { ...found, causes: [], wouldFit: [...new Set(wouldFit)] }
  }

  #allFits(cell: Cell, base: Vector, isWhole: boolean): Fit[] {
    if (cell.item !== null) return this.#itemFits(cell, base, isWhole)
    const fits = this.#changeFits(cell, base)
    const single = fits.filter(({ kinds }) => kinds.length === 1)
    // The smallest set of causes: two are looked for where no one explains it.
    const chosen = single.length > 0 ? single : fits
    if (!isWhole) return chosen
    return [...chosen, ...this.#moves(cell, base), ...this.#missing(cell, base)]
  }

  /** What part of a component the bill may have rounded away. */
  #slack(cell: Cell, component: string): bigint {
    const amounts = BigInt(Math.max(1, cell.amounts.get(component) ?? 0))
    // Vendors add binary numbers: their dust is no difference.
    const dust = this.#bill.form === 'usage' ? 0n : magnitude(cell.billed.get(component) ?? 0n) / 10n ** 12n
    return amounts * this.#bill.halfDigit + dust
  }

  #fits(cell: Cell, predicted: Vector): boolean {
    for (const component of new Set([...cell.billed.keys(), ...predicted.keys()])) {
      const off = (cell.billed.get(component) ?? 0n) - (predicted.get(component) ?? 0n)
      if (magnitude(off) > this.#slack(cell, component)) return false
    }
    return true
  }

  /** Whether the bill is written finely enough to tell causes apart: some difference is a hundred times what it rounds. */
  #isFine(cell: Cell, base: Vector): boolean {
    return [...this.#off(cell, base)].some(
      ([component, off]) => magnitude(off) >= 100n * this.#slack(cell, component),
    )
  }

  /** Differences that are more than rounding. */
  #off(cell: Cell, base: Vector): Map<string, bigint> {
    const off = new Map<string, bigint>()
    for (const component of new Set([...cell.billed.keys(), ...base.keys()])) {
      const one = (cell.billed.get(component) ?? 0n) - (base.get(component) ?? 0n)
      if (magnitude(one) > this.#slack(cell, component)) off.set(component, one)
    }
    return off
  }

  /** Tools and line items of their own. */
  #itemFits(cell: Cell, base: Vector, isWhole: boolean): Fit[] {
    const off = sum(cell.billed.values()) - sum(base.values())
    if (cell.billed.has('total'))
      return [fit('unknown_line_item', `"${cell.item}" is no documented line item`, off)]
    if (!isWhole) return []
    const known = cell.rates.get(cell.item!)
    const rates = known ? [known] : this.#feesOf(cell)
    const whole = rates.flatMap((rate) => (rate > 0n && off % rate === 0n ? [off / rate] : []))
    return whole.map((count) =>
      fit(
        'tools',
        `${plural(magnitude(count), cell.item!)} ${count > 0n ? 'more' : 'fewer'} on the bill than in the log`,
        off,
      ),
    )
  }

  #feesOf({ item, day }: Cell): bigint[] {
    if (this.#bill.form === 'usage') return [one]
    const fees = this.#bill.lines.flatMap(({ model, day: other }) =>
      model === null || other !== day ? [] : (this.#rateOf(model, item!, null, day, {}) ?? []),
    )
    return [...new Set(fees)]
  }

  /** The price of one; null: the catalog has none. */
  #rateOf(
    model: string,
    meter: string,
    variant: string | null,
    day: string,
    told: Partial<CostOptions>,
  ): bigint | null {
    if (this.#bill.form === 'usage') return one
    const counts = { [meter]: variant === null ? 1 : { [variant]: 1 } }
    const [line] = costOf(
      { counts },
      { ...this.#options, platform: this.#bill.vendor, at: day, model, ...told },
    ).lines
    return line === undefined ? null : lookUpRate(line)
  }

  /** Changes of all calls, or of those of one model, tier or region. */
  #changeFits(cell: Cell, base: Vector): Fit[] {
    const fits: Fit[] = []
    for (const alternative of cell.alternatives.values()) {
      for (const [says, isIn] of listScopes(cell)) {
        const predicted = predict(cell, alternative, isIn)
        if (predicted === null || !this.#fits(cell, predicted) || isSame(predicted, base)) continue
        fits.push(this.#changeFit(cell, base, alternative, isIn, says))
        break
      }
    }
    return fits
  }

  #changeFit(cell: Cell, base: Vector, { changes }: Alternative, isIn: Scope, scope: string): Fit {
    const all = sum(cell.billed.values()) - sum(base.values())
    const [first, second] = changes as [(typeof changes)[number], (typeof changes)[number]?]
    if (second === undefined) return fit(first.kind, first.says + scope, all)
    // Of two together the first has what it would have made alone.
    const alone = cell.alternatives.get(first.says)
    const predicted = alone === undefined ? null : predict(cell, alone, isIn)
    const part = predicted === null ? 0n : sum(predicted.values()) - sum(base.values())
    const causes = [
      cause(first.kind, first.says + scope, part),
      cause(second.kind, second.says + scope, all - part),
    ]
    return { kinds: [first.kind, second.kind], causes }
  }

  /** The same tokens under another meter, tier or region: as many as are missing in one are too many in the other. */
  #moves(cell: Cell, base: Vector): Fit[] {
    const off = this.#off(cell, base)
    if (off.size < 2 || off.size % 2 === 1 || cell.model === null) return []
    const kinds = new Set<CauseKind>()
    let moved = 0n
    const left = new Map(off)
    for (const [from, amount] of off) {
      if (amount > 0n) continue
      const tokens = this.#tokensOf(cell, from, -amount)
      const to = [...left].find(([component, more]) => {
        const kind = more > 0n ? moveKind(from, component) : null
        return kind !== null && tokens !== null && this.#tokensOf(cell, component, more) === tokens
      })
      if (to === undefined || tokens! > (cell.counts.get(from) ?? 0n)) return []
      kinds.add(moveKind(from, to[0])!)
      left.delete(from)
      left.delete(to[0])
      moved += tokens!
    }
    if (left.size > 0 || kinds.size !== 1) return []
    const [kind] = kinds as unknown as [CauseKind]
    const [from, to] = [...off.keys()].map(describe)
    return [fit(kind, `${plural(moved, 'tokens')} billed in another way: ${from}, ${to}`, sum(off.values()))]
  }

  /** How many whole tokens an amount is; null: it is none, or the bill is too coarse to say. */
  #tokensOf(cell: Cell, component: string, amount: bigint): bigint | null {
    const rate = this.#componentRate(cell, component)
    if (rate === null || rate === 0n) return null
    const slack = this.#slack(cell, component)
    // Where rounding is as much as a token, every amount is some number of them.
    if (slack * 20n > rate) return null
    const tokens = (amount + rate / 2n) / rate
    return tokens > 0n && magnitude(tokens * rate - amount) <= slack ? tokens : null
  }

  #componentRate(cell: Cell, component: string): bigint | null {
    const known = cell.rates.get(component)
    if (known !== undefined && known !== null) return known
    const [meter = '', variant = '', tier = '', long = '', region = ''] = component.split('|')
    if (long !== '' || cell.model === null) return null
    const told = { ...(tier === '' ? {} : { tier }), ...(region === '' ? {} : { region }) }
    return this.#rateOf(cell.model, meter, variant === '' ? null : variant, cell.day, told)
  }

  /** Requests that one side has and the other has not. */
  #missing(cell: Cell, base: Vector): Fit[] {
    const off = this.#off(cell, base)
    const all = sum(off.values())
    const kind = all > 0n ? 'missing_in_log' : 'missing_on_bill'
    const where = all > 0n ? 'on the bill and not in the log' : 'in the log and not on the bill'
    if (cell.model === null && this.#bill.states.lines) return []
    if (cell.calls === 0) return [fit(kind, `no call of that day is in the log`, all)]
    if (cell.billed.size === 0)
      return [fit(kind, `none of ${plural(BigInt(cell.calls), 'calls')} is on the bill`, all)]
    if (!this.#bill.states.lines) return []
    const requests = this.#bill.requests.get(`${cell.day} ${cell.model}`)
    if (requests === cell.calls) return []
    const missing = new Map<string, bigint>()
    for (const [component, amount] of off) {
      if (amount > 0n !== all > 0n) return []
      const whole = this.#tokensOf(cell, component, magnitude(amount))
      if (whole === null || !this.#agrees(cell, component, all > 0n ? whole : -whole)) return []
      if (all < 0n && whole > (cell.counts.get(component) ?? 0n)) return []
      missing.set(component, whole)
    }
    // A request has an answer, and something that it answers.
    const has = (what: RegExp) => [...off.keys()].some((component) => what.test(component))
    const writes = [...base.keys()].some((component) => component.startsWith('output'))
    if (writes && (!has(/^output/) || !has(/^(?:cached_)?input|^cache_write/))) return []
    // The same share of everything is another price rather than other requests; of one component nobody can tell.
    if (
      requests === undefined &&
      off.size > 1 &&
      [base, ...lotVectors(cell)].some((vector) => isShare(off, vector))
    )
      return []
    const count =
      requests === undefined ? 'requests' : plural(BigInt(Math.abs(requests - cell.calls)), 'requests')
    const fitted = fit(kind, `${count} with ${plural(sum(missing.values()), 'tokens')} ${where}`, all)
    const isOpen = off.size === 1 && requests === undefined && !this.#knows(cell, off)
    if (isOpen) return [{ ...fitted, kinds: [] }]
    const half =
      requests === undefined && all < 0n && !this.#knows(cell, off) ? this.#halved(cell, missing, all) : null
    if (half === null) return [fitted]
    const [isMissing, isHalf] = [1n, 2n].map((times) => isSumOfFew(cell.tokens, scale(missing, times)))
    if (isMissing === isHalf) return [fitted, half]
    return [isMissing ? fitted : half]
  }

  /**
   * That some calls were billed at half the price, in a tier that the bill does not tell apart: twice the tokens that seem to be
   * missing. Null: they cannot have been.
   */
  #halved(cell: Cell, missing: Vector, all: bigint): Fit | null {
    const base = sum(computeBase(cell).values())
    const halves = [...cell.alternatives.values()].filter(({ changes, lots }) => {
      const moved = [...lots.values()].reduce((total, { by }) => total + sum(by.values()), 0n)
      return changes.length === 1 && changes[0]!.kind === 'tier' && moved * 2n === -base
    })
    const isEnough = [...missing].every(
      ([component, count]) => 2n * count <= (cell.counts.get(component) ?? 0n),
    )
    const says = halves.map(({ changes }) => changes[0]!.says).join(', or ')
    return halves.length === 0 || !isEnough ? null : fit('tier', `some calls ${says}`, all)
  }

  /** Whether the bill says how many tokens each component has. */
  #knows(cell: Cell, off: Vector): boolean {
    return (
      this.#bill.form === 'usage' ||
      [...off.keys()].every((component) => cell.quantities.get(component) != null)
    )
  }

  /** Where the bill says how many, the tokens must be those. */
  #agrees(cell: Cell, component: string, tokens: bigint): boolean {
    const quantity = cell.quantities.get(component)
    return quantity == null || quantity - (cell.counts.get(component) ?? 0n) === tokens
  }

  /** What may help a person and is not exact. */
  #hints(cell: Cell, base: Vector, fits: readonly Fit[]): string[] {
    const off = this.#off(cell, base)
    const hints = this.#bill.states.lines ? [] : ['more can be said of a bill by line item']
    if (cell.item !== null || fits.length > 0 || off.size === 0) return hints
    const all = sum(off.values())
    const [computed, billed] = [sum(base.values()), sum(cell.billed.values())]
    if (computed > 0n && off.size > 1 && isShare(off, base))
      hints.push(
        `all of it times ${(Number(billed) / Number(computed)).toFixed(4).replace(/\.?0+$/, '')}: a discount, or prices that the catalog does not have`,
      )
    if ([...off.values()].every((amount) => amount > 0n === all > 0n))
      hints.push(all > 0n ? 'requests that are not in the log' : 'requests that are not on the bill')
    return hints
  }
}

function scale(vector: Vector, times: bigint): Vector {
  return new Map([...vector].map(([component, count]) => [component, count * times]))
}

type Scope = (lot: Lot) => boolean

/** All calls first: the widest reading is taken where several are the same. */
function listScopes({ lots }: Cell): [says: string, isIn: Scope][] {
  const scopes: [string, Scope][] = [['', () => true]]
  if (lots.size < 2) return scopes
  const all = [...lots.values()]
  for (const field of ['model', 'tier', 'region'] as const) {
    const values = new Set(all.map((lot) => lot[field]))
    if (values.size > 1)
      for (const value of values)
        scopes.push([` (calls of ${value ?? `no ${field}`})`, (lot) => lot[field] === value])
  }
  return scopes
}

function predict(cell: Cell, { lots }: Alternative, isIn: Scope): Vector | null {
  const predicted = computeBase(cell)
  for (const [key, lot] of cell.lots) {
    const moved = isIn(lot) ? lots.get(key) : undefined
    if (moved?.isLost === true || lot.open > (moved?.closed ?? 0)) return null
    for (const [component, amount] of moved?.by ?? []) addTo(predicted, component, amount)
  }
  return predicted
}

function computeBase(cell: Cell): Map<string, bigint> {
  const base = new Map<string, bigint>()
  for (const { base: own } of cell.lots.values())
    for (const [component, amount] of own) addTo(base, component, amount)
  return base
}

function lotVectors(cell: Cell): Vector[] {
  return [...cell.lots.values()].map(({ base }) => base)
}

function isSame(a: Vector, b: Vector): boolean {
  return a.size === b.size && [...a].every(([component, amount]) => b.get(component) === amount)
}

/** Whether `off` is the same share of every component of `whole`. */
function isShare(off: Vector, whole: Vector): boolean {
  const used = [...whole].filter(([, amount]) => amount > 0n)
  const [first] = used
  if (first === undefined || used.length !== off.size || used.length < 2) return false
  const [component, amount] = first
  const part = off.get(component) ?? 0n
  return used.every(([other, all]) => {
    const [left, right] = [(off.get(other) ?? 0n) * amount, part * all]
    return magnitude(left - right) * 1_000_000_000n <= magnitude(right)
  })
}

/** What kind of move it is from one component to another; null: none that is known. */
function moveKind(from: string, to: string): CauseKind | null {
  const [a, b] = [from.split('|'), to.split('|')]
  const differ = [0, 1, 2, 3, 4].filter((part) => a[part] !== b[part])
  if (differ.length === 1 && differ[0] === 2) return 'tier'
  if (differ.length === 1 && differ[0] === 4) return 'region'
  const isInput = (name = '') => /^(?:cached_)?input_tokens$|^cache_write_tokens$/.test(name)
  return differ.every((part) => part < 2) && isInput(a[0]) && isInput(b[0]) ? 'cache' : null
}

function describe(component: string): string {
  const [meter = '', ...conditions] = component.split('|')
  const said = conditions.filter((part) => part !== '')
  return said.length === 0 ? meter : `${meter} (${said.join(', ')})`
}

function cause(kind: CauseKind, says: string, amount: bigint): Cause {
  return { kind, says, amount: formatAmount(amount) }
}

function fit(kind: CauseKind, says: string, amount: bigint): Fit {
  return { kinds: [kind], causes: [cause(kind, says, amount)] }
}

function describeFit({ causes }: Fit): string {
  return causes.map(({ says }) => says).join(', and ')
}

function plural(count: bigint, what: string): string {
  return `${count} ${count === 1n ? what.replace(/s$/, '').replace(/searche$/, 'search') : what.replaceAll('_', ' ')}`
}
