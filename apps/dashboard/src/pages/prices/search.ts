// What people type finds what lists write: `gpt4o`, `GPT-4o` and `gpt 4o` are one.

/** Letters and digits in lower case, and nothing else. */
function squashed(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The words of a search; a record has to contain each. */
export function wordsOf(search: string): string[] {
  return search.split(/\s+/).map(squashed).filter(Boolean)
}

/** What a search looks at: the words of one field do not run into the next. */
export function searchTextOf(fields: readonly (string | null | undefined)[]): string {
  return fields.map((field) => squashed(field ?? '')).join(' ')
}

/**
 * How well a record answers a search, the smaller the better: the maker's own before a reseller's, then a name that is
 * just what was typed, then a shorter one.
 */
export function distanceOf(
  { resource_id: id, platform, vendor }: { resource_id: string; platform: string | null; vendor: string },
  words: readonly string[],
): number {
  const name = squashed(id.slice(id.lastIndexOf(':') + 1))
  const typed = words.join('')
  const isExact = name === typed || squashed(id) === typed
  return (platform === vendor ? 0 : 2_000) + (isExact ? 0 : 1_000) + Math.min(name.length, 999)
}
