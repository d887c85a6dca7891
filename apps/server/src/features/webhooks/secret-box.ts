import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/** A webhook secret at rest, and the name of the key it is under. */
export interface SealedSecret {
  ciphertext: Buffer
  keyId: string
}

/** The owner of a secret. Bound into the ciphertext: rows cannot be swapped. */
export interface SecretOwner {
  webhookId: string
  accountId: string
}

export interface SecretBox {
  /** Names all keys, the one that seals first. */
  keyIds: readonly string[]
  /** Names the key that seals. */
  sealingKeyId: string
  seal: (secret: string, owner: SecretOwner) => SealedSecret
  /** @throws Error when the key is not configured, or the bytes or the owner are not those that were sealed */
  open: (sealed: SealedSecret, owner: SecretOwner) => string
  /** A secret for another purpose, from the key that seals: the same at every process and every start. */
  derive: (purpose: string) => string
  /** The same from every key, the one that seals first: what was encrypted before a rotation is still read. */
  deriveAll: (purpose: string) => { keyId: string; secret: string }[]
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Authenticated encryption of webhook secrets. A ciphertext is nonce, tag, then the encrypted bytes.
 * @param keys base64, 32 bytes each: the first seals, all open
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  // Key objects, made once: opening with a key of bytes takes 14 µs, of which 9 are for making one of them each time.
  const ring = new Map(keys.map((text) => [deriveKeyId(text), createSecretKey(text, 'base64')]))
  const [sealingKey] = ring
  if (!sealingKey) throw new Error('A secret box needs at least one key.')
  const [sealingKeyId, sealingKeyObject] = sealingKey

  return {
    keyIds: [...ring.keys()],
    sealingKeyId,
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, sealingKeyObject, nonce).setAAD(associated(owner))
      const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]), keyId: sealingKeyId }
    },
    derive: (purpose) => deriveFrom(sealingKeyObject, purpose),
    deriveAll: (purpose) => [...ring].map(([keyId, key]) => ({ keyId, secret: deriveFrom(key, purpose) })),
    open({ ciphertext, keyId }, owner) {
      const key = ring.get(keyId)
      if (!key)
        throw new Error(`SECRETS_KEY lacks the key "${keyId}" under which a webhook secret is stored.`)
      const nonce = ciphertext.subarray(0, nonceBytes)
      const tag = ciphertext.subarray(nonceBytes, nonceBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(associated(owner)).setAuthTag(tag)
      return (
        decipher.update(ciphertext.subarray(nonceBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}

export function generateSecretsKey(): string {
  return randomBytes(32).toString('base64')
}

function deriveFrom(key: KeyObject, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32)).toString('base64url')
}

/** Names a key without revealing anything useful about it. */
function deriveKeyId(key: string): string {
  return createHash('sha256')
    .update('ratecard secrets key')
    .update(Buffer.from(key, 'base64'))
    .digest('hex')
    .slice(0, 12)
}

function associated({ webhookId, accountId }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([webhookId, accountId]))
}
