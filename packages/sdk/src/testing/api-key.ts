const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number in base 62, padded with zeros: what ids and keys of the fake are made of. */
export function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = digits[rest % 62]! + text
  return text
}

/**
 * The key with this number. It has the form of a real one, checksum included, and says what it is: whoever finds it
 * in a repository need not be alarmed.
 */
export function fakeApiKey(number: number): string {
  const body = `rc_live_FakeKeyOnlyForTests${base62(number, 11)}`
  return body + base62(crc32(body), 6)
}

/** CRC-32 as in zlib, of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** The key of a header `Authorization: Bearer <key>`; the scheme in any case. */
export function bearerKey(header: string | null): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}
