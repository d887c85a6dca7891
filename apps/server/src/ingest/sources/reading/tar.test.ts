import { expect, test } from 'vitest'
import { tarArchive } from '../../../../test/support/tar-archive.ts'
import { readTar } from './tar.ts'

const files = { 'pricing/openai.json': '{"price": "0.30 €"}', empty: '', long: 'x'.repeat(1_300) }
const expected = Object.entries(files).map(([path, text]) => ({ path, text, changedAt: 0o15154401600 }))

test('gives every file with its path and text', () => {
  expect(readTar(tarArchive(files))).toEqual(expected)
})

test('long names stand in two fields, and what is no file is left out', () => {
  const bytes = tarArchive({ 'models-main': '', 'openai.json': '{}' })
  bytes.write('5', 156) // a folder
  bytes.write('models-main/pricing', 512 + 345)
  expect(readTar(bytes)).toEqual([
    { path: 'models-main/pricing/openai.json', text: '{}', changedAt: 0o15154401600 },
  ])
})

test.each([
  ['of another kind', Buffer.from('<!doctype html>'.padEnd(600))],
  ['cut off', tarArchive(files).subarray(0, 600)],
  ['with a size that is none', tarArchive({ a: 'b' }).fill('z', 124, 135)],
])('a file %s is refused', (_, bytes) => {
  expect(() => readTar(bytes)).toThrow(/not a whole tar archive/)
})
