import { describe, expect, test } from 'vitest'
import * as hmacNode from '../src/hmac.node.ts'
import * as hmacWeb from '../src/hmac.web.ts'
import { allBuilds, bytesOf, codeOf, vectors } from './builds.ts'

const badSecrets = ['C6', 'C7', 'octokit', 'short', 'stripe', 'stripe-emoji', 'rfc4231-1', 'rfc4231-2']

describe.each([
  ['web', hmacWeb],
  ['node', hmacNode],
])('the HMAC of the %s build', (_, { hmacHex, matches }) => {
  test.each(vectors)('$id: $note', async (vector) => {
    const hex = vector.signature.slice('sha256='.length)
    expect(await hmacHex(bytesOf(vector), vector.secret)).toBe(hex)
    const other = hex.replace(/^./, (c) => (c === '0' ? '1' : '0'))
    expect(await matches(bytesOf(vector), vector.secret, hex)).toBe(true)
    expect(await matches(bytesOf(vector), vector.secret, other)).toBe(false)
  })
})

test('a claim that is cut short does not live on the one before it', () => {
  for (const vector of vectors) {
    const hex = vector.signature.slice('sha256='.length)
    const matches = (claim: string) => hmacNode.matches(bytesOf(vector), vector.secret, claim)
    expect(matches(hex)).toBe(true)
    for (const claim of ['', hex.slice(0, 1), hex.slice(0, 63)]) expect(matches(claim)).toBe(false)
    expect(matches(hex)).toBe(true)
  }
})

describe.each(allBuilds)('verifySignature of the %s build', (_, build) => {
  test.each(vectors.filter(({ id }) => !badSecrets.includes(id)))('accepts $id', async (vector) => {
    const headers = { 'x-svc-signature': vector.signature }
    await expect(build.verifySignature(bytesOf(vector), headers, vector)).resolves.toEqual({ secretIndex: 0 })
    if (vector.body !== undefined)
      await expect(build.verifySignature(vector.body, headers, vector)).resolves.toEqual({ secretIndex: 0 })
    expect(await build.sign(bytesOf(vector), vector.secret)).toBe(vector.signature)
  })

  test.each(vectors.filter(({ id }) => badSecrets.includes(id)))(
    'refuses the secret of $id',
    async (vector) => {
      const headers = { 'x-svc-signature': vector.signature }
      expect(await codeOf(build.verifySignature(bytesOf(vector), headers, vector))).toBe('bad_secret')
      expect(await codeOf(build.sign(bytesOf(vector), vector.secret))).toBe('bad_secret')
    },
  )

  test('takes no signature of one vector for another body', async () => {
    const [first, ...rest] = vectors.filter(({ id }) => /^[ABD]/.test(id))
    for (const other of rest) {
      const headers = { 'x-svc-signature': first?.signature }
      expect(await codeOf(build.verifySignature(bytesOf(other), headers, { secret: other.secret }))).toBe(
        'signature_mismatch',
      )
    }
  })
})
