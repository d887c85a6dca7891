import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecretBox, generateSecretsKey } from './secret-box.ts'

const owner = { webhookId: 'wh_1', accountId: 'acct_1' }
const secret = 'a secret of the customer 🔑'
const [oldKey, newKey] = [generateSecretsKey(), generateSecretsKey()]
const box = createSecretBox([newKey, oldKey])

describe('a sealed secret', () => {
  test('opens to what was sealed, whatever characters it has', () => {
    const wellFormed = fc.string({ unit: 'binary', maxLength: 512 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(box.open(box.seal(text, owner), owner)).toBe(text)
      }),
    )
  })

  test('does not hold the secret in the clear, and is never the same twice', () => {
    const sealed = Array.from({ length: 200 }, () => box.seal(secret, owner).ciphertext)
    for (const ciphertext of sealed) expect(ciphertext.includes(secret)).toBe(false)
    expect(new Set(sealed.map((ciphertext) => ciphertext.subarray(0, 12).toString('hex'))).size).toBe(200)
    expect(new Set(sealed.map((ciphertext) => ciphertext.toString('hex'))).size).toBe(200)
  })

  test('does not open when a single bit is flipped, anywhere', () => {
    const { ciphertext, keyId } = box.seal(secret, owner)
    for (let bit = 0; bit < ciphertext.length * 8; bit += 1) {
      const altered = Buffer.from(ciphertext)
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => box.open({ ciphertext: altered, keyId }, owner), `bit ${bit}`).toThrow()
    }
  })

  test('does not open when it is cut or extended', () => {
    const { ciphertext, keyId } = box.seal(secret, owner)
    for (let length = 0; length < ciphertext.length; length += 1) {
      expect(() => box.open({ ciphertext: ciphertext.subarray(0, length), keyId }, owner)).toThrow()
    }
    expect(() => box.open({ ciphertext: Buffer.concat([ciphertext, Buffer.of(0)]), keyId }, owner)).toThrow()
  })

  test('opens for its owner alone: rows cannot be swapped', () => {
    const sealed = box.seal(secret, owner)
    for (const other of [
      { ...owner, webhookId: 'wh_2' },
      { ...owner, accountId: 'acct_2' },
      { webhookId: owner.accountId, accountId: owner.webhookId },
      { webhookId: 'wh_1acct_1', accountId: '' },
    ]) {
      expect(() => box.open(sealed, other)).toThrow()
    }
  })

  test('two owners whose names join to the same text are two', () => {
    const sealed = box.seal(secret, { webhookId: 'a","b', accountId: 'c' })
    expect(() => box.open(sealed, { webhookId: 'a', accountId: 'b","c' })).toThrow()
  })
})

describe('keys', () => {
  test('the first seals, every one opens', () => {
    const before = createSecretBox([oldKey]).seal(secret, owner)
    const after = box.seal(secret, owner)
    expect(before.keyId).not.toBe(after.keyId)
    expect(box.open(before, owner)).toBe(secret)
    expect(createSecretBox([newKey]).open(after, owner)).toBe(secret)
  })

  test('one that was removed is named, and the secret is not', () => {
    const before = createSecretBox([oldKey]).seal(secret, owner)
    expect(() => createSecretBox([newKey]).open(before, owner)).toThrow(
      `SECRETS_KEY lacks the key "${before.keyId}" under which a webhook secret is stored.`,
    )
  })

  test('a secret under one key does not open under another of the same name', () => {
    const { ciphertext } = createSecretBox([oldKey]).seal(secret, owner)
    const { keyId } = box.seal(secret, owner)
    expect(() => box.open({ ciphertext, keyId }, owner)).toThrow()
  })

  test('a key has the same name in every spelling of its base64, and the name tells nothing of it', () => {
    const bytes = Buffer.from(newKey, 'base64')
    const names = [newKey, newKey.replace('=', ''), bytes.toString('base64url')].map(
      (spelling) => createSecretBox([spelling]).seal(secret, owner).keyId,
    )
    expect(new Set(names).size).toBe(1)
    expect(names[0]).toMatch(/^[0-9a-f]{12}$/)
    expect(bytes.toString('hex')).not.toContain(names[0])
  })

  test('are 32 random bytes in base64', () => {
    expect(Buffer.from(generateSecretsKey(), 'base64')).toHaveLength(32)
    expect(generateSecretsKey()).not.toBe(generateSecretsKey())
  })

  test('there must be one', () => {
    expect(() => createSecretBox([])).toThrow('at least one key')
  })
})
