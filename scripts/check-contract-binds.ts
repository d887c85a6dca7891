import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Proves that the contract binds the server: with a field renamed in the generated types the server must not
// compile, and with the types as they are it must.

const root = fileURLToPath(new URL('../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

const renames: [what: string, from: RegExp, to: string][] = [
  ['a served field', /\binput_per_mtok\b/g, 'input_per_million'],
  ['a query parameter', /\bmin_severity\b/g, 'severity_min'],
  ['an operationId', /\blistPrices\b/g, 'queryPrices'],
  ['a body field', /\bnext_cursor\b/g, 'cursor_next'],
  ['an error code', /"quota_exceeded"/g, '"quota_used_up"'],
]

const types = await readFile(join(root, 'packages/contract/generated/types.ts'), 'utf8')
const index = await readFile(join(root, 'packages/contract/src/index.ts'), 'utf8')
// Inside the server's folder, so that packages resolve as they do for the server.
const folder = await mkdtemp(join(root, 'apps/server/.contract-binds-'))
const problems: string[] = []
try {
  if (!(await compiles(types))) problems.push('The server does not compile with the contract as it is.')
  for (const [what, from, to] of renames) {
    const renamed = types.replaceAll(from, to)
    if (renamed === types) problems.push(`The contract has no ${from.source} to rename.`)
    else if (await compiles(renamed))
      problems.push(`The server compiles although ${what} (${from.source}) was renamed.`)
    else console.log(`renaming ${what} breaks the compile, as it must`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

async function compiles(text: string): Promise<boolean> {
  await writeFile(join(folder, 'types.ts'), text)
  await writeFile(join(folder, 'index.ts'), index.replaceAll('../generated/types.ts', './types.ts'))
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { paths: { '@ratecard/contract': ['./index.ts'] } },
      include: ['../src', '../test', './index.ts'],
    }),
  )
  return promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    () => true,
    () => false,
  )
}
