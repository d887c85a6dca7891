import type { Book } from './book.ts'

// Records that may be meant by a name that means none. They are shown to a person; no program takes one of them.

const candidatesMax = 5

/** Ids that share the most words with the name, of this platform first. More than half of the words must be there. */
export function candidatesFor(name: string, platform: string | null, { snapshot }: Book): string[] {
  const words = splitWords(name)
  if (words.size === 0) return []
  const scored: { id: string; score: number }[] = []
  for (const record of snapshot.resources) {
    const own = splitWords(record.resource_id.slice(record.resource_id.indexOf(':') + 1))
    let shared = 0
    for (const word of words) if (own.has(word)) shared += 1
    if (2 * shared <= words.size) continue
    // What else the id says counts against it, and another platform more than that.
    const score =
      shared - (own.size - shared) / 10 - (platform !== null && record.platform !== platform ? 1 : 0)
    scored.push({ id: record.resource_id, score })
  }
  return scored
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, candidatesMax)
    .map(({ id }) => id)
}

function splitWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]+|\d+/g) ?? [])
}
