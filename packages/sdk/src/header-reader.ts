/** The part of `Headers` that reading needs. */
export interface HeaderReader {
  get(name: string): string | null
}

/** A header that is a plain decimal, not negative; undefined when it is absent or anything else. */
export function readNumber(headers: HeaderReader, name: string): number | undefined {
  const text = headers.get(name) ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}
