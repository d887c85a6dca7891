import { readFile, writeFile } from 'node:fs/promises'

// The version that requests name, from package.json, which a release moves.

const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
const { version } = JSON.parse(manifest) as { version: string }
await writeFile(
  new URL('../src/version.ts', import.meta.url),
  `/** The version of this package, as in its package.json. */\nexport const version = '${version}'\n`,
)
