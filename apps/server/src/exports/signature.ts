import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** Signs the list of the files' hashes, so that whoever has the key knows that they are of this installation. */
export interface Signer {
  /** SPKI, as PEM. */
  publicKey: string
  sign: (text: string) => Buffer
}

/** The purpose for which the key is derived. */
export const signingPurpose = 'signature of exports'

/** PKCS #8 of an Ed25519 key before its 32 bytes (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param secret the same at every process and every start */
export function createSigner(secret: string): Signer {
  const seed = createHash('sha256').update(secret).digest()
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), key),
  }
}
