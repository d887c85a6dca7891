import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseForeignJson } from './parse-json.ts'

test('what JSON.parse reads is read alike', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseForeignJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each(['"[[[["', `["${'\\\\"[,'.repeat(3)}"]`, String.raw`{"a\\":"b\"[{,"}`, '"'])(
  'brackets in strings open nothing: %s',
  (text) => {
    const parsed = () => parseForeignJson(text)
    try {
      expect(parsed()).toEqual(JSON.parse(text))
    } catch {
      expect(parsed).toThrow(SyntaxError)
    }
  },
)

test.each([
  ['nesting', '['.repeat(10_000_000)],
  ['objects', `[${'{},'.repeat(6_000_000)}{}]`],
  ['commas', ','.repeat(20_000_000)],
])('%s without end is refused', (_name, text) => {
  expect(() => parseForeignJson(text)).toThrow('Is this the list of prices?')
})

test('what is no JSON is told by JSON.parse', () => {
  for (const text of ['', 'x', '{', '"', '"\\', ']]', `"${'a'.repeat(100)}`])
    expect(() => parseForeignJson(text)).toThrow(SyntaxError)
})
