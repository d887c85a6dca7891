// Exact decimal arithmetic on text: money is never a binary number. Texts are as prices have them (`0.075`), or as
// JavaScript writes a number (`1e-7`).

/**
 * `units` times ten to the power of minus `scale`.
 * @typedef {{ units: bigint, scale: number }} Exact
 */

const decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i

/**
 * @param {string} text a decimal that is not negative
 * @returns {Exact}
 * @throws RangeError where it is none
 */
export function parseExact(text) {
  const match = decimal.exec(text)
  if (!match) throw new RangeError(`Not a decimal: ${text.slice(0, 40)}`)
  const [, whole = '', part = '', power = '0'] = match
  const scale = part.length - Number(power)
  const units = BigInt(whole + part)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

/** @param {string} text */
export function isDecimalText(text) {
  return decimal.test(text)
}

/**
 * The text without zeros at its end.
 * @param {{ units: bigint | number, scale: number }} exact a number is a safe integer
 */
export function formatExact({ units, scale }) {
  const digits = `${units}`
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1
  if (end <= 0) return '0'
  if (point <= 0) return (heads[-point] ?? '0.'.padEnd(2 - point, '0')) + digits.slice(0, end)
  const whole = digits.slice(0, point)
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`
}

/** How small amounts begin: one that is kept is several times as fast as digits filled up. */
const heads = ['0.', '0.0', '0.00', '0.000', '0.0000', '0.00000']

/**
 * Both with the scale of the finer one.
 * @param {string} a
 * @param {string} b
 */
function aligned(a, b) {
  const [x, y] = [parseExact(a), parseExact(b)]
  const scale = Math.max(x.scale, y.scale)
  /** @param {Exact} one */
  const toUnits = (one) => one.units * 10n ** BigInt(scale - one.scale)
  return { x: toUnits(x), y: toUnits(y), scale }
}

/**
 * @param {string} a
 * @param {string} b
 */
export function addDecimals(a, b) {
  const { x, y, scale } = aligned(a, b)
  return formatExact({ units: x + y, scale })
}

/**
 * @param {string} a
 * @param {string} b not more than `a`
 */
export function subtractDecimals(a, b) {
  const { x, y, scale } = aligned(a, b)
  if (y > x) throw new RangeError('The difference is negative.')
  return formatExact({ units: x - y, scale })
}

/**
 * @param {string} a
 * @param {string} b
 */
export function multiplyDecimals(a, b) {
  const [x, y] = [parseExact(a), parseExact(b)]
  return formatExact({ units: x.units * y.units, scale: x.scale + y.scale })
}

/**
 * Below 0: `a` is less.
 * @param {string} a
 * @param {string} b
 */
export function compareDecimals(a, b) {
  const { x, y } = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** @param {string} text */
export function isZero(text) {
  return parseExact(text).units === 0n
}

/**
 * With so many decimals, the last one rounded half up: `0.5` as `0.50`.
 * @param {string} text
 * @param {number} decimals
 */
export function roundDecimal(text, decimals) {
  const { units, scale } = parseExact(text)
  const cut = scale - decimals
  const rounded =
    cut <= 0 ? units * 10n ** BigInt(-cut) : (units + 5n * 10n ** BigInt(cut - 1)) / 10n ** BigInt(cut)
  const digits = rounded.toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
