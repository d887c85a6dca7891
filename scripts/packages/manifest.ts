import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** What these scripts read of a package.json. */
export interface Manifest {
  name: string
  version: string
  exports: Record<string, ExportTarget>
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  files?: string[]
  bugs?: string
}

type ExportTarget = string | { [condition: string]: ExportTarget }

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Names of the entries that `exports` wants in `dist/` with this ending. */
export function listEntries({ exports }: Manifest, ending: string): string[] {
  const names = leaves(exports).flatMap((path) =>
    path.startsWith('./dist/') && path.endsWith(ending) ? [path.slice('./dist/'.length, -ending.length)] : [],
  )
  return [...new Set(names)]
}

/** Names of the programs in `dist/`. */
export function listPrograms({ bin = {} }: Manifest): string[] {
  return [...new Set(Object.values(bin))].map((path) => basename(path, '.js'))
}

/** The subpaths that can be imported as code: `.`, `./testing`, … */
export function codeSubpaths({ exports }: Manifest): string[] {
  return Object.entries(exports).flatMap(([subpath, target]) => (typeof target === 'string' ? [] : [subpath]))
}

function leaves(target: ExportTarget): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(leaves)
}
