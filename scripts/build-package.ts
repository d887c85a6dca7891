import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build, type BuildOptions, type BuildResult, type Metafile, type Plugin } from 'esbuild'
import { rollup, type OutputChunk } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import ts from 'typescript'
import { codeSubpaths, entriesOf, programsOf, readManifest, type Manifest } from './packages/manifest.ts'
import { mapToSources, type MappedFile, type SourceMap } from './packages/source-map.ts'

// Builds the published package of the current folder: `node ../../scripts/build-package.ts`.
// What is built is what `exports` names: `dist/<entry>.js`, `.cjs`, `.d.ts` and `.d.cts` from `src/<entry>.ts`. Nothing is
// minified, and maps lead to the sources that `files` publishes: a stack, a debugger and an editor end in what we wrote.

/** Left as imports. Everything else is bundled: a package has no dependencies. */
const external = ['node:*']

async function buildPackage(folder: string): Promise<void> {
  const manifest = await readManifest(folder)
  const dist = join(folder, 'dist')
  await rm(dist, { recursive: true, force: true })
  await mkdir(dist)
  const [bundled] = await Promise.all([
    bundleCode(folder, manifest),
    rollUpTypes(folder, manifest),
    writeFallbacks(folder, manifest),
  ])
  await writeNotices(folder, bundled)
}

/** ESM entries share chunks. CommonJS entries share only whole entries: esbuild splits no CommonJS. */
async function bundleCode(folder: string, manifest: Manifest): Promise<Metafile['inputs']> {
  const sources = (ending: string) => entriesOf(manifest, ending).map((entry) => `src/${entry}.ts`)
  const common: BuildOptions = {
    absWorkingDir: folder,
    outdir: 'dist',
    bundle: true,
    platform: 'neutral',
    target: ['es2022', 'node20'],
    external,
    write: false,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  }
  // For Node: its `import { … }` of a CommonJS file finds the names.
  const commonJs: BuildOptions = {
    ...common,
    format: 'cjs',
    platform: 'node',
    outExtension: { '.js': '.cjs' },
    // An import on demand becomes a `require` on demand: Jest takes no `import()` in CommonJS.
    supported: { 'dynamic-import': false },
  }
  const onDemand = new Set<string>()
  const [esm, cjs, programs] = await Promise.all([
    build({
      ...common,
      entryPoints: sources('.js'),
      format: 'esm',
      splitting: true,
      chunkNames: 'shared-[hash]',
      metafile: true,
    }),
    build({
      ...commonJs,
      entryPoints: sources('.cjs'),
      plugins: [importsOnDemand(onDemand), importsPackage(manifest, '.cjs')],
    }),
    build({
      ...common,
      entryPoints: programsOf(manifest).map((program) => `src/${program}.ts`),
      format: 'esm',
      platform: 'node',
      plugins: [importsPackage(manifest, '.js')],
      metafile: true,
    }),
  ])
  const later = await build({ ...commonJs, entryPoints: [...onDemand] })
  await Promise.all(
    [esm, cjs, later, programs].flatMap(codeFiles).map((file) => writeMapped(folder, manifest, file, true)),
  )
  return { ...esm.metafile.inputs, ...programs.metafile.inputs }
}

/** What CommonJS imports on demand is a file beside it, as it is a chunk of ESM. */
function importsOnDemand(found: Set<string>): Plugin {
  return {
    name: 'imports-on-demand',
    setup: (plugins) => {
      plugins.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, importer, kind }) => {
        if (kind !== 'dynamic-import') return null
        found.add(join(dirname(importer), path))
        return { path: `./${basename(path, '.ts')}.cjs`, external: true }
      })
    },
  }
}

/** A program, and an entry of CommonJS that passes others on, imports those entries and repeats nothing of them. */
function importsPackage(manifest: Manifest, ending: '.js' | '.cjs'): Plugin {
  const entries = new Set(entriesOf(manifest, ending))
  return {
    name: 'imports-package',
    setup: (plugins) => {
      plugins.onResolve({ filter: /^\.{1,2}\/[\w-]+\.ts$/ }, ({ path, importer }) => {
        const entry = basename(path, '.ts')
        // An entry beside `src/index.ts`, and not a file of the same name in a folder below.
        const isEntry = join(dirname(importer), path) === join(sourceFolder(importer), `${entry}.ts`)
        return isEntry && entries.has(entry) ? { path: `./${entry}${ending}`, external: true } : null
      })
    },
  }
}

/** The folder `src` of the importing file. */
function sourceFolder(importer: string): string {
  return importer.slice(0, importer.lastIndexOf('/src/') + '/src'.length)
}

function codeFiles({ outputFiles = [] }: BuildResult): MappedFile[] {
  return outputFiles
    .filter(({ path }) => !path.endsWith('.map'))
    .map(({ path, text }) => {
      const map = outputFiles.find((other) => other.path === `${path}.map`)
      return { name: basename(path), text, map: JSON.parse(map?.text ?? '') as SourceMap }
    })
}

/** Writes a file of `dist`, and its map beside it. */
async function writeMapped(
  folder: string,
  manifest: Manifest,
  file: MappedFile,
  byLine: boolean,
): Promise<void> {
  const { text, map } = mapToSources(file, manifest, folder, byLine)
  const path = join(folder, 'dist', file.name)
  await writeFile(path, text)
  if (map !== undefined) await writeFile(`${path}.map`, map)
}

/**
 * One set of declarations, `.d.cts`, with shared ones for what entries have in common; a `.d.ts` passes on its
 * `.d.cts`. So a class is the same type whichever entry and whichever format it came from.
 */
async function rollUpTypes(folder: string, manifest: Manifest): Promise<void> {
  // A package may be a program alone.
  if (entriesOf(manifest, '.d.cts').length === 0) return
  const bundle = await rollup({
    input: entriesOf(manifest, '.d.cts').map((entry) => join(folder, `src/${entry}.ts`)),
    external: [/^node:/],
    plugins: [
      dts({
        sourcemap: true,
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
    dir: join(folder, 'dist'),
    sourcemap: true,
    entryFileNames: '[name].d.cts',
    chunkFileNames: 'shared-[name].d.cts',
    minifyInternalExports: false,
    // Types of another package have no source in this tarball: they are in a file of their own, which has no map.
    manualChunks: (id) => otherPackage(id, folder),
  })
  await bundle.close()
  for (const file of output) {
    if (file.type !== 'chunk') continue
    // Rollup names the declarations; an import names the code.
    const text = file.code.replaceAll(/(['"])(\.\/[\w.-]+)\.d\.cts\1/g, '$1$2.cjs$1')
    const path = join(folder, 'dist', file.fileName)
    if (isContract(file) || file.map === null) await writeFile(path, uncommented(text))
    else await writeMapped(folder, manifest, { name: file.fileName, text, map: file.map }, false)
    const entry = file.isEntry ? file.name : ''
    if (entriesOf(manifest, '.d.ts').includes(entry)) {
      await writeFile(join(folder, `dist/${entry}.d.ts`), passingOn(entry, text))
    }
  }
}

/** The name of the published package whose source this is, where it is another one. */
function otherPackage(id: string, folder: string): string | undefined {
  const [, root, name] = /^(.*\/packages\/(?!contract\/)([\w-]+))\/src\//.exec(id) ?? []
  return root === folder ? undefined : name
}

/** `export *` leaves out the default. */
function passingOn(entry: string, declarations: string): string {
  const [, own] = /\b(\w+) as default\b/.exec(declarations) ?? []
  const all = `export * from './${entry}.cjs'\n`
  return own === undefined ? all : `${all}export { ${own} as default } from './${entry}.cjs'\n`
}

/** The types generated from the contract: what their comments say, openapi.json says too. */
function isContract({ moduleIds }: OutputChunk): boolean {
  return moduleIds.some((id) => id.includes('/contract/generated/'))
}

/** Without comments, and indented by two: there is much of it. */
function uncommented(declarations: string): string {
  return declarations
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
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
async function writeNotices(folder: string, inputs: Metafile['inputs']): Promise<void> {
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
      const [file] = (await readdir(path)).filter((one) => /^licen[cs]e(\.\w+)?$/i.test(one))
      if (file === undefined) throw new Error(`${name} ${version} has no licence among its files.`)
      const licence = await readFile(join(path, file), 'utf8')
      return `${name} ${version}\n\n${licence.trim()}\n`
    }),
  )
  const head = 'This package contains code of the following projects.\n'
  await writeFile(file, [head, ...notices].join(`\n${'-'.repeat(72)}\n\n`))
}

await buildPackage(process.cwd())
