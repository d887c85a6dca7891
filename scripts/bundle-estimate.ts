import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// Writes what the server needs of `@ratecard/cost` as one file of JavaScript. A deployed server has its packages below
// node_modules, where Node runs no TypeScript, and nothing of it is built.

const root = fileURLToPath(new URL('../', import.meta.url))
const source = 'packages/cost/src/estimate.ts'
const out = 'apps/server/src/http/html/generated/estimate'

await build({
  absWorkingDir: root,
  entryPoints: [source],
  outfile: `${out}.js`,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node24',
  legalComments: 'none',
})
const up = '../'.repeat(out.split('/').length - 1)
await writeFile(join(root, `${out}.d.ts`), `export * from '${up}${source}'\n`)
