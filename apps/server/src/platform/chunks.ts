/** The items in pieces of at most `size`, in order. */
export function* splitIntoChunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
