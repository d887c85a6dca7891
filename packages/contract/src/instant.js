// Instants travel as text: a JavaScript `Date` would cut the microseconds on which pages and polling rest.

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * An RFC 3339 instant with offset as UTC text with six decimals, or null when it is none: the date must
 * exist, years run from 0001 to 9999 (also in UTC), seconds from 00 to 59; further decimals are cut.
 * @param {string} text
 */
export function parseInstant(text) {
  const match = rfc3339.exec(text)
  if (!match) return null
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = match
  const [sign, offsetHour = '00', offsetMinute = '00'] = match.slice(8)
  if (!isRealDate(Number(year), Number(month), Number(day))) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null

  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const utc = new Date(0)
  utc.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  utc.setUTCHours(Number(hour), Number(minute) - offsetMinutes, Number(second))
  const utcYear = utc.getUTCFullYear()
  if (utcYear < 1 || utcYear > 9999) return null
  return `${utc.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * The moment so long ago: `90m`, `24h` or `7d`. Null: the text is none of these.
 * @param {string} text
 */
export function parseAgo(text, nowMs = Date.now()) {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (amount === undefined) return null
  return new Date(nowMs - Number(amount) * unitMs[/** @type {'m' | 'h' | 'd'} */ (unit)])
}

/**
 * A moment of the process's clock as we write instants: microseconds are zeros.
 * @param {Date} date
 */
export function toInstant(date) {
  return date.toISOString().replace('Z', '000Z')
}

/**
 * Whether `text` is an instant as we write it: `YYYY-MM-DDTHH:MM:SS.ffffffZ`.
 * @param {string} text
 */
export function isInstantText(text) {
  return text.length === 27 && parseInstant(text) === text
}

/**
 * Whether `text` is a date of the calendar as `YYYY-MM-DD`.
 * @param {string} text
 */
export function isDateText(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return match !== null && isRealDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** @type {(year: number, month: number, day: number) => boolean} */
function isRealDate(year, month, day) {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (days[month - 1] ?? 0)
}
