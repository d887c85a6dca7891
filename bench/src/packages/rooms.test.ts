import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { leadsToSource } from './rooms.ts'

let folder = ''
before(async () => (folder = await mkdtemp(join(tmpdir(), 'ratecard-bundle-'))))
after(() => rm(folder, { recursive: true }))

async function leads(link: string, map?: object): Promise<boolean> {
  const file = join(folder, 'code.js')
  await writeFile(file, `code()\n${link}`)
  await rm(`${file}.map`, { force: true })
  if (map) await writeFile(`${file}.map`, JSON.stringify(map))
  return leadsToSource(file)
}
const link = '//# sourceMappingURL=code.js.map\n'

void test('a map leads to source that it has itself, or that is in the package', async () => {
  await writeFile(join(folder, 'code.ts'), 'code()')
  assert.equal(await leads(link, { sources: ['../gone.ts'], sourcesContent: ['code()'] }), true)
  assert.equal(await leads(link, { sources: ['code.ts'] }), true)
})

void test('it leads nowhere when a source, the map or the link to it is missing', async () => {
  assert.equal(
    await leads(link, { sources: ['code.ts', '../gone.ts'], sourcesContent: ['code()', null] }),
    false,
  )
  assert.equal(await leads(link), false)
  assert.equal(await leads('', { sources: ['code.ts'] }), false)
})
