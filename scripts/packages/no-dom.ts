import { join } from 'node:path'
import ts from 'typescript'
import { codeSubpaths } from './manifest.ts'
import { checked, type Finding } from './findings.ts'
import { repository, type PublishedPackage } from './published.ts'

/** The published types must compile with Node's types and without those of the DOM. */
export function typesWithoutDom({ manifest }: PublishedPackage, folder: string): Finding {
  const file = join(folder, `no-dom-${manifest.name.replace('/', '-')}.mts`)
  const imports = codeSubpaths(manifest).map(
    (subpath, index) =>
      `import type * as n${index} from '${join(manifest.name, subpath)}'\nexport type { n${index} }\n`,
  )
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.Node16,
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (path) => (path === file ? imports.join('') : readFile(path))
  host.fileExists = (path) => path === file || fileExists(path)
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host))
  const text = ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  })
  const figure = `${diagnostics.length} errors`
  return checked(`${manifest.name}: types without DOM`, figure, text === '' ? [] : [text])
}
