import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { atMost, checked, type Finding } from './findings.ts'
import { codeSubpaths } from './manifest.ts'
import { repository, type PublishedPackage } from './published.ts'

/** What a package may take of a disk. */
export interface Budget {
  filesMax: number
  unpackedBytesMax: number
}

/** What is in the tarball, and that nothing else is needed or betrayed. */
export async function contents(
  published: PublishedPackage,
  { filesMax, unpackedBytesMax }: Budget = { filesMax: 0, unpackedBytesMax: 0 },
): Promise<Finding[]> {
  const { unpacked, manifest } = published
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const largest = files
    .map((file, index) => ({ file: relative(unpacked, file), size: sizes[index] ?? 0 }))
    .sort((a, b) => b.size - a.size)
    .slice(0, 8)
    .map(({ file, size }) => `${size.toLocaleString('en').padStart(9)}  ${file}`)
  const dependencies = Object.keys(manifest.dependencies ?? {})
  return [
    atMost(
      `${manifest.name}: dependencies`,
      dependencies.length,
      0,
      'packages',
      `Bundle or drop ${dependencies.join(', ')}.`,
    ),
    atMost(`${manifest.name}: files`, files.length, filesMax, 'files', 'Drop files, or merge shared chunks.'),
    atMost(
      `${manifest.name}: unpacked`,
      bytes,
      unpackedBytesMax,
      'bytes',
      `The largest files:\n${largest.join('\n')}`,
    ),
    await textsPresent(published, files),
    await importsAllowed(published, files),
    await mapsAreWhole(published, files),
    await linksLead(published, files),
  ]
}

const noticesFile = 'THIRD-PARTY-NOTICES.txt'

async function textsPresent(
  { source, unpacked, manifest }: PublishedPackage,
  files: string[],
): Promise<Finding> {
  const wanted = ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']
  // The build writes it when it has bundled code of others.
  if ((await readdir(source)).includes(noticesFile)) wanted.push(noticesFile)
  const present = new Set(files.map((file) => relative(unpacked, file)))
  const missing = wanted.filter((name) => !present.has(name))
  const problems = missing.map((name) => `Add ${name} to the package, and to "files".`)
  return checked(`${manifest.name}: texts and licences`, `${missing.length} missing`, problems)
}

const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])([^'"\n]+)\1/g

/** Code that ajv would write into a file of its own: a text, and nothing that runs. */
const writtenCode = /(?:= '|`)require\("[\w/-]+"\)\./g

/** Packed code and types import one another, and Node built-ins; nothing else. */
async function importsAllowed({ unpacked, manifest }: PublishedPackage, files: string[]): Promise<Finding> {
  const strays: string[] = []
  for (const file of files.filter((name) => /\.(c?js|d\.c?ts)$/.test(name))) {
    const text = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, , specifier = ''] of text.replaceAll(writtenCode, '').matchAll(importPattern)) {
      const allowed = specifier.startsWith('./') || specifier.startsWith('node:')
      if (!allowed) strays.push(`${relative(unpacked, file)} imports ${specifier}`)
    }
  }
  return checked(`${manifest.name}: imports`, `${strays.length} stray`, strays)
}

const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, '')

/**
 * A link of a text leads to a file of the tarball or, by its whole address, to one of this repository: on npm's page there is
 * nothing else.
 */
async function linksLead({ unpacked, manifest }: PublishedPackage, files: string[]): Promise<Finding> {
  const present = new Set(files)
  const own = `${(manifest.bugs ?? '').replace(/\/issues$/, '')}/blob/main/`
  const strays: string[] = []
  let count = 0
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    for (const [, target = ''] of withoutCode(await readFile(file, 'utf8')).matchAll(
      /\]\(([^)\s#]+)[^)]*\)/g,
    )) {
      count += 1
      const isThere = target.startsWith(own)
        ? existsSync(join(repository, target.slice(own.length)))
        : /^https?:/.test(target) || present.has(join(dirname(file), target))
      if (!isThere) strays.push(`${relative(unpacked, file)} leads to ${target}: write ${own}…`)
    }
  }
  return checked(`${manifest.name}: links lead somewhere`, `${count} links`, strays)
}

/** Every map leads to files of the tarball: no debugger and no bundler asks for a missing file. */
async function mapsAreWhole({ unpacked, manifest }: PublishedPackage, files: string[]): Promise<Finding> {
  const maps = files.filter((name) => name.endsWith('.map'))
  const present = new Set(files)
  const strays: string[] = []
  for (const file of maps) {
    const { sources } = JSON.parse(await readFile(file, 'utf8')) as { sources: string[] }
    const missing = sources.filter((source) => !present.has(join(dirname(file), source)))
    strays.push(...missing.map((source) => `${relative(unpacked, file)} leads to ${source}`))
  }
  // A program that nobody imports is mostly code of others, bundled.
  if (maps.length === 0 && codeSubpaths(manifest).length > 0) strays.push('There are no maps.')
  return checked(`${manifest.name}: maps lead to its sources`, `${maps.length} maps`, strays)
}
