import { posix, relative } from 'node:path'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import type { Manifest } from './manifest.ts'

/** The parts of a source map that are read and written here. */
export interface SourceMap {
  sources: (string | null)[]
  mappings: string
}

/** A file of `dist` and where its text comes from. */
export interface MappedFile {
  name: string
  text: string
  map: SourceMap
}

/**
 * The text with a pointer to its map, and the map: sources are the files that the tarball has, so nothing of them is
 * repeated in it, and what comes from elsewhere (bundled code of others) is not mapped. Without a map when most of the text
 * has no published source.
 * @param folder the folder of the package
 * @param byLine one mapping per line is enough: code is not minified, and a line is a line of its source
 */
export function mapToSources(
  { name, text, map }: MappedFile,
  manifest: Manifest,
  folder: string,
  byLine: boolean,
): { text: string; map: string | undefined } {
  const isPublished = publishes(manifest)
  const paths = map.sources.map((source) => {
    const path = relative(folder, posix.resolve(folder, 'dist', source ?? ''))
    return isPublished(path) ? path : undefined
  })
  const sources = [...new Set(paths.filter((path) => path !== undefined))]
  const lines = decode(map.mappings).map((line) => {
    const kept: SourceMapSegment[] = []
    for (const [column, source, sourceLine = 0, sourceColumn = 0] of line) {
      const path = source === undefined ? undefined : paths[source]
      if (path !== undefined) kept.push([column, sources.indexOf(path), sourceLine, sourceColumn])
      // Else this text would pass for a part of what is mapped before it.
      else if (kept.at(-1)?.length !== 1) kept.push([column])
      if (byLine) break
    }
    return kept
  })
  const count = (length: number) => lines.flat().filter((segment) => segment.length === length).length
  if (count(4) <= count(1)) return { text, map: undefined }
  const published = {
    version: 3,
    file: name,
    sources: sources.map((path) => `../${path}`),
    names: [],
    mappings: encode(lines),
  }
  return {
    text: `${text.trimEnd()}\n//# sourceMappingURL=${name}.map\n`,
    map: `${JSON.stringify(published)}\n`,
  }
}

/** Whether a file of the package is in its tarball, by `files`: a folder, a file or `folder/*.ts`, and `!folder`. */
function publishes({ files = [] }: Manifest): (path: string) => boolean {
  const isIn = (path: string, entry: string) =>
    entry.endsWith('/*.ts')
      ? posix.dirname(path) === posix.dirname(entry) && path.endsWith('.ts')
      : path === entry || path.startsWith(`${entry}/`)
  return (path) =>
    files.some((entry) => isIn(path, entry)) &&
    !files.some((entry) => entry.startsWith('!') && isIn(path, entry.slice(1)))
}
