import { glob, readdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

// The walks of docs/architecture.md name files and what is declared in them: `path/of/file.ts` `name`, `name`.
// A path is relative to apps/server/src or to the repository.

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = await readFile(join(root, 'docs/architecture.md'), 'utf8')

const sections = text.split(/^## /m)
const sectionOf = (title: string) => sections.find((section) => section.startsWith(`${title}\n`)) ?? ''
const walks = sectionOf('The seven walks').split(/^### /m).slice(1)
const recipes = sectionOf('Where to add').split(/^### /m).slice(1)

const stepPattern = /`([\w.@/-]+\.(?:ts|tsx|js|sql|yaml))`((?:,? `[\w.#]+`)*)/g

/** What a walk names: files, each with the names that it declares. */
function stepsOf(walk: string): { file: string; names: string[] }[] {
  return [...walk.matchAll(stepPattern)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/`([\w.#]+)`/g)].map(([, name = '']) => name),
  }))
}

function find(file: string): string | undefined {
  return [join(root, 'apps/server/src', file), join(root, file)].find((path) => existsSync(path))
}

/** Whether a name is declared: as a function, type, value or relation, a method or property, or exported again. */
function declares(source: string, name: string): boolean {
  const own = source.replaceAll(/^import\b[^']*'[^']+'/gm, '')
  const [last = ''] = name.split(/[.#]/).slice(-1)
  const patterns = [
    `(?:function|class|interface|type|const|let|view|table) (?:public\\.)?${last}\\b`,
    `^ {2,6}(?:async |static |get |readonly )*#?${last}[(:=?<,]`,
    `^export \\{[^}]*\\b${last}\\b`,
  ]
  return patterns.some((pattern) => new RegExp(pattern, 'm').test(own))
}

test('there are seven walks, and recipes with no more files than these', () => {
  expect(walks).toHaveLength(7)
  const files = recipes.map((recipe) => [recipe.split('\n')[0], recipe.match(/^\d+\. /gm)?.length])
  expect(Object.fromEntries(files)).toEqual({
    'A filter': 3,
    'A source': 3,
    'A command': 3,
    'A plan': 6,
    'A webhook event type': 3,
    'A fact of a model': 4,
    'A page of the dashboard': 2,
    'An operation of the dashboard': 1,
  })
})

test.each([...walks, ...recipes].map((walk) => [walk.split('\n')[0], walk] as const))(
  '%s: its files and functions exist',
  async (_title, walk) => {
    const steps = stepsOf(walk)
    expect(steps.length).toBeGreaterThan(1)
    const missing: string[] = []
    for (const { file, names } of steps) {
      const path = find(file)
      if (path === undefined) {
        missing.push(file)
        continue
      }
      const source = await readFile(path, 'utf8')
      missing.push(...names.filter((name) => !declares(source, name)).map((name) => `${name} in ${file}`))
    }
    expect(missing).toEqual([])
  },
)

test('a webhook event is named by the files of its recipe, and where one is the default', async () => {
  const recipe = recipes.find((one) => one.startsWith('A webhook event type\n')) ?? ''
  const sources = await paths('{apps,packages}/*/src/**/*.{ts,tsx,js}', ['**/*.test.ts', '**/generated/**'])
  const texts = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')))
  const naming = sources.filter((_file, index) => /'change\.alert'/.test(texts[index] ?? ''))
  const listed = stepsOf(recipe).map(({ file }) => file)
  expect(naming.filter((file) => !listed.includes(file)).sort()).toEqual([
    'apps/dashboard/src/pages/webhooks/dialogs.tsx',
    'apps/server/src/database/earlier-states.ts',
    'packages/webhooks/src/test-request.ts',
  ])
})

test('a walk fits on one screen', () => {
  const long = walks.filter((walk) => walk.trimEnd().split('\n').length > 40)
  expect(long.map((walk) => walk.split('\n')[0])).toEqual([])
})

test('the tree at the top names every folder of the server', async () => {
  const tree = sectionOf('The house')
  const entries = await readdir(join(root, 'apps/server/src'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`)
  expect(folders.filter((name) => !tree.includes(name))).toEqual([])
})

test('the files that the documents name exist', async () => {
  const files = await paths('**/*.{ts,tsx,sql}', ['**/node_modules', '**/dist', '**/.*'])
  const documents = [
    ...(await paths('docs/**/*.md')),
    ...(await paths('*.md')),
    ...(await paths('{apps,bench}/**/README.md', ['**/node_modules'])),
  ]
  expect(documents.length).toBeGreaterThan(10)
  const missing: string[] = []
  for (const document of documents) {
    const named = (await readFile(join(root, document), 'utf8')).matchAll(/`([\w@][\w.@/-]*\.(?:tsx?|sql))`/g)
    for (const [, file = ''] of named) {
      if (!files.some((path) => `/${path}`.endsWith(`/${file}`))) missing.push(`${file} in ${document}`)
    }
  }
  expect(missing).toEqual([])
})

/** Files of the repository by a pattern. */
async function paths(pattern: string, exclude: string[] = []): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(pattern, { cwd: root, exclude })) found.push(path.split(sep).join('/'))
  return found
}
