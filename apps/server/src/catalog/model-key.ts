import { snapshotEndings, spellings, vendorSpellings } from './model-names.ts'

// Names of models, compared.

export function plainPath(text: string): string {
  return text.split('/').map(plain).join('/')
}

/** Letters and digits in lower case; all else is one hyphen. */
export function plain(text: string): string {
  const lower = text.toLowerCase()
  const other = /^[\x20-\x7e]*$/.test(lower) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu
  return lower.replaceAll(other, '-')
}

/**
 * The key of a model's name: spellings that differ in nothing a model differs in have one. Sizes, variants and versions
 * stay. `Meta-Llama-3.1-8B-Instruct`, `llama-v3p1-8b-instruct` and `llama3-1-8b-instruct` are `llama-3-1-8b-instruct`.
 * It compares names, nobody sees it.
 */
export function nameKey(name: string, vendor?: string): string {
  let key = plainPath(name.replaceAll(/(?<=\d)p(?=\d)/g, '-'))
  for (const { pattern, to } of spellings) key = key.replace(pattern, to)
  const own = vendor !== undefined && Object.hasOwn(vendorSpellings, vendor) ? vendorSpellings[vendor] : null
  return own ? key.replace(own.pattern, own.to) : key
}

/** A name without a maker or host before its family (`meta-llama-3`), and with a point where Fireworks writes a p. */
export function plainName(name: string): string {
  const pointed = name.replaceAll(/(?<=\d)p(?=\d)/g, '.')
  const prefix = spellings.find(({ pattern, to }) => to === '' && pattern.test(pointed))
  return prefix === undefined ? pointed : pointed.replace(prefix.pattern, '')
}

/** Removes endings while they surely name a snapshot, or while the rest is a known name. */
export function withoutEndings(name: string, isKnown: (shorter: string) => boolean): string {
  for (const { pattern, always } of snapshotEndings) {
    const shorter = name.replace(pattern, '')
    if (shorter === name || shorter === '') continue
    if (always || isKnown(withoutEndings(shorter, () => false))) return withoutEndings(shorter, isKnown)
  }
  return name
}
