// A key is `rc_live_`, 30 random base-62 characters (178 bits), and a checksum of six: the CRC-32 of all before
// it. So a mistyped or truncated key is refused without asking the database, and secret scanners can recognise a
// real key from a look-alike.

export const keyPrefix = 'rc_live_'
export const keyRandomLength = 30
const checksumLength = 6
export const keyLength = keyPrefix.length + keyRandomLength + checksumLength
const keyGrammar = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${keyRandomLength + checksumLength}}$`)

/**
 * Whether the text could be a key of ours: its form and checksum are right. Says nothing about its validity.
 * @param {string} text
 */
export function isWellFormedKey(text) {
  return keyGrammar.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/**
 * The key of a prefix and random characters.
 * @param {string} body
 */
export function withChecksum(body) {
  return body + checksum(body)
}

/**
 * The key of a header `Authorization: Bearer <key>`; the scheme in any case (RFC 9110, 11.1).
 * @param {string} header
 */
export function bearerKey(header) {
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? null
}

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A non-negative integer below 62^length in base 62, left-padded with zeros.
 * @param {number} value
 * @param {number} length
 */
export function toBase62(value, length) {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text
  return text
}

// CRC-32 as in zlib, which browsers do not have.
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** @param {string} ascii */
function checksum(ascii) {
  let crc = -1
  for (let index = 0; index < ascii.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ ascii.charCodeAt(index)) & 0xff] ?? 0)
  }
  return toBase62(~crc >>> 0, checksumLength)
}
