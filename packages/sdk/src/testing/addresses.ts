// Addresses a webhook may not lead to: the special-purpose registries of IANA (RFC 6890 and its updates), and the
// metadata services of clouds.

const refused4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12',
  '192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
]
const refused6 = [
  '::/128 ::1/128 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16',
  'fc00::/7 fe80::/10 fec0::/10 ff00::/8',
]

/** The bytes of an IP address in its plain spelling; null when it is none. */
export function readAddress(text: string): number[] | null {
  return text.includes(':') ? readAddress6(text) : readAddress4(text)
}

export function isRefusedAddress(text: string): boolean {
  const bytes = readAddress(text)
  if (bytes === null) return false
  const isMapped =
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255
  const plain = isMapped ? bytes.slice(12) : bytes
  const ranges = plain.length === 4 ? refused4 : refused6
  return ranges.flatMap((line) => line.split(' ')).some((range) => isWithin(plain, range))
}

function isWithin(bytes: readonly number[], range: string): boolean {
  const [start = '', length] = range.split('/')
  const network = readAddress(start) ?? []
  return bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, Number(length) - index * 8))
    return byte >> (8 - bits) === network[index]! >> (8 - bits)
  })
}

function readAddress4(text: string): number[] | null {
  const parts = text.split('.')
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
  return isAddress ? parts.map(Number) : null
}

function readAddress6(text: string): number[] | null {
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...right]
  if (groups.length !== 8 || groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255])
}
