const shape = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:)(\d\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/**
 * An RFC 3339 instant as milliseconds since 1970, cut to the millisecond; NaN for what is none. The last minute of a
 * day in UTC may have a leap second, which counts as the second after it.
 */
export function instantMs(text: string): number {
  const [, day, minute, second, fraction = '', zone = ''] = shape.exec(text) ?? []
  const isLeap = second === '60'
  const wall = `${day}T${minute}${isLeap ? '59' : second}`
  const date = new Date(`${wall}Z`)
  // Engines turn the 30th of February into March, and 24 o'clock into the next day.
  if (!(+date < Infinity) || !date.toJSON().startsWith(wall)) return NaN
  const ms = Date.parse(`${wall}.${(fraction + '000').slice(0, 3)}${zone.toUpperCase()}`)
  if (!isLeap) return ms
  return new Date(ms).toJSON().slice(11, 19) === '23:59:59' ? ms + 1e3 : NaN
}
