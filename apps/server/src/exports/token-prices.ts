import type { Rate } from '../catalog/rate-card.ts'
import type { NamedResource } from './names.ts'
import { buildCard, isPriced, nameRate, whyLost, type ExportResource } from './resource.ts'
import type { Losses } from './report.ts'

/** The amounts of a form by its own fields, in USD for a million tokens as text. */
export type Prices = Record<string, string>

export interface TokenPrices {
  /** From the first token. */
  base: Prices
  /** All that holds above so many tokens of input, the lowest first. */
  tiers: { over: number; prices: Prices }[]
  /** Per tier of service, as far as the form names tiers. */
  services: { name: string; prices: Prices }[]
}

interface TokenForm {
  /** The form's field of a meter, or of `meter/variant`. */
  fields: Readonly<Record<string, string>>
  hasTiers?: boolean
  hasServices?: boolean
}

interface TokenRows<Row> extends TokenForm {
  /** Other fields for some. */
  pickFields?: (named: NamedResource) => TokenForm['fields']
  /** The fields of input and output, where a row is nothing without both. */
  needs?: readonly string[]
  /** What tells rows apart, where capitals do not. */
  buildKey?: (named: NamedResource) => string
  isHeld?: typeof isPriced
  /** Null: it has told what is lost. */
  toRow: (named: NamedResource, prices: TokenPrices) => Row | null
}

/** The rows of a form that holds prices of tokens and no others; what it does not hold is lost. */
export function tokenRows<Row>(
  named: readonly NamedResource[],
  losses: Losses,
  { pickFields, needs = [], buildKey, isHeld = isPriced, toRow, ...form }: TokenRows<Row>,
): { rows: Row[]; held: Set<ExportResource> } {
  const held = new Set<ExportResource>()
  const seen = new Set<string | undefined>()
  const rows = named.flatMap((one) => {
    const { resource } = one
    if (!isHeld(resource, losses)) return []
    const key = buildKey?.(one).toLowerCase()
    if (key !== undefined && seen.has(key)) {
      losses.add('resources that differ from another in capitals alone', resource.resource_id)
      return []
    }
    const fields = pickFields?.(one) ?? form.fields
    const prices = pickTokenPrices(resource, { ...form, fields }, losses)
    if (prices === null) return []
    if (Object.values(fields).some((field) => needs.includes(field) && !(field in prices.base))) {
      losses.add('resources of which only input or output is known', resource.resource_id)
      return []
    }
    const row = toRow(one, prices)
    if (row === null) return []
    seen.add(key)
    held.add(resource)
    return [row]
  })
  return { rows, held }
}

/**
 * What a resource costs by the token, in the fields of a form; null: nothing that the form holds. What it does not hold is
 * lost.
 */
export function pickTokenPrices(
  resource: ExportResource,
  { fields, hasTiers = false, hasServices = false }: TokenForm,
  losses: Losses,
): TokenPrices | null {
  const lost: Rate[] = []
  const base: Prices = {}
  const above = new Map<number, Prices>()
  const services = new Map<string, Prices>()
  for (const rate of buildCard(resource)) {
    const { meter, variant, unit, threshold, service_tier, hours, amount } = rate
    const field = fields[variant === null ? meter : `${meter}/${variant}`]
    const isPlaced =
      field !== undefined &&
      unit === '1m_tokens' &&
      hours === null &&
      (threshold === null || (hasTiers && service_tier === null)) &&
      (service_tier === null || hasServices)
    if (!isPlaced) lost.push(rate)
    else if (service_tier !== null) put(services, service_tier)[field] = amount
    else if (threshold !== null) put(above, threshold)[field] = amount
    else base[field] = amount
  }
  if (Object.keys(base).length === 0) {
    losses.add('resources without a price of tokens', resource.resource_id)
    return null
  }
  for (const rate of lost) losses.add(whyLost(rate), resource.resource_id, nameRate(rate))
  let prices = base
  const tiers = [...above]
    .sort(([a], [b]) => a - b)
    .map(([over, own]) => ({ over, prices: (prices = { ...prices, ...own }) }))
  return {
    base,
    tiers,
    services: [...services].map(([name, own]) => ({ name, prices: { ...base, ...own } })),
  }
}

function put<Key>(map: Map<Key, Prices>, key: Key): Prices {
  const prices = map.get(key) ?? {}
  map.set(key, prices)
  return prices
}

/** Amounts as JSON has them. */
export function toNumbers(prices: Prices, toNumber: (amount: string) => number = Number) {
  return Object.fromEntries(Object.entries(prices).map(([field, amount]) => [field, toNumber(amount)]))
}
