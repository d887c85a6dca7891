import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { codeSubpaths, entriesOf, type Manifest } from './manifest.ts'
import { checked, type Finding } from './findings.ts'
import { repository, type PublishedPackage } from './published.ts'

/**
 * The public API of each entry as text, kept in `packages/<package>/api`. A change of it shows in a review, and a
 * change by accident fails.
 */
export async function apiReports(published: PublishedPackage, update: boolean): Promise<Finding> {
  const { source, unpacked, manifest } = published
  // A program has an interface of another kind: its own tests hold it.
  if (codeSubpaths(manifest).length === 0)
    return checked(`${manifest.name}: API is as reported`, 'a program', [])
  const kept = join(source, 'api')
  const made = join(unpacked, '.api')
  await Promise.all([mkdir(kept, { recursive: true }), mkdir(made, { recursive: true })])
  const entries = codeSubpaths(manifest).map((subpath) => (subpath === '.' ? 'index' : basename(subpath)))
  const names = entries.map((entry) => `${entry}.api.md`)
  const problems = extract(published, entries, made)
  if (update) {
    await rm(kept, { recursive: true })
    await mkdir(kept)
    for (const name of names) await copyFile(join(made, name), join(kept, name))
  }
  const differences: string[] = []
  for (const name of new Set([...names, ...(await readdir(kept))])) {
    const [before, now] = await Promise.all([textOf(join(kept, name)), textOf(join(made, name))])
    if (before !== now) {
      differences.push(`${relative(repository, join(kept, name))}: ${firstDifference(before, now)}`)
    }
  }
  if (differences.length > 0) {
    differences.push('If the change is meant: node scripts/check-packages.ts --update, and add a changeset.')
  }
  problems.push(...differences)
  return checked(`${manifest.name}: API is as reported`, `${names.length} entries`, problems)
}

/** Writes a report per entry. Answers what is wrong with the declarations themselves. */
function extract(published: PublishedPackage, entries: string[], folder: string): string[] {
  const configs = entries.map((entry) => reportConfig(published, entry, folder))
  const [first] = configs
  if (!first) return []
  const problems: string[] = []
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  })
  for (const config of configs) {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => {
        message.handled = true
        if (message.logLevel === ExtractorLogLevel.Error) {
          problems.push(`${basename(config.mainEntryPointFilePath)}: ${message.text}`)
        }
      },
    })
  }
  return problems
}

function reportConfig(
  { unpacked, manifest }: PublishedPackage,
  entry: string,
  folder: string,
): ExtractorConfig {
  const declarations = join(unpacked, declarationFile(manifest, entry))
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(unpacked, 'package.json'),
    configObject: {
      projectFolder: unpacked,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            lib: ['es2022'],
            module: 'nodenext',
            types: ['node'],
            typeRoots: [join(repository, 'node_modules/@types')],
            strict: true,
          },
          files: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
        // A type that is shown counts, whether or not it can be imported by name.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          // Everything exported is public: there are no other stages of release.
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
          'ae-undocumented': { logLevel: ExtractorLogLevel.None },
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.None },
        },
        // Comments are for editors. TSDoc's grammar is stricter than theirs.
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  })
}

function declarationFile(manifest: Manifest, entry: string): string {
  return `dist/${entry}${entriesOf(manifest, '.d.ts').includes(entry) ? '.d.ts' : '.d.cts'}`
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

function firstDifference(before: string, now: string): string {
  if (before === '') return 'is new'
  if (now === '') return 'describes an entry that is gone'
  const [old, current] = [before.split('\n'), now.split('\n')]
  const line = current.findIndex((text, index) => text !== old[index])
  const at = line < 0 ? current.length : line
  return `line ${at + 1} was\n  ${old[at] ?? ''}\nand is\n  ${current[at] ?? ''}`
}
