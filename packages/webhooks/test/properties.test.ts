import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WebhookHeaders } from '../src/types.ts'
import { alert, allBuilds, builds, codeOf, delivery, now, outcome } from './builds.ts'

const hexDigits = '0123456789abcdef'
const secrets = fc
  .string({ unit: 'binary', minLength: 16, maxLength: 80 })
  .filter((text) => /^[^\p{Cc}\p{Cs}]{16,512}$/u.test(text))
const bodies = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
  fc.constant(new TextEncoder().encode(JSON.stringify(alert))),
)

const flip = (bytes: Uint8Array, at: number, by: number) =>
  bytes.map((byte, index) => (index === at ? byte ^ by : byte))

describe.each(allBuilds)('a change of one byte is refused by the %s build', (_, build) => {
  test('in 10,000 bodies, signatures and secrets', async () => {
    const parts = fc.constantFrom('body', 'signature', 'secret')
    const change = fc.record({ part: parts, at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(bodies, secrets, change, async (body, key, { part, at, by }) => {
        const signed = delivery(body, key)
        await build.verifySignature(body, signed.headers, { secret: key })
        let value = signed.headers['x-svc-signature']
        let given = body
        let secret = key
        if (part === 'body') given = flip(body, at % body.length, by)
        else if (part === 'signature') {
          const index = at % value.length
          value = Buffer.from(flip(Buffer.from(value, 'latin1'), index, by)).toString('latin1')
        } else {
          // A secret is text: a byte of it changes by changing a character.
          const characters = [...key]
          const index = at % characters.length
          characters[index] = characters[index] === 'x' ? 'y' : 'x'
          secret = characters.join('')
        }
        const code = await codeOf(build.verifySignature(given, { 'x-svc-signature': value }, { secret }))
        expect(['signature_mismatch', ...(part === 'signature' ? ['malformed_signature'] : [])]).toContain(
          code,
        )
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('the builds agree', () => {
  const texts = fc.oneof(
    fc.constant(JSON.stringify(alert)),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.constant('\ufeff' + JSON.stringify(alert)),
    fc.constant(JSON.stringify({ ...alert, changes: [] })),
    fc.constant(JSON.stringify({ ...alert, event: 'other' })),
    fc.constant(JSON.stringify({ ...alert, timestamp: '2026-01-02T02:04:05.678000Z' })),
  )
  const signatures = fc.constantFrom<(good: string) => WebhookHeaders>(
    (good) => ({ 'x-svc-signature': good }),
    (good) => new Headers({ 'X-Svc-Signature': good }),
    (good) => new Map([['X-SVC-SIGNATURE', good]]),
    (good) => [['x-svc-signature', good]],
    (good) => ({ 'x-svc-signature': [good, good] }),
    (good) => ({ 'x-svc-signature': good.toUpperCase() }),
    (good) => ({ 'x-svc-signature': good.slice(7) }),
    (good) => ({ 'x-svc-signature': good.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }),
    (good) => ({ 'x-svc-signature': good.slice(0, 20) }),
    () => ({}),
  )
  const forms = fc.constantFrom<(bytes: Uint8Array, text: string) => string | ArrayBufferView | ArrayBuffer>(
    (_, text) => text,
    (bytes) => bytes,
    (bytes) => Buffer.concat([Buffer.from('xx'), bytes]).subarray(2),
    (bytes) => new Uint8Array(bytes).buffer,
    (bytes) => new DataView(new Uint8Array(bytes).buffer),
    (bytes) => bytes.slice(1),
    (bytes) => new Uint8Array([...bytes, 255]),
    () => ({}) as never,
    () => undefined as never,
  )
  const keys = fc.oneof(secrets, fc.string({ unit: 'binary', maxLength: 20 }))

  test('on 6,000 deliveries of every form, good and bad', async () => {
    const tally = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        texts,
        keys,
        secrets,
        signatures,
        forms,
        fc.boolean(),
        async (text, key, other, header, form, signsOther) => {
          const bytes = new TextEncoder().encode(text)
          const headers = () => header(delivery(bytes, other).headers['x-svc-signature'])
          const options = { secrets: signsOther ? [key, other] : [other, key], now }
          const [web, node, sync] = await Promise.all(
            allBuilds.map(([, build]) => outcome(build, form(bytes, text), headers(), options)),
          )
          expect(node).toEqual(web)
          expect(sync).toEqual(web)
          const code = (web as { code?: string }).code ?? 'ok'
          tally.set(code, (tally.get(code) ?? 0) + 1)
        },
      ),
      { numRuns: 6_000 },
    )
    // A comparison of refusals alone would say little.
    for (const code of [
      'ok',
      'signature_mismatch',
      'malformed_signature',
      'missing_signature',
      'body_parsed',
      'bad_secret',
      'invalid_json',
      'invalid_payload',
      'unexpected_event',
      'timestamp_too_old',
    ])
      expect(tally.get(code), code).toBeGreaterThan(10)
  })

  test('on the signatures that they make', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secrets, async (body, key) => {
        const made = await builds.web.sign(body, key)
        expect(made).toMatch(new RegExp(`^sha256=[${hexDigits}]{64}$`))
        expect(await builds.node.sign(body, key)).toBe(made)
        expect(await builds.sync.sign(body, key)).toBe(made)
      }),
      { numRuns: 1_000 },
    )
  })
})
