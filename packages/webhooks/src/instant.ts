const shape =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/**
 * An RFC 3339 instant as milliseconds since 1970, cut to the millisecond; NaN for any other text. The last minute of a
 * day in UTC may have a leap second, which counts as the second after it.
 */
export function instantMs(text: string): number {
  const day = +text.slice(8, 10)
  // Engines convert the 30th of February to a day in March.
  if (!shape.test(text) || (day > 28 && new Date(text.slice(0, 10)).getUTCDate() !== day)) return NaN
  if (text[17] !== '6') return parse(text)
  const before = parse(text.replace(':60', ':59'))
  return new Date(before).toJSON().includes('T23:59:59') ? before + 1e3 : NaN
}

// Not every engine reads small letters, or more than nine digits of a fraction.
const parse = (text: string) =>
  Date.parse((text.length > 29 ? text.replace(/(\.\d{3})\d+/, '$1') : text).toUpperCase())
