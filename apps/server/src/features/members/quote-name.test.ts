import { expect, test } from 'vitest'
import { quoteName } from './quote-name.ts'

test.each([
  ['Acme', '“Acme”'],
  ['Dr. O’Neil & Söhne GmbH (Berlin), Inc.', '“Dr. O’Neil & Söhne GmbH (Berlin), Inc.”'],
  ['日本電気', '“日本電気”'],
  ['Pay now: https://evil.example/pay', '“Pay now https evil example pay”'],
  ['evil.example', '“evil example”'],
  ['evil。example', '“evil example”'],
  ['evil．example', '“evil example”'],
  ['evil․example', '“evil example”'],
  ['mail me@evil.example', '“mail me evil example”'],
  ['a”b\u202eelpmaxe.live', '“a b elpmaxe live”'],
  ['<a href="x">', '“a href x”'],
  ['...', '“.”'],
  ['x'.repeat(100), `“${'x'.repeat(60)}…”`],
])('%s is written %s', (name, quoted) => {
  expect(quoteName(name)).toBe(quoted)
})
