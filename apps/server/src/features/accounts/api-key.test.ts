import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWellFormedKey, keyPrefix } from '@ratecard/contract/api-key'
import { generateApiKey, hashApiKey } from './api-key.ts'

const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

describe('a key', () => {
  test('begins with rc_live_, holds at least 160 random bits and ends with a checksum', () => {
    const keys = Array.from({ length: 500 }, generateApiKey)
    for (const key of keys) {
      expect(key).toMatch(/^rc_live_[0-9A-Za-z]{36}$/)
      expect(isWellFormedKey(key)).toBe(true)
    }
    expect(new Set(keys.map((key) => key.slice(keyPrefix.length, -6))).size).toBe(500)
    expect(30 * Math.log2(62)).toBeGreaterThan(160)
  })

  test('mistyped in one place is never well-formed', () => {
    const typo = fc.record({
      position: fc.nat(43),
      character: fc.constantFrom(...alphabet),
      kind: fc.constantFrom('replace', 'insert', 'remove', 'swap'),
    })
    fc.assert(
      fc.property(typo, ({ position, character, kind }) => {
        const key = generateApiKey()
        const [before, here, next, after] = [
          key.slice(0, position),
          key[position] ?? '',
          key[position + 1] ?? '',
          key.slice(position + 2),
        ]
        const altered = {
          replace: before + character + next + after,
          insert: before + character + here + next + after,
          remove: before + next + after,
          swap: before + next + here + after,
        }[kind]
        expect(isWellFormedKey(altered)).toBe(altered === key)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each(['', 'rc_live_', 'rc_test_', 'x'])('%j alone is none', (text) => {
    expect(isWellFormedKey(text)).toBe(false)
  })

  test('has nothing around it', () => {
    const key = generateApiKey()
    for (const text of [` ${key}`, `${key} `, `${key}\n`, `\n${key}`, key.toUpperCase(), key.toLowerCase()]) {
      expect(isWellFormedKey(text)).toBe(false)
    }
  })

  test('any text is judged without failing, and random text is not well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isWellFormedKey(text)).toBe(false)
        expect(isWellFormedKey(keyPrefix + text)).toBe(false)
      }),
    )
  })

  test('is stored as its SHA-256', () => {
    const key = generateApiKey()
    expect(hashApiKey(key).toString('hex')).toBe(createHash('sha256').update(key, 'utf8').digest('hex'))
  })
})
