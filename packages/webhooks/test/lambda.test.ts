import { describe, expect, test } from 'vitest'
import type { LambdaEvent } from '../src/lambda.ts'
import { ratecardWebhook } from '../src/lambda.ts'
import { alert, delivery, now, secret } from './builds.ts'

const { body, headers } = delivery()
const text = JSON.stringify(alert)
const base64 = Buffer.from(body).toString('base64')
const given = { 'X-Svc-Signature': headers['x-svc-signature'], 'content-type': 'application/json' }

const shapes: [string, (method: string, more: object) => LambdaEvent][] = [
  [
    'API Gateway 1.0',
    (httpMethod, more) => ({
      ...{
        version: '1.0',
        resource: '/hooks',
        path: '/hooks',
        httpMethod,
        headers: given,
        isBase64Encoded: false,
      },
      multiValueHeaders: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]])),
      body: text,
      ...more,
    }),
  ],
  [
    'API Gateway 2.0 and function URLs',
    (method, more) => ({
      ...{ version: '2.0', routeKey: '$default', rawPath: '/hooks', headers: given, isBase64Encoded: false },
      requestContext: { http: { method } },
      body: text,
      ...more,
    }),
  ],
]

describe.each(shapes)('%s', (_, make) => {
  const options = { secret, now, onError: () => {} }
  const receive = ratecardWebhook(options, () => {})
  const refused = async (incoming: LambdaEvent) => {
    const { statusCode, body: answer } = await ratecardWebhook(options, () => expect.unreachable())(incoming)
    return [statusCode, (JSON.parse(answer ?? '') as { error: string }).error]
  }

  test('a signed alert is handled: 204 unless the handler answers', async () => {
    expect(await receive(make('POST', {}))).toEqual({ statusCode: 204 })
    const answering = ratecardWebhook(options, (event, incoming, context: { id: string }) => ({
      statusCode: 202,
      body: `${event.changes.length} ${incoming.body?.length} ${context.id}`,
    }))
    expect(await answering(make('POST', {}), { id: 'c' })).toEqual({
      statusCode: 202,
      body: `1 ${text.length} c`,
    })
  })

  test('a body in base64 is decoded to its bytes', async () => {
    expect(await receive(make('POST', { body: base64, isBase64Encoded: true }))).toEqual({ statusCode: 204 })
  })

  test.each([
    ['a wrong signature', { body: text + ' ' }, 401, 'signature_mismatch'],
    ['no headers', { headers: null, multiValueHeaders: null }, 401, 'missing_signature'],
    ['no body', { body: null }, 401, 'signature_mismatch'],
    ['a parsed body', { body: alert }, 500, 'body_parsed'],
    ['broken base64', { body: '%%%', isBase64Encoded: true }, 400, 'body_missing'],
    ['too large a body', { body: 'x'.repeat(2 ** 20 + 1) }, 413, 'body_too_large'],
    ['too large a body in bytes', { body: 'é'.repeat(2 ** 19 + 1) }, 413, 'body_too_large'],
    [
      'too large a body in base64',
      { body: 'A'.repeat(1_400_000), isBase64Encoded: true },
      413,
      'body_too_large',
    ],
  ])('refuses %s', async (_case, more, status, error) => {
    expect(await refused(make('POST', more))).toEqual([status, error])
  })

  test('takes POST alone', async () => {
    expect(await refused(make('GET', { body: null }))).toEqual([405, 'method_not_allowed'])
  })

  test("the handler's error is passed on, so that Lambda counts it", async () => {
    const failing = ratecardWebhook(options, () => Promise.reject(new Error('mine')))
    await expect(failing(make('POST', {}))).rejects.toThrow('mine')
  })
})

test('a signature that came twice is refused', async () => {
  const receive = ratecardWebhook({ secret, now, onError: () => {} }, () => expect.unreachable())
  const twice = [headers['x-svc-signature'], headers['x-svc-signature']]
  const result = await receive({
    httpMethod: 'POST',
    headers: given,
    multiValueHeaders: { 'x-svc-signature': twice },
    body: text,
  })
  expect(result.body).toContain('malformed_signature')
})
