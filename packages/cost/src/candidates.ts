import type { Book } from './book.ts'

// Records that may be meant by a name that means none. They are shown to a person; no program takes one of them.

const candidatesMax = 5

/** Ids that share the most words with the name, of this platform first. More than half of the words must be there. */
export function candidatesFor(name: string, platform: string | null, { snapshot }: Book): string[] {
  const words = splitWords(name)
  const scored = snapshot.resources.flatMap(({ resource_id: id, platform: own }) => {
    const its = splitWords(id.slice(id.indexOf(':') + 1))
    const shared = [...words].filter((word) => its.has(word)).length
    // What else the id says counts against it, and another platform more than that.
    const score = shared - (its.size - shared) / 10 - (platform !== null && own !== platform ? 1 : 0)
    return 2 * shared > words.size ? { id, score } : []
  })
  return scored
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, candidatesMax)
    .map(({ id }) => id)
}

function splitWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]+|\d+/g) ?? [])
}
