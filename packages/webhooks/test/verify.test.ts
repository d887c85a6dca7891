import { describe, expect, test } from 'vitest'
import { WebhookVerificationError } from '../src/error.ts'
import { alert, allBuilds, codeOf, delivery, now, secret, time } from './builds.ts'

const at = (seconds: number) => new Date(time + seconds * 1_000)
const stamped = (date: Date) =>
  delivery(JSON.stringify({ ...alert, timestamp: date.toISOString().replace('Z', '000Z') }))

describe.each(allBuilds)('%s: age', (_, build) => {
  const verify = (date: Date, options = {}) => {
    const { body, headers } = stamped(date)
    return build.verify(body, headers, { secret, now, ...options })
  }

  test.each([
    [-300, 'ok'],
    [-300.001, 'timestamp_too_old'],
    [300, 'ok'],
    [300.001, 'timestamp_too_new'],
    [-86_400 * 3_650, 'timestamp_too_old'],
    [86_400 * 3_650, 'timestamp_too_new'],
  ])('five minutes both ways: %d s', async (seconds, code) => {
    const verification = verify(at(seconds))
    if (code === 'ok') expect((await verification).changes).toEqual(alert.changes)
    else expect(await codeOf(verification)).toBe(code)
  })

  test('the tolerance can be chosen, zero too, and Infinity switches it off', async () => {
    expect(await codeOf(verify(at(-2), { toleranceSeconds: 1 }))).toBe('timestamp_too_old')
    await expect(verify(at(0), { toleranceSeconds: 0 })).resolves.toBeDefined()
    expect(await codeOf(verify(at(0.001), { toleranceSeconds: 0 }))).toBe('timestamp_too_new')
    await expect(verify(at(-1e9), { toleranceSeconds: Infinity })).resolves.toBeDefined()
  })

  test.each([NaN, -1, -Infinity, 'soon'])(
    'a tolerance of %s is a mistake in the program',
    async (toleranceSeconds) => {
      await expect(verify(at(0), { toleranceSeconds })).rejects.toThrow(TypeError)
    },
  )

  test('the clock may be a Date or a number, and must tell a time', async () => {
    await expect(verify(at(60), { now: () => at(60) })).resolves.toBeDefined()
    await expect(verify(at(60), { now: () => +at(60) })).resolves.toBeDefined()
    expect(await codeOf(verify(at(0), { now: () => 0 }))).toBe('timestamp_too_new')
    await expect(verify(at(0), { now: () => NaN })).rejects.toThrow(TypeError)
    await expect(verify(at(0), { now: () => new Date('never') })).rejects.toThrow(TypeError)
  })

  test('the clock is the real one unless told', async () => {
    await expect(verify(new Date(), { now: undefined })).resolves.toBeDefined()
    expect(await codeOf(verify(new Date(Date.now() - 600_000), { now: undefined }))).toBe('timestamp_too_old')
  })

  test('is judged after the signature: an unsigned body tells nothing of the clock', async () => {
    const { body } = stamped(at(-1e6))
    const { headers } = delivery('something else')
    expect(await codeOf(build.verify(body, headers, { secret, now }))).toBe('signature_mismatch')
  })
})

describe.each(allBuilds)('%s: secrets', (_, build) => {
  const { body, headers } = delivery()
  const other = 'some-other-secret-of-ours'

  test.each([
    [{ secrets: [secret, other] }, 0],
    [{ secrets: [other, secret] }, 1],
    [{ secrets: [other, other + '2', secret] }, 2],
    [{ secret }, 0],
  ])('tells which one signed: %j', async (options, secretIndex) => {
    await expect(build.verifySignature(body, headers, options)).resolves.toEqual({ secretIndex })
    await expect(build.verifyResult(body, headers, { ...options, now })).resolves.toEqual({
      ok: true,
      event: alert,
      secretIndex,
    })
  })

  test('none of several is a mismatch', async () => {
    expect(await codeOf(build.verify(body, headers, { secrets: [other, other + '2'], now }))).toBe(
      'signature_mismatch',
    )
  })

  test.each([
    ['undefined', undefined],
    ['empty', ''],
    ['of 15 characters', 'x'.repeat(15)],
    ['of 15 emoji, which are 30 UTF-16 units', '😀'.repeat(15)],
    ['of 513 characters', 'x'.repeat(513)],
    ['with a line feed at its end', secret + '\n'],
    ['with a NUL', secret + '\0'],
    ['with a C1 control character', secret + '\u0085'],
    ['a number', 1234567890123456 as never],
  ])('a secret that is %s is refused', async (_name, bad) => {
    expect(await codeOf(build.verify(body, headers, { secret: bad, now }))).toBe('bad_secret')
    expect(await codeOf(build.verify(body, headers, { secrets: [secret, bad], now }))).toBe('bad_secret')
    const result = await build.verifyResult(body, headers, { secret: bad, now })
    expect(!result.ok && result.error.hint).toContain(bad ? '16 to 512' : 'not set')
  })

  test('no secret at all is refused', async () => {
    expect(await codeOf(build.verify(body, headers, { secrets: [], now }))).toBe('bad_secret')
    expect(await codeOf(build.verify(body, headers, {}))).toBe('bad_secret')
  })

  test.each(['x'.repeat(16), 'x'.repeat(512), '😀'.repeat(16), '😀'.repeat(512), ' spaces are characters '])(
    'a secret by the rule of the service works: %#',
    async (key) => {
      const signed = delivery(body, key)
      await expect(build.verify(body, signed.headers, { secret: key, now })).resolves.toEqual(alert)
      expect(await codeOf(build.verify(body, headers, { secret: key, now }))).toBe('signature_mismatch')
    },
  )
})

describe.each(allBuilds)('%s: content', (_, build) => {
  const verify = (body: string | Uint8Array) => {
    const signed = delivery(body)
    return build.verify(body, signed.headers, { secret, now })
  }
  const bom = '\ufeff' + JSON.stringify(alert)

  test.each([
    ['nothing', '', 'invalid_json'],
    ['no JSON', 'hello', 'invalid_json'],
    ['a byte order mark', bom, 'invalid_json'],
    ['a byte order mark in bytes', Buffer.from(bom), 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe]), 'invalid_json'],
    [
      'invalid UTF-8 inside a string',
      Buffer.from(JSON.stringify(alert).replace('Z', '\xff'), 'latin1'),
      'invalid_json',
    ],
    ['null', 'null', 'invalid_payload'],
    ['a list', '[]', 'invalid_payload'],
    ['no event', '{}', 'invalid_payload'],
    ['another event', JSON.stringify({ ...alert, event: 'price.alert' }), 'unexpected_event'],
    ['no changes', JSON.stringify({ ...alert, changes: [] }), 'invalid_payload'],
    [
      'a severity in words',
      JSON.stringify({ ...alert, changes: [{ ...alert.changes[0], severity: 'high' }] }),
      'invalid_payload',
    ],
    ['a timestamp in a list', JSON.stringify({ ...alert, timestamp: [alert.timestamp] }), 'invalid_payload'],
  ])('signed %s is refused with a code', async (_name, body, code) => {
    expect(await codeOf(verify(body))).toBe(code)
    const signed = delivery(body)
    await expect(build.verifySignature(body, signed.headers, { secret })).resolves.toEqual({ secretIndex: 0 })
  })

  test('the hint names the part that is wrong', async () => {
    const { body, headers } = delivery(
      JSON.stringify({ ...alert, changes: [alert.changes[0], { ...alert.changes[0], severity: 9 }] }),
    )
    expect(await build.verifyResult(body, headers, { secret, now })).toMatchObject({
      error: { hint: 'changes[1]' },
    })
  })

  test('fields that are not known yet survive, at both levels', async () => {
    const later = {
      ...alert,
      region: 'eu',
      changes: [{ ...alert.changes[0], tags: ['a'], category: 'new_kind' }],
    }
    await expect(verify(JSON.stringify(later))).resolves.toEqual(later)
  })

  test('a text with a lone surrogate is not the text whose replacement was signed', async () => {
    const { headers } = delivery('"\ufffd"')
    await expect(build.verifySignature('"\ufffd"', headers, { secret })).resolves.toBeDefined()
    expect(await codeOf(build.verifySignature('"\ud800"', headers, { secret }))).toBe('signature_mismatch')
  })

  test('bytes that only decode to the signed text are refused', async () => {
    const { headers } = delivery('\ufffd\ufffd')
    expect(await codeOf(build.verifySignature(Buffer.from([0xff, 0xfe]), headers, { secret }))).toBe(
      'signature_mismatch',
    )
  })
})

describe.each(allBuilds)('%s: replay', (_, build) => {
  const body = JSON.stringify(alert)
  const { headers } = delivery(body)

  test('seen is asked with the ids, last, and a truthy answer refuses', async () => {
    const keys: unknown[] = []
    const seen = (...args: unknown[]) => keys.push(args) > 1
    await expect(build.verify(body, headers, { secret, now, seen })).resolves.toEqual(alert)
    expect(keys).toEqual([['["chg_1"]', alert]])
    const again = stamped(at(200))
    const result = await build.verifyResult(again.body, again.headers, { secret, now, seen })
    expect(result).toMatchObject({ ok: false, error: { code: 'replayed', status: 200 } })
    expect(keys[1]).toEqual(['["chg_1"]', expect.anything()])
  })

  test('seen is not asked about what is refused anyway', async () => {
    const seen = () => {
      throw new Error('asked')
    }
    expect(await codeOf(build.verify(body + ' ', headers, { secret, now, seen }))).toBe('signature_mismatch')
    const old = stamped(at(-999))
    expect(await codeOf(build.verify(old.body, old.headers, { secret, now, seen }))).toBe('timestamp_too_old')
  })

  test('a store that fails lets nothing in: its error is passed on', async () => {
    const seen = () => {
      throw new RangeError('store is down')
    }
    await expect(build.verify(body, headers, { secret, now, seen })).rejects.toThrow(RangeError)
    await expect(build.verifyResult(body, headers, { secret, now, seen })).rejects.toThrow(RangeError)
  })
})

test('seen may answer later, but not for the synchronous variant', async () => {
  const { body, headers } = delivery()
  const seen = () => Promise.resolve(true)
  for (const [name, build] of allBuilds) {
    const verification = build.verify(body, headers, { secret, now, seen })
    if (name === 'sync') await expect(verification).rejects.toThrow(TypeError)
    else await expect(verification).rejects.toThrow(WebhookVerificationError)
  }
})
