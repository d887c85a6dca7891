import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate, generatedFolder } from '../scripts/generate.ts'

const fresh = await generate()

test('nothing but the generated files is in their folder', async () => {
  expect((await readdir(generatedFolder)).sort()).toEqual(Object.keys(fresh).sort())
})

test.each(Object.keys(fresh))('contract/generated/%s is what `pnpm generate` makes', async (name) => {
  expect(await readFile(new URL(name, generatedFolder), 'utf8')).toBe(fresh[name])
})
