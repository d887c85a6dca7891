import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Program } from './peers.ts'

export interface Bundle {
  /** Minified and gzipped, as a browser gets it. */
  gzippedBytes: number
  /** Share of the code in it, by bytes, whose file has a map to source that can be opened: 0 to 1. */
  sourceShare: number
}

export async function bundle({ create }: Program, folder: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: create, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: 'bundle',
    write: false,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  let [bytes, bytesWithSource] = [0, 0]
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    if (file === '<stdin>') continue
    bytes += bytesInOutput
    if (await leadsToSource(resolve(folder, file))) bytesWithSource += bytesInOutput
  }
  return {
    gzippedBytes: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength,
    sourceShare: bytesWithSource / bytes,
  }
}

interface SourceMap {
  sourceRoot?: string
  sources: string[]
  sourcesContent?: (string | null)[]
}

/** Whether the file names a map, and the text of every source is in the map or in the package. */
export async function leadsToSource(file: string): Promise<boolean> {
  const code = await readFile(file, 'utf8').catch(() => '')
  const link = [...code.matchAll(/\/\/# sourceMappingURL=(\S+)/g)].at(-1)?.[1]
  const map = resolve(dirname(file), link ?? '')
  if (link === undefined || !existsSync(map)) return false
  const { sourceRoot = '', sources, sourcesContent } = JSON.parse(await readFile(map, 'utf8')) as SourceMap
  return sources.every(
    (source, index) =>
      typeof sourcesContent?.[index] === 'string' || existsSync(resolve(dirname(map), sourceRoot, source)),
  )
}
