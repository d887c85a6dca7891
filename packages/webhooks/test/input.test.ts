import { describe, expect, test } from 'vitest'
import { readData } from '../src/body.ts'
import type { WebhookBody, WebhookHeaders } from '../src/types.ts'
import { alert, allBuilds, builds, codeOf, delivery, now, secret } from './builds.ts'

const { body, headers } = delivery()
const bytes = Buffer.from(body)
const signature = headers['x-svc-signature']
const name = 'x-svc-signature'

/** The bytes in the middle of a larger buffer, at an odd offset. */
function inside(): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length + 20).fill(120)
  larger.set(bytes, 7)
  return larger.subarray(7, 7 + bytes.length)
}

describe.each(allBuilds)('%s', (_, build) => {
  const verify = (given: unknown, from: WebhookHeaders = headers) =>
    build.verify(given as WebhookBody, from, { secret, now })

  test.each([
    ['a string', () => body],
    ['a Buffer', () => bytes],
    ['a Uint8Array with an offset', inside],
    ['a DataView with an offset', () => new DataView(inside().buffer, 7, bytes.length)],
    ['an Int8Array', () => new Int8Array(inside())],
    ['an ArrayBuffer', () => inside().slice().buffer],
  ])('reads a body that is %s', async (_form, make) => {
    await expect(verify(make())).resolves.toEqual(alert)
  })

  test.each([
    ['undefined', undefined, 'body_missing'],
    ['null', null, 'body_missing'],
    ['a parsed object', alert, 'body_parsed'],
    ['an array', [alert], 'body_parsed'],
    ['a number', 5, 'body_parsed'],
    ['a boolean', true, 'body_parsed'],
    ['a Buffer that went through JSON', JSON.parse(JSON.stringify(bytes)), 'body_parsed'],
    ['shared memory', new SharedArrayBuffer(8), 'body_parsed'],
    ['a view of shared memory', new Uint8Array(new SharedArrayBuffer(8)), 'body_parsed'],
  ])('refuses a body that is %s', async (_form, given, code) => {
    expect(await codeOf(verify(given))).toBe(code)
  })

  test('the hint for a parsed body names the fix of each framework', async () => {
    const result = await build.verifyResult(alert as never, headers, { secret, now })
    expect(result).toMatchObject({ ok: false, error: { status: 500 } })
    for (const framework of ['express.raw()', 'Nest', 'Next', 'request.text()'])
      expect(!result.ok && result.error.hint).toContain(framework)
  })

  test.each<[string, WebhookHeaders]>([
    ['a plain object', { [name]: signature }],
    ['a plain object in another case', { 'X-Svc-Signature': signature }],
    ['a plain object with a list', { [name]: [signature] }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { [name]: signature })],
    ['Headers', new Headers({ 'X-SVC-SIGNATURE': signature })],
    ['a Map', new Map([['X-Svc-Signature', signature]])],
    [
      'pairs',
      [
        ['Content-Type', 'application/json'],
        ['X-Svc-Signature', signature],
      ],
    ],
    ['an iterator of pairs', new Map([[name, signature]]).entries()],
  ])('finds the signature in %s', async (_form, from) => {
    await expect(verify(body, from)).resolves.toEqual(alert)
  })

  const twice = new Headers({ [name]: signature })
  twice.append(name, signature)
  test.each<[string, WebhookHeaders]>([
    ['Headers that repeat it', twice],
    ['a list of two', { [name]: [signature, signature] }],
    ['an object with two spellings', { [name]: signature, 'X-Svc-Signature': signature }],
    [
      'pairs that repeat it',
      [
        [name, signature],
        [name, signature],
      ],
    ],
    ['values joined by a comma', { [name]: `${signature}, ${signature}` }],
    ['upper-case hex', { [name]: 'sha256=' + signature.slice(7).toUpperCase() }],
    ['an upper-case scheme', { [name]: 'SHA256=' + signature.slice(7) }],
    ['no scheme', { [name]: signature.slice(7) }],
    ['another scheme', { [name]: 'sha1=' + signature.slice(7) }],
    ['a digit less', { [name]: signature.slice(0, -1) }],
    ['a digit more', { [name]: signature + '0' }],
    ['separators', { [name]: 'sha256=' + (signature.slice(7).match(/../g) ?? []).join(':') }],
    ['letters beyond f', { [name]: 'sha256=zz' }],
    ['nothing behind the scheme', { [name]: 'sha256=' }],
    ['white space before', { [name]: ' ' + signature }],
    ['a line feed behind', { [name]: signature + '\n' }],
    ['an empty value', { [name]: '' }],
    ['a number', { [name]: 5 as never }],
  ])('refuses %s as malformed', async (_form, from) => {
    expect(await codeOf(verify(body, from))).toBe('malformed_signature')
  })

  test.each<[string, WebhookHeaders]>([
    ['an empty object', {}],
    ['an undefined value', { [name]: undefined }],
    ['an empty list', { [name]: [] }],
    ['Headers without it', new Headers()],
    ['another name', { 'x-svc-signature2': signature, 'svc-signature': signature }],
  ])('tells a missing signature: %s', async (_form, from) => {
    expect(await codeOf(verify(body, from))).toBe('missing_signature')
  })
})

describe.each([
  ['web', builds.web],
  ['node', builds.node],
])('a Request in the %s build', (_, build) => {
  const url = 'https://receiver.example'
  const post = (content: NonNullable<RequestInit['body']>, init: RequestInit = {}) =>
    new Request(url, { method: 'POST', headers, body: content, ...init })
  const verify = (request: Request, more = {}) =>
    build.verify(request, request.headers, { secret, now, ...more })

  test('is read', async () => {
    await expect(verify(post(body))).resolves.toEqual(alert)
  })

  test('can be cloned before', async () => {
    const request = post(body)
    await expect(verify(request.clone())).resolves.toEqual(alert)
    await expect(request.json()).resolves.toEqual(alert)
  })

  test('that was read before is refused at once', async () => {
    const request = post(body)
    await request.json()
    expect(await codeOf(verify(request))).toBe('body_parsed')
  })

  test('whose body someone else holds is refused at once', async () => {
    const request = post(body)
    const reader = request.body?.getReader()
    expect(await codeOf(verify(request))).toBe('body_parsed')
    reader?.releaseLock()
  })

  test('is read in pieces, cut inside a character', async () => {
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 3)
          controller.enqueue(new Uint8Array(bytes.subarray(at, at + 3)))
        controller.close()
      },
    })
    await expect(verify(post(pieces, { duplex: 'half' }))).resolves.toEqual(alert)
  })

  test('is read up to its bound and no further', async () => {
    await expect(verify(post(body), { maxBodyBytes: bytes.length })).resolves.toEqual(alert)
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(1_000))
      },
    })
    expect(await codeOf(verify(post(endless, { duplex: 'half' }), { maxBodyBytes: 10_000 }))).toBe(
      'body_too_large',
    )
    expect(pulled).toBeLessThan(20)
  })

  test('without a body is an empty one', async () => {
    const request = new Request(url, { method: 'POST', headers })
    await expect(Promise.resolve(readData(request, {}))).resolves.toHaveProperty('byteLength', 0)
    expect(await codeOf(verify(request))).toBe('signature_mismatch')
  })
})
