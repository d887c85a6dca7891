import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, type BuildOptions, type Metafile } from 'esbuild'
import { rollup, type OutputChunk } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import ts from 'typescript'
import { codeSubpaths, entriesOf, readManifest, type Manifest } from './packages/manifest.ts'

// Builds the published package of the current folder: `node ../../scripts/build-package.ts [--minify]`.
// What is built is what `exports` names: `dist/<entry>.js`, `.cjs`, `.d.ts` and `.d.cts` from `src/<entry>.ts`.

/** Left as imports. Everything else is bundled, so that a package has no dependencies. */
const external = ['node:*']

async function buildPackage(folder: string, minify: boolean): Promise<void> {
  const manifest = await readManifest(folder)
  const dist = join(folder, 'dist')
  await rm(dist, { recursive: true, force: true })
  await mkdir(dist)
  const [bundled] = await Promise.all([
    bundleCode(folder, manifest, minify),
    rollUpTypes(folder, manifest),
    writeFallbacks(folder, manifest),
  ])
  await writeNotices(folder, bundled)
}

/** ESM entries share chunks. CommonJS entries stand alone: esbuild splits no CommonJS. */
async function bundleCode(folder: string, manifest: Manifest, minify: boolean): Promise<Metafile> {
  const sources = (ending: string) => entriesOf(manifest, ending).map((entry) => `src/${entry}.ts`)
  const common: BuildOptions = {
    absWorkingDir: folder,
    outdir: 'dist',
    bundle: true,
    platform: 'neutral',
    target: ['es2022', 'node20'],
    external,
    minify,
    legalComments: 'none',
    logLevel: 'warning',
  }
  const [esm] = await Promise.all([
    build({
      ...common,
      entryPoints: sources('.js'),
      format: 'esm',
      splitting: true,
      chunkNames: 'shared-[hash]',
      metafile: true,
    }),
    // For Node, so that `import { … }` of a CommonJS file finds the names.
    build({
      ...common,
      entryPoints: sources('.cjs'),
      format: 'cjs',
      platform: 'node',
      outExtension: { '.js': '.cjs' },
    }),
  ])
  return esm.metafile
}

/**
 * One set of declarations, `.d.cts`, with shared ones for what entries have in common; a `.d.ts` passes on its
 * `.d.cts`. So a class is the same type whichever entry and whichever format it came from.
 */
async function rollUpTypes(folder: string, manifest: Manifest): Promise<void> {
  const bundle = await rollup({
    input: entriesOf(manifest, '.d.cts').map((entry) => join(folder, `src/${entry}.ts`)),
    external: [/^node:/],
    plugins: [
      dts({
        tsconfig: join(folder, 'tsconfig.json'),
        // The plugin's own default knows no `exports`.
        compilerOptions: { moduleResolution: ts.ModuleResolutionKind.Bundler },
        includeExternal: ['@ratecard/contract'],
      }),
    ],
    onwarn: (warning) => {
      throw new Error(`The types of ${basename(folder)} do not roll up: ${warning.message}`)
    },
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].d.cts',
    chunkFileNames: 'shared-[name].d.cts',
    minifyInternalExports: false,
  })
  await bundle.close()
  for (const file of output) {
    if (file.type !== 'chunk') continue
    // Rollup names the declarations; an import names the code.
    const code = file.code.replaceAll(/(['"])(\.\/[\w.-]+)\.d\.cts\1/g, '$1$2.cjs$1')
    await writeFile(
      join(folder, 'dist', file.fileName),
      halfIndented(isContract(file) ? uncommented(code) : code),
    )
  }
  for (const entry of entriesOf(manifest, '.d.ts')) {
    await writeFile(join(folder, `dist/${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
  }
}

/** The types generated from the contract: what their comments say, openapi.json says too. */
function isContract({ moduleIds }: OutputChunk): boolean {
  return moduleIds.some((id) => id.includes('/contract/generated/'))
}

function uncommented(declarations: string): string {
  return declarations.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
}

/** TypeScript indents by four. */
function halfIndented(declarations: string): string {
  return declarations.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
}

/** A folder per subpath, for resolvers older than `exports` (TypeScript's `node10`, webpack 4, Metro). */
async function writeFallbacks(folder: string, manifest: Manifest): Promise<void> {
  for (const subpath of codeSubpaths(manifest)) {
    if (subpath === '.') continue
    const entry = basename(subpath)
    const own = join(folder, subpath)
    const hasEsm = entriesOf(manifest, '.js').includes(entry)
    const fallback = {
      main: `../dist/${entry}.cjs`,
      ...(hasEsm && { module: `../dist/${entry}.js` }),
      types: `../dist/${entry}.d.cts`,
      sideEffects: false,
    }
    await rm(own, { recursive: true, force: true })
    await mkdir(own)
    await writeFile(join(own, 'package.json'), `${JSON.stringify(fallback, null, 2)}\n`)
  }
}

/** The licences of what was bundled, word for word, as they ask for. */
async function writeNotices(folder: string, { inputs }: Metafile): Promise<void> {
  const packages = new Set<string>()
  for (const input of Object.keys(inputs)) {
    const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (found !== undefined) packages.add(join(folder, found))
  }
  const file = join(folder, 'THIRD-PARTY-NOTICES.txt')
  await rm(file, { force: true })
  if (packages.size === 0) return
  const notices = await Promise.all(
    [...packages].sort().map(async (path) => {
      const { name, version } = await readManifest(path)
      const licence = await readFile(join(path, 'LICENSE'), 'utf8')
      return `${name} ${version}\n\n${licence.trim()}\n`
    }),
  )
  const head = 'This package contains code of the following projects.\n'
  await writeFile(file, [head, ...notices].join(`\n${'-'.repeat(72)}\n\n`))
}

const { values } = parseArgs({ options: { minify: { type: 'boolean', default: false } } })
await buildPackage(process.cwd(), values.minify)
