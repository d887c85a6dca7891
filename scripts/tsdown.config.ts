import { writeFile } from 'node:fs/promises'
import { join, matchesGlob, relative, resolve } from 'node:path'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { licensePlugin } from 'rolldown-license-plugin'
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown'
import { codeSubpaths, listEntries, listPrograms, readManifest, type Manifest } from './packages/manifest.ts'

// Builds the published package of the current folder: what its `exports` and `bin` name, from `src/<entry>.ts`. Nothing is
// minified, and maps lead to the sources that `files` publishes: a stack, a debugger and an editor end in what we wrote.

const folder = process.cwd()
const contract = join(import.meta.dirname, '../packages/contract/src')

export default defineConfig(async () => {
  const manifest = await readManifest(folder)
  const isProgram = codeSubpaths(manifest).length === 0
  const entries = (names: string[]) => Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
  const common: UserConfig = {
    cwd: folder,
    platform: isProgram ? 'node' : 'neutral',
    target: ['es2022', 'node20'],
    // A package has no dependencies: all but Node's own modules is bundled.
    deps: { neverBundle: [/^node:/], onlyBundle: false },
    fixedExtension: false,
    minify: false,
    sourcemap: !isProgram,
    dts: false,
    clean: ['dist', 'THIRD-PARTY-NOTICES.txt'],
    report: false,
    logLevel: 'warn',
    failOnWarn: true,
    checks: { legacyCjs: false, bundlerTimings: false },
    outputOptions: {
      exports: 'named',
      codeSplitting: !isProgram,
      minifyInternalExports: false,
      sourcemapExcludeSources: true,
      comments: { annotation: true, jsdoc: false, legal: false },
      // An import on demand becomes a `require` on demand: Jest takes no `import()` in CommonJS.
      dynamicImportInCjs: false,
    },
  }
  const configs: UserConfig[] = [
    {
      ...common,
      entry: entries([...listEntries(manifest, '.js'), ...listPrograms(manifest)]),
      format: 'esm',
      plugins: [notices(), thinMaps(manifest, true)],
    },
    {
      ...common,
      entry: entries(listEntries(manifest, '.cjs')),
      format: 'cjs',
      plugins: [thinMaps(manifest, true)],
    },
    {
      ...common,
      entry: entries(listEntries(manifest, '.d.cts')),
      format: 'esm',
      dts: {
        dtsOnly: true,
        sourcemap: true,
        compilerOptions: {
          module: 'preserve',
          moduleResolution: 'bundler',
          // TypeScript writes no declarations of what it found in node_modules.
          paths: {
            '@ratecard/contract': [`${contract}/index.ts`],
            '@ratecard/contract/*': [`${contract}/*`],
          },
        },
      },
      outExtensions: () => ({ js: '.cjs', dts: '.d.cts' }),
      outputOptions: {
        minifyInternalExports: false,
        codeSplitting: { groups: [{ name: 'shared.d', minShareCount: 2 }] },
      },
      plugins: [uncommented(), passOn(listEntries(manifest, '.d.ts')), thinMaps(manifest, false)],
    },
  ]
  return configs.filter(({ entry = {} }) => Object.keys(entry).length > 0)
})

/** The types generated from the contract: what their comments say, openapi.json says too, and there is much of it. */
function uncommented(): Rolldown.Plugin {
  return {
    name: 'uncommented',
    transform: {
      order: 'pre',
      filter: { id: /\/contract\/generated\/.*\.d\.ts$/ },
      handler: (code) => ({ code: code.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''), map: null }),
    },
  }
}

/**
 * A `.d.ts` passes on its `.d.cts`: a class is the same type whichever entry and whichever format it came from. The default
 * is passed on by its own name: what ESM takes for the default of CommonJS is all of it.
 */
function passOn(names: string[]): Rolldown.Plugin {
  return {
    name: 'pass-on',
    generateBundle(_options, bundle) {
      for (const name of names) {
        const declarations = bundle[`${name}.d.cts`]
        const code = declarations?.type === 'chunk' ? declarations.code : ''
        const [, own] = /\b(\w+) as default\b/.exec(code) ?? []
        const all = `export * from './${name}.cjs'\n`
        const source = own === undefined ? all : `${all}export { ${own} as default } from './${name}.cjs'\n`
        this.emitFile({ type: 'asset', fileName: `${name}.d.ts`, source })
      }
    },
  }
}

/** Takes from maps what leads to sources that are not published, and all but the first mapping of a line of code. */
function thinMaps({ files = [] }: Manifest, byLine: boolean): Rolldown.Plugin {
  const isIn = (path: string, entry: string) => matchesGlob(path, entry) || matchesGlob(path, `${entry}/**`)
  const isPublished = (path: string) =>
    files.some((entry) => isIn(path, entry)) &&
    !files.some((entry) => entry.startsWith('!') && isIn(path, entry.slice(1)))
  return {
    name: 'thin-maps',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.map')) continue
        const map = JSON.parse(String(file.source)) as { sources: string[]; mappings: string }
        const paths = map.sources.map((source) => relative(folder, resolve(folder, 'dist', source)))
        const published = paths.filter(isPublished)
        const lines = decode(map.mappings).map((line) =>
          line.slice(0, byLine ? 1 : line.length).flatMap(([column, source = -1, sourceLine = 0, at = 0]) => {
            const index = published.indexOf(paths[source] ?? '')
            return index < 0 ? [] : [[column, index, sourceLine, at] as SourceMapSegment]
          }),
        )
        const sources = published.map((path) => `../${path}`)
        file.source = JSON.stringify({ ...map, sources, names: [], mappings: encode(lines) })
      }
    },
  }
}

/** The licences of what was bundled, word for word, as they ask for. */
function notices() {
  return licensePlugin({
    done: async (packages) => {
      if (packages.length === 0) return
      const texts = packages.map(({ name, version, licenseText }) => {
        if (licenseText === '') throw new Error(`${name} ${version} has no licence among its files.`)
        return `${name} ${version}\n\n${licenseText.trim()}\n`
      })
      const head = 'This package contains code of the following projects.\n'
      await writeFile(
        join(folder, 'THIRD-PARTY-NOTICES.txt'),
        [head, ...texts].join(`\n${'-'.repeat(72)}\n\n`),
      )
    },
  })
}
