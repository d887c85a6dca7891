import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'

// Writes what the server needs of published packages, each part as one file of JavaScript. A deployed server has its
// packages below node_modules, where Node runs no TypeScript, and nothing of it is built.

const root = fileURLToPath(new URL('../', import.meta.url))

const bundles = [
  { source: 'packages/cost/src/estimate.ts', out: 'apps/server/src/http/html/generated/estimate' },
  // Its types stand alone: what it imports is found in its own package only.
  {
    source: 'packages/mcp/src/remote.ts',
    out: 'apps/server/src/http/mcp/generated/remote',
    standsAlone: true,
  },
]

for (const { source, out, standsAlone = false } of bundles) {
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: `${out}.js`,
    bundle: true,
    // The server has these itself.
    external: ['@modelcontextprotocol/sdk/*', 'zod', 'node:*'],
    format: 'esm',
    platform: 'neutral',
    target: 'node24',
    legalComments: 'none',
  })
  const up = '../'.repeat(out.split('/').length - 1)
  const declarations = standsAlone
    ? ts.transpileDeclaration(await readFile(join(root, source), 'utf8'), {}).outputText
    : `export * from '${up}${source}'\n`
  await writeFile(join(root, `${out}.d.ts`), declarations)
}
