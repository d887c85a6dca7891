import type { Catalogue, Model } from './catalogue.ts'

// A search by words as people type them: `gpt4o`, `claude sonnet 4.5`. What stands between letters and digits, and
// whether anything does, is nothing.

/** What is searched for at most; the rest is cut off. */
const searchCharsMax = 100
const wordsMax = 8

export interface ModelFilter {
  search: string
  vendor: string | null
  platform: string | null
  modality: string | null
}

/** Letters and digits by turns, a space around each: ` gpt 4 o `. */
export function searchTextOf(text: string): string {
  const parts = text
    .normalize('NFKD')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu)
  return parts ? ` ${parts.join(' ')} ` : ' '
}

/** The models that the filter leaves, the best first: named so, beginning so, then the rest. */
export function searchModels(
  { models }: Catalogue,
  { search, vendor, platform, modality }: ModelFilter,
): Model[] {
  const left = models.filter(
    (model) =>
      (vendor === null || model.vendor === vendor) &&
      (platform === null || model.platforms.includes(platform)) &&
      (modality === null || model.modality === modality),
  )
  const words = wordsOf(search)
  if (words.length === 0) return left
  const whole = searchTextOf(search.slice(0, searchCharsMax))
  return left
    .flatMap((model) => {
      const rank = rankOf(model, words, whole)
      return rank === null ? [] : [{ model, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ model }) => model)
}

/** Each as it is looked for: a word of letters at its end may go on, a number may not. */
function wordsOf(search: string): string[] {
  return search
    .slice(0, searchCharsMax)
    .split(/\s+/)
    .map(searchTextOf)
    .filter((word) => word !== ' ')
    .slice(0, wordsMax)
    .map((word) => (/\p{N} $/u.test(word) ? word : word.trimEnd()))
}

/** Null: some word is not there. */
function rankOf({ search: { name, all } }: Model, words: readonly string[], whole: string): number | null {
  if (!words.every((word) => all.includes(word))) return null
  if (name === whole || all.startsWith(whole)) return 0
  if (name.startsWith(whole)) return 1
  if (name.includes(whole)) return 2
  return words.every((word) => name.includes(word)) ? 3 : 4
}

const distanceMax = 2
const guessCharsMax = 24

/** A search that finds something, near to one that finds nothing: `gemini`, for `gemni`. Null: there is none. */
export function nearSearch(catalogue: Catalogue, search: string): string | null {
  const vocabulary = new Set(
    catalogue.models.flatMap(({ search: { name } }) => name.match(/\p{L}{3,}/gu) ?? []),
  )
  const guess = search
    .slice(0, searchCharsMax)
    .split(/\s+/)
    .slice(0, wordsMax)
    .map((word) => nearestWord(word.toLowerCase(), vocabulary) ?? word)
    .join(' ')
  if (guess.toLowerCase() === search.toLowerCase().trim()) return null
  const found = searchModels(catalogue, { search: guess, vendor: null, platform: null, modality: null })
  return found.length > 0 ? guess : null
}

function nearestWord(word: string, vocabulary: ReadonlySet<string>): string | null {
  if (word.length < 4 || word.length > guessCharsMax || vocabulary.has(word)) return null
  let nearest: string | null = null
  let least = distanceMax + 1
  for (const known of vocabulary) {
    if (Math.abs(known.length - word.length) >= least) continue
    const distance = editDistance(word, known)
    if (distance < least) [least, nearest] = [distance, known]
  }
  return nearest
}

/** Letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
