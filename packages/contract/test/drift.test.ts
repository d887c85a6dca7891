import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate, generatedFolder } from '../scripts/generate.ts'

const fresh = await generate()

test('nothing but the generated files is in their folder', async () => {
  expect((await readdir(generatedFolder)).sort()).toEqual(Object.keys(fresh).sort())
})

test.each(Object.keys(fresh))('generated/%s is what `pnpm generate` makes', async (name) => {
  expect(await readFile(new URL(name, generatedFolder), 'utf8')).toBe(fresh[name])
})

test('a schema has the same name in src/index.ts', async () => {
  const index = await readFile(new URL('../src/index.ts', import.meta.url), 'utf8')
  const aliases = [...index.matchAll(/^export type (\w+) = Schemas\['(\w+)'\]$/gm)]
  expect(aliases.length).toBeGreaterThan(10)
  expect(aliases.map(([, alias]) => alias)).toEqual(aliases.map(([, , name]) => name))
})
