import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { answerTo } from '../src/adapter.ts'
import type { WebhookErrorCode } from '../src/error.ts'
import { WebhookVerificationError } from '../src/error.ts'
import { alert, allBuilds, builds, delivery, now, secret } from './builds.ts'

const statuses: Record<WebhookErrorCode, number> = {
  missing_signature: 401,
  malformed_signature: 401,
  signature_mismatch: 401,
  body_parsed: 500,
  body_missing: 400,
  body_too_large: 413,
  body_timeout: 408,
  timestamp_too_old: 400,
  timestamp_too_new: 400,
  invalid_json: 400,
  unexpected_event: 400,
  invalid_payload: 400,
  bad_secret: 500,
  replayed: 200,
}

test.each(Object.entries(statuses))('%s is answered with %d', (code, status) => {
  const error = new WebhookVerificationError(code as WebhookErrorCode)
  expect(error).toMatchObject({ name: 'WebhookVerificationError', code, status })
  // The fields that http-errors, Express, Fastify, Koa and Nest read from an error.
  expect(error).toMatchObject({ statusCode: status, expose: status < 500 })
  expect(error.message).toBe('Webhook refused: ' + code.replaceAll('_', ' '))
  expect(error).toBeInstanceOf(Error)
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code, status })
})

test.each(allBuilds)('nothing secret shows in any rendering of any error: %s', async (_, build) => {
  const marked = 'SECRETKEY-0123456789'
  const body = 'BODYTEXT not json'
  const good = delivery(body, marked).headers
  const digits = good['x-svc-signature'].slice(7)
  const wrong = delivery('other', marked).headers
  const results = [
    await build.verifyResult(body, good, { secret: marked, now }),
    await build.verifyResult(body, wrong, { secret: marked, now }),
    await build.verifyResult(body, wrong, { secret: ' ' + marked, now }),
    await build.verifyResult(body, { 'x-svc-signature': digits }, { secret: marked, now }),
    await build.verifyResult({ text: body } as never, good, { secret: marked, now }),
    await build.verifyResult(body, good, { secret: marked + '\n', now }),
  ]
  expect(results.map((result) => !result.ok && result.error.code)).toEqual([
    'invalid_json',
    'signature_mismatch',
    'signature_mismatch',
    'malformed_signature',
    'body_parsed',
    'bad_secret',
  ])
  for (const result of results) {
    const error = !result.ok && result.error
    const renderings = [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })]
    if (error) renderings.push(error.stack ?? '', error.message, answerTo(error).body)
    for (const rendering of renderings)
      for (const hidden of ['SECRETKEY', 'BODYTEXT', digits.slice(0, 12)])
        expect(rendering).not.toContain(hidden)
  }
})

test('instanceof recognises the errors of another copy, and nothing else', () => {
  class Copy extends Error {}
  Object.defineProperty(Copy.prototype, Symbol.for('@ratecard/webhooks'), { value: 1 })
  expect(new Copy()).toBeInstanceOf(WebhookVerificationError)
  for (const other of [new Error('x'), {}, null, undefined, 'text', 5])
    expect(other instanceof WebhookVerificationError).toBe(false)
})

const text = JSON.stringify(alert)
const pretty = JSON.stringify(alert, null, 2)
test.each([
  ['a line feed was added', text, text + '\n', secret, 'line feed was added'],
  ['a line feed was removed', text + '\n', text, secret, 'line feed at the end of the body was removed'],
  ['LF became CRLF', pretty, pretty.replaceAll('\n', '\r\n'), secret, 'from LF to CRLF'],
  ['CRLF became LF', pretty.replaceAll('\n', '\r\n'), pretty, secret, 'from CRLF to LF'],
  ['the byte order mark was removed', '\ufeff' + text, text, secret, 'mark was removed'],
  ['a byte order mark was added', text, '\ufeff' + text, secret, 'mark was added'],
  ['the secret has a space', text, text, secret + ' ', 'white space or quotes'],
  ['the secret has quotes', text, text, `"${secret}"`, 'white space or quotes'],
])(
  'the hint of a mismatch knows when %s, and the caller is not told',
  async (_, signed, received, key, hint) => {
    const { headers } = delivery(signed)
    for (const build of [builds.node, builds.sync])
      for (const body of [received, Buffer.from(received)]) {
        const result = await build.verifyResult(body, headers, {
          secrets: ['another-secret-of-ours', key],
          now,
        })
        expect(result).toMatchObject({ ok: false, error: { code: 'signature_mismatch' } })
        const error = !result.ok && result.error
        expect(error && error.hint).toContain(hint)
        expect(error && answerTo(error).body).not.toContain(hint)
      }
  },
)

test('a mismatch without a known cause says what to compare, and a large body is not hashed again', async () => {
  const { headers } = delivery('x'.repeat(70_000))
  for (const build of [builds.node, builds.sync, builds.web])
    for (const body of ['something else', 'x'.repeat(70_000) + '\n']) {
      const hint = expect.stringMatching(/^Compare the secret/) as unknown
      expect(await build.verifyResult(body, headers, { secret, now })).toMatchObject({ error: { hint } })
    }
})
