import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import type { Certificate } from './certificates.ts'

/** What a device says that is not as it should be. */
interface Lies {
  origin?: string
  host?: string
  type?: string
  challenge?: string
  /** False: it has not asked for a finger or a PIN. */
  isVerified?: boolean
  count?: number
  /** What says of which make the device is. */
  certificate?: Certificate
}

const utf8 = (text: string) => Buffer.from(text)
const base64url = (bytes: Buffer) => bytes.toString('base64url')
/** CBOR: a text shorter than 24 bytes, and bytes that are 24 or more. */
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), utf8(text)])
const cborBytes = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ])

/** What a device signs. */
const over = (about: Buffer, client: Buffer) =>
  Buffer.concat([about, createHash('sha256').update(client).digest()])
/** { alg: RS256, sig, x5c: [certificate] } */
const statementOf = ({ key, cert }: Certificate, signed: Buffer) =>
  Buffer.concat([
    ...[Buffer.from([0xa3]), cborText('alg'), Buffer.from([0x39, 1, 0])],
    ...[cborText('sig'), cborBytes(sign('sha256', signed, key))],
    ...[cborText('x5c'), Buffer.from([0x81]), cborBytes(new X509Certificate(cert).raw)],
  ])

/** A device that holds one passkey and its browser, in software: WebAuthn, with P-256 and CBOR by hand. */
export class Device {
  readonly credential = base64url(randomBytes(16))
  /** Signatures so far; null: it does not count. */
  count: number | null = 0
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string

  /** @param url of the server, as people open it */
  constructor(url: string) {
    this.#origin = url.replace('127.0.0.1', 'localhost')
  }

  make(asked: Schemas['PasskeyChallenge'], lies: Lies = {}) {
    const id = Buffer.from(this.credential, 'base64url')
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // COSE: an elliptic curve (1: 2), ES256 (3: -7), P-256 (-1: 1), x (-2), y (-3).
    const key = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ])
    const about = Buffer.concat([
      ...[this.#about(asked, 0x41, lies), Buffer.alloc(16), Buffer.from([0, id.length]), id, key],
    ])
    const client = this.#clientData('webauthn.create', asked, lies)
    const [format, statement] = lies.certificate
      ? ['packed', statementOf(lies.certificate, over(about, client))]
      : ['none', Buffer.from([0xa0])]
    const attestation = Buffer.concat([
      ...[Buffer.from([0xa3]), cborText('fmt'), cborText(format), cborText('attStmt'), statement],
      ...[cborText('authData'), cborBytes(about)],
    ])
    return {
      credential: this.credential,
      client_data: base64url(client),
      attestation: base64url(attestation),
    }
  }

  sign(asked: Schemas['PasskeyChallenge'], userId: string | null, lies: Lies = {}) {
    if (this.count !== null) this.count += 1
    const about = this.#about(asked, 0x01, lies)
    const client = this.#clientData('webauthn.get', asked, lies)
    return {
      credential: this.credential,
      client_data: base64url(client),
      authenticator_data: base64url(about),
      signature: base64url(sign('sha256', over(about, client), this.#keys.privateKey)),
      user_handle: userId === null ? null : base64url(utf8(userId)),
    }
  }

  #clientData(usual: string, asked: Schemas['PasskeyChallenge'], lies: Lies): Buffer {
    const { type = usual, challenge = asked.challenge, origin = this.#origin } = lies
    return utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #about({ host }: Schemas['PasskeyChallenge'], flags: number, lies: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.count ?? this.count ?? 0)
    const verified = lies.isVerified === false ? 0 : 0x04
    const site = createHash('sha256')
      .update(lies.host ?? host)
      .digest()
    return Buffer.concat([site, Buffer.from([flags | verified]), count])
  }
}
