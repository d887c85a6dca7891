import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/platform/paths.ts'

// Links from one document to another, and texts of the program that send people to a section.

async function filesOf(...patterns: string[]): Promise<[path: string, text: string][]> {
  const found: [string, string][] = []
  for await (const path of glob(patterns, {
    cwd: projectRoot,
    exclude: ['**/node_modules', '**/dist', '**/generated'],
  }))
    found.push([path, await readFile(join(projectRoot, path), 'utf8')])
  return found
}

const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '')
const headingsOf = (text: string) =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const documents = await filesOf('*.md', '{docs,bench,deploy,apps,packages}/**/*.md')
const textOf = new Map(documents)

test('every link to a file or a heading of the repository leads there', () => {
  const lost: string[] = []
  let links = 0
  for (const [path, text] of documents) {
    for (const [, target = '', anchor] of withoutCode(text).matchAll(
      /\]\((?!\w+:)([^()#\s]*)(?:#([^()\s]+))?\)/g,
    )) {
      links += 1
      const file = target === '' ? path : join(dirname(path), target)
      const isThere =
        anchor === undefined
          ? existsSync(join(projectRoot, file))
          : headingsOf(textOf.get(file) ?? '').some((heading) => anchorOf(heading) === anchor)
      if (!isThere) lost.push(`${path}: ${target}${anchor === undefined ? '' : `#${anchor}`}`)
    }
  }
  expect(links).toBeGreaterThan(200)
  expect(lost).toEqual([])
})

test('a section that the program, its alert rules or its files name is in that document', async () => {
  const sources = await filesOf('apps/server/{src,test,proofs}/**/*.ts', 'deploy/**/*.yaml', '*.yaml')
  const lost: string[] = []
  let named = 0
  for (const [path, text] of sources) {
    const inOrder = text.matchAll(/"([A-Z][^"\n]*)" in (docs\/[\w/-]+\.md)/g)
    const after = text.matchAll(/(docs\/[\w/-]+\.md) \("([^"\n]*)"\)/g)
    for (const [heading = '', document = ''] of [
      ...[...inOrder].map(([, heading, document]) => [heading, document]),
      ...[...after].map(([, document, heading]) => [heading, document]),
    ]) {
      named += 1
      if (!headingsOf(textOf.get(document) ?? '').includes(heading))
        lost.push(`${path}: "${heading}" in ${document}`)
    }
  }
  expect(named).toBeGreaterThan(7)
  expect(lost).toEqual([])
})
