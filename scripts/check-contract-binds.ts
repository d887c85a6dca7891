import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

// Proves that the contracts bind the server: with a name changed or added in the generated types, or in the dashboard's
// schemas, the server must not compile. One compiler holds all programs, and each is checked up to its first error: a case takes seconds.

const root = fileURLToPath(new URL('../', import.meta.url))
const server = join(root, 'apps/server')

type Case = [what: string, from: RegExp, to: string]

const addedOperation = (like: string): Case => [
  'adding an operation',
  /export interface operations \{/,
  `$& added: operations["${like}"];`,
]
const addedParameter = (operation: string): Case => [
  `adding a query parameter to ${operation}`,
  new RegExp(`^ {4}${operation}: \\{\\s+parameters: \\{\\s+query\\?: \\{`, 'm'),
  '$& added?: string;',
]

const contracts: Record<string, Case[]> = {
  'packages/contract/generated/types.ts': [
    ['renaming a served field', /\binput_per_mtok\b/g, 'input_per_million'],
    ['renaming a query parameter', /\bmin_severity\b/g, 'severity_min'],
    ['renaming an operationId', /\blistPrices\b/g, 'queryPrices'],
    ['renaming a body field', /\bnext_cursor\b/g, 'cursor_next'],
    ['renaming an error code', /"quota_exceeded"/g, '"quota_used_up"'],
    addedParameter('listPrices'),
    addedParameter('listChanges'),
    addedOperation('getUsage'),
  ],
  'apps/server/src/http/dashboard/schemas/webhooks.ts': [
    ['renaming a field that the pages are served', /\bactive_max\b/g, 'most_active'],
  ],
  'apps/server/src/http/dashboard/schemas/account.ts': [
    ['renaming a parameter that the pages send', /\bsearch: /, 'find: '],
    ['adding one', /\bsearch: /, 'added: z.string(), $&'],
  ],
}

const { config } = ts.readConfigFile(join(server, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: unknown
}
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, server)
// What the server runs of the contract's package is JavaScript, checked like TypeScript.
options.checkJs = true
const rootNames = [
  // Scripts for browsers stand among them.
  ...fileNames.filter((name) => /(?<!\.test)\.ts$/.test(name) && !/\/(test|proofs)\//.test(name)),
  ...ts.sys.readDirectory(join(root, 'packages/contract/src'), ['.js']),
]

/** Files as they are, parsed once for all programs; those of a case stand before them. */
const parsed = new Map<string, ts.SourceFile | undefined>()

function createProgram(oldProgram?: ts.Program, changed?: { path: string; text: string }): ts.Program {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...more) => {
    if (name === changed?.path) return ts.createSourceFile(name, changed.text, more[0], true)
    if (!parsed.has(name)) parsed.set(name, read(name, ...more))
    return parsed.get(name)
  }
  return ts.createProgram({ rootNames, options, host, ...(oldProgram && { oldProgram }) })
}

function hasErrors(program: ts.Program, name: string): boolean {
  return program.getSemanticDiagnostics(program.getSourceFile(name)).length > 0
}

const asIs = createProgram()
/** Those that follow the contract directly stand first: most errors are there. */
const ours = asIs
  .getSourceFiles()
  .map(({ fileName }) => fileName)
  .filter((name) => rootNames.includes(name))
  .toSorted((one, other) => rank(one) - rank(other))

function rank(name: string): number {
  return /packages\/contract\/|\/http\/|\/catalog\/|\/features\/(prices|changes)\//.test(name) ? 0 : 1
}

const problems: string[] = []
for (const [types, cases] of Object.entries(contracts)) {
  const path = join(root, types)
  const text = ts.sys.readFile(path) ?? ''
  for (const [what, from, to] of cases) {
    const changed = text.replace(from, to)
    if (changed === text) {
      problems.push(`${types} has no ${from.source} to change.`)
      continue
    }
    const program = createProgram(asIs, { path, text: changed })
    const failing = ours.find((name) => hasErrors(program, name))
    if (failing === undefined) problems.push(`The server compiles in spite of ${what} in ${types}.`)
    else if (hasErrors(asIs, failing)) problems.push(`${failing} does not compile as it is.`)
    else console.log(`${what} breaks the compile, as it must (${relative(root, failing)})`)
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
