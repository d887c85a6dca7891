import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { frameworks, receiverPath } from '../src/pages/webhooks/snippets.ts'

// In the folder of the package's own examples: the frameworks are installed there, and the package is its sources.
const folder = fileURLToPath(new URL('../../../packages/webhooks/', import.meta.url))
const entries = Object.entries(frameworks).map(
  ([name, { code }]) => [`${folder}examples/${name}.snippet.js`, code('/hooks/ours')] as const,
)

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.collection.d.ts'],
  types: ['node'],
  typeRoots: [`${folder}node_modules/@types`],
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  paths: { '@ratecard/webhooks': [`${folder}src/index.ts`], '@ratecard/webhooks/*': [`${folder}src/*.ts`] },
}

function diagnose(sources: ReadonlyMap<string, string>): string[] {
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => sources.has(name) || disk.fileExists(name),
    readFile: (name) => sources.get(name) ?? disk.readFile(name),
    getSourceFile: (name, language, ...rest) => {
      const text = sources.get(name)
      return text === undefined
        ? disk.getSourceFile(name, language, ...rest)
        : ts.createSourceFile(name, text, language)
    },
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && sources.has(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

test('every snippet compiles against the package and its framework', { timeout: 60_000 }, () => {
  expect(diagnose(new Map(entries))).toEqual([])
})

test('a snippet with a name that the package does not have is found', { timeout: 60_000 }, () => {
  const [[name, code]] = entries as [(typeof entries)[number]]
  expect(diagnose(new Map([[name, code.replaceAll('ratecardWebhook', 'ratecardHook')]]))).toEqual([
    expect.stringContaining("no exported member named 'ratecardHook'"),
  ])
})

test.each([
  ['https://hooks.example.com/webhooks/ratecard', '/webhooks/ratecard'],
  ['https://hooks.example.com/in/prices-1', '/in/prices-1'],
  ['https://hooks.example.com/', '/'],
  ['https://hooks.example.com', '/'],
  ["https://hooks.example.com/a')/../:id", '/webhooks/ratecard'],
])('the receiver of %s listens at %s', (url, path) => {
  expect(receiverPath(url)).toBe(path)
})
