import { createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { authPurpose } from '../../src/features/members/auth.ts'
import { findKnownBrowser } from '../../src/features/members/known-browser.ts'
import { challengePurpose } from '../../src/features/members/passkey-challenge.ts'
import { unsubscribePurpose } from '../../src/features/notices/unsubscribe-token.ts'
import { createSecretBox, generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { knownBrowserPurpose } from '../../src/http/dashboard/remember-browser.ts'
import { useApi } from '../support/api.ts'
import { signInNew, Browser } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// SECRETS_KEY seals the secrets of webhooks. The keys of cookies are derived from it, each with a purpose of its own:
// one of these secrets reveals neither SECRETS_KEY nor another secret.

const [newKey, oldKey] = [generateSecretsKey(), generateSecretsKey()]
const box = createSecretBox([newKey, oldKey])
const purposes = [authPurpose, knownBrowserPurpose, unsubscribePurpose, challengePurpose]

/** HKDF (RFC 5869) of a key, by SHA-256 and without salt: 32 bytes. */
const hkdf = (key: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)).toString('base64url')

describe('a derived secret', () => {
  test('is HKDF of the key that seals, and of the purpose', () => {
    for (const purpose of purposes) expect(box.derive(purpose)).toBe(hkdf(newKey, purpose))
  })

  // Sessions end and second factors cannot be read when it changes: it stays from one version to the next.
  test.each([
    ['dashboard sessions', '_d2SPJsgQSm9UhBxzhSZTrBvGOooJRJyP4gIX71FHQo'],
    ['known browsers', 'PQvTy3tOIeOcWFhrG0m-T-RAWBV673kNvgPsmYSKaoI'],
  ])('for "%s" is what it always was', (purpose, secret) => {
    expect(purposes).toContain(purpose)
    expect(createSecretBox([Buffer.alloc(32, 7).toString('base64')]).derive(purpose)).toBe(secret)
  })

  test('is another for each purpose and each key, and never a key', () => {
    const keys = [newKey, oldKey]
    const all = keys.flatMap((key) =>
      [...purposes, '', `${authPurpose} `].map((purpose) => createSecretBox([key]).derive(purpose)),
    )
    const ofKeys = keys.map((key) => Buffer.from(key, 'base64').toString('base64url'))
    expect(new Set([...all, ...ofKeys]).size).toBe(all.length + ofKeys.length)
  })

  test('comes from every key of a rotation, the one that seals first, by the name of its key', () => {
    const expected = [newKey, oldKey].map((key) => ({
      keyId: createSecretBox([key]).sealingKeyId,
      secret: hkdf(key, authPurpose),
    }))
    expect(box.deriveAll(authPurpose)).toEqual(expected)
    expect(createSecretBox([oldKey, newKey]).deriveAll(authPurpose)).toEqual(expected.reverse())
  })
})

describe('a browser that signs in', () => {
  const database = useDatabase()
  const api = useApi(database, { env: { SECRETS_KEY: [newKey, oldKey].join(',') } })
  const email = 'ada@customer.example'

  test('has cookies that are signed with the derived secrets, and with no other', async () => {
    await signInNew(api, 'Ada')
    const answer = await new Browser(api.url).post('/sign-in', { email, password: 'correct horse battery' })
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    const session = cookies.find((cookie) => cookie.includes('session_token')) ?? ''
    const [token = '', signature] = decodeURIComponent(session.slice(session.indexOf('=') + 1)).split('.')
    const signed = (secret: string) => createHmac('sha256', secret).update(token).digest('base64')
    expect(token).not.toBe('')
    expect(signature).toBe(signed(hkdf(newKey, 'dashboard sessions')))

    const cookie = cookies.find((each) => each.includes('known_browser'))
    const known = (secret: string) =>
      findKnownBrowser(database.db, { secret, email, cookie, now: new Date() })
    expect(await known(hkdf(newKey, 'known browsers'))).not.toBeNull()
    for (const other of [hkdf(newKey, 'dashboard sessions'), hkdf(oldKey, 'known browsers'), newKey])
      expect(await known(other)).toBeNull()
  })
})
