import { toSearchText } from '@ratecard/contract/model-search'
import { resolve, type Catalog, type Resolution, type ResolveOptions } from '@ratecard/cost'
import { toModelName } from './search.ts'

type Resolved = Extract<Resolution, { isResolved: true }>
type Unresolved = Extract<Resolution, { isResolved: false }>

export type NamedResolution =
  | (Omit<Resolved, 'rule'> & { readonly rule: Resolved['rule'] | 'display_name' })
  | (Unresolved & { readonly rule?: undefined })

/**
 * The record that a name means, as `resolve` of @ratecard/cost has it; else by the name as people write it: "Claude Sonnet
 * 4.5" has the letters and digits of `claude-sonnet-4-5`, all of them and no others.
 */
export function resolveName(name: string, options: ResolveOptions): NamedResolution {
  const exact = resolve(name, options)
  if (exact.isResolved || exact.reason !== 'unknown') return exact
  const found = listSpellings(name, options.catalog).map((spelling) => resolve(spelling, options))
  const resolved = found.flatMap((one) => (one.isResolved ? [one] : []))
  const ids = new Set(resolved.map(({ record }) => record.resource_id))
  const [first] = resolved
  if (first !== undefined && ids.size === 1)
    return { ...first, rule: 'display_name', steps: [name, ...first.steps] }
  if (ids.size > 1)
    return { isResolved: false, reason: 'ambiguous', candidates: [...ids], message: severalMean(ids.size) }
  return found.find((one) => !one.isResolved && one.reason === 'ambiguous') ?? exact
}

const severalMean = (count: number) => `The name means ${count} records: name one of the candidates.`

/** How catalogs spell what is written so: mostly one way. */
function listSpellings(name: string, catalog: Catalog): string[] {
  const wanted = toSearchText(name)
  const spellings = new Set<string>()
  for (const { resource_id: id, product_id: product } of catalog.records()) {
    const model = toModelName(product ?? id)
    // With or without its maker: "Anthropic Claude Sonnet 4.5".
    if ([model, product ?? ''].some((one) => toSearchText(one) === wanted)) spellings.add(model)
  }
  spellings.delete(name)
  return [...spellings].slice(0, spellingsMax)
}

const spellingsMax = 5
