import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { codeSubpaths, listEntries, type Manifest } from './manifest.ts'
import { checked, type Finding } from './findings.ts'
import { repository, type PublishedPackage } from './published.ts'

/**
 * The public API of each entry as text, kept in `packages/<package>/api`. A change of it shows in a review, and a
 * change by accident fails.
 */
export async function apiReports(published: PublishedPackage, update: boolean): Promise<Finding> {
  const { source, manifest } = published
  // A program has an interface of another kind: its own tests hold it.
  if (codeSubpaths(manifest).length === 0)
    return checked(`${manifest.name}: API is as reported`, 'a program', [])
  const kept = join(source, 'api')
  await mkdir(kept, { recursive: true })
  const entries = codeSubpaths(manifest).map((subpath) => (subpath === '.' ? 'index' : basename(subpath)))
  const problems = extract(published, entries, update)
  for (const name of await readdir(kept)) {
    if (entries.includes(basename(name, '.api.md'))) continue
    if (update) await rm(join(kept, name))
    else problems.push(`${relative(repository, join(kept, name))} describes an entry that is gone.`)
  }
  if (problems.length > 0)
    problems.push('If the change is meant: node scripts/check-packages.ts --update, and add a changeset.')
  return checked(`${manifest.name}: API is as reported`, `${entries.length} entries`, problems)
}

/** Compares a report per entry, or writes it. Answers what differs, and what is wrong with the declarations themselves. */
function extract(published: PublishedPackage, entries: string[], update: boolean): string[] {
  const configs = entries.map((entry) => reportConfig(published, entry))
  const [first] = configs
  if (!first) return []
  const problems: string[] = []
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  })
  for (const config of configs) {
    Extractor.invoke(config, {
      compilerState,
      localBuild: update,
      printApiReportDiff: !update,
      messageCallback: (message) => {
        message.handled = true
        // A warning tells that a report differs, or that it was written.
        const isDifference = message.logLevel === ExtractorLogLevel.Warning && !update
        if (message.logLevel === ExtractorLogLevel.Error || isDifference)
          problems.push(`${basename(config.mainEntryPointFilePath)}: ${message.text}`)
      },
    })
  }
  return problems
}

function reportConfig({ source, unpacked, manifest }: PublishedPackage, entry: string): ExtractorConfig {
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
        reportFolder: join(source, 'api'),
        reportTempFolder: join(unpacked, '.api'),
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
  return `dist/${entry}${listEntries(manifest, '.d.ts').includes(entry) ? '.d.ts' : '.d.cts'}`
}
