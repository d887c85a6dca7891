// Whether a file is as a Ratecard made it: its hash stands in SHA256SUMS, and that is signed. Web Crypto alone, so that
// every runtime and every browser can tell.

/** A file of a Ratecard, by the name that it has at `/exports/`. */
export interface ExportedFile {
  readonly name: string
  readonly content: ExportContent
}

/** Bytes, or their text. */
export type ExportContent = string | ArrayBuffer | Uint8Array

/** What stands beside the file at `/exports/`, and the key that you keep. */
export interface SignedSums {
  /** `SHA256SUMS`, byte for byte. */
  readonly sums: ExportContent
  /** `SHA256SUMS.sig`, 64 bytes. */
  readonly signature: ArrayBuffer | Uint8Array
  /** The server's Ed25519 key as in `ed25519.pem`: SPKI as PEM, or its base64 alone. */
  readonly publicKey: string
}

/** A file that is not what the key vouches for, or a check that cannot be made. The message says what differs. */
export class VerificationError extends Error {
  override name = 'VerificationError'
  /** `key` is one that cannot be used, `name` one that is not signed. */
  readonly differs: 'key' | 'signature' | 'name' | 'content'
  constructor(differs: VerificationError['differs'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.differs = differs
  }
}

/**
 * Resolves where the file is what the server signed under this name. Whether it is the newest no signature tells: an older
 * file passes with its own sums.
 *
 * @throws VerificationError that says what differs
 */
export async function verifyExport(
  { name, content }: ExportedFile,
  { sums, signature, publicKey }: SignedSums,
): Promise<void> {
  const der = readKey(publicKey)
  const list = toBytes(sums)
  const key = await crypto.subtle
    .importKey('spki', der, 'Ed25519', false, ['verify'])
    .catch((cause: unknown) => {
      throw new VerificationError('key', 'This runtime has no Ed25519: update it.', { cause })
    })
  if (!(await crypto.subtle.verify('Ed25519', key, toBytes(signature), list)))
    throw new VerificationError(
      'signature',
      `SHA256SUMS is not what the key signed whose fingerprint is ${await sha256(der)}.`,
    )
  const lines = new TextDecoder().decode(list).split('\n')
  const signed = lines.find((line) => line.slice(64) === `  ${name}`)?.slice(0, 64)
  if (signed === undefined) throw new VerificationError('name', `SHA256SUMS names no file "${name}".`)
  const found = await sha256(toBytes(content))
  if (found !== signed)
    throw new VerificationError('content', `The SHA-256 of ${name} is ${found}, and ${signed} was signed.`)
}

type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>

/** 12 bytes that say Ed25519, and 32 of the key (RFC 8410). */
function readKey(text: string): Bytes {
  const base64 = text.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  if (!/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/.test(base64))
    throw new VerificationError('key', 'publicKey is no Ed25519 key: give the text of ed25519.pem.')
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

function toBytes(content: ExportContent): Bytes {
  return typeof content === 'string' ? new TextEncoder().encode(content) : (content as Bytes)
}

async function sha256(bytes: Bytes): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
